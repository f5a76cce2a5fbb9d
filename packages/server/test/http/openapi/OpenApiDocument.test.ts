import { assert, describe, it } from "@effect/vitest";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import * as OpenApi from "effect/http-api/OpenApi";
import { RATE_LIMIT_HEADERS } from "../../../src/http/openapi/described.ts";
import { Api, openApiDocument } from "../../../src/routes/Api.ts";
import { validatorAt } from "../../Contract.ts";

const document = openApiDocument();
const components = document.components as unknown as Record<string, Record<string, any>>;

type Visit = (object: Record<string, any>, place: ReadonlyArray<string>) => void;

const walk = (value: unknown, visit: Visit, place: ReadonlyArray<string> = []): void => {
  if (Array.isArray(value)) value.forEach((item, index) => walk(item, visit, [...place, String(index)]));
  else if (typeof value === "object" && value !== null) {
    visit(value as Record<string, any>, place);
    for (const [key, item] of Object.entries(value)) walk(item, visit, [...place, key]);
  }
};

const operations = Object.entries<any>(document["paths"]).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation
  }))
);

const resolve = (value: any): any =>
  typeof value.$ref === "string"
    ? value.$ref
        .slice(2)
        .split("/")
        .reduce((object: any, key: string) => object?.[key], document)
    : value;

/** What the one has and the other has not, or has otherwise, by its place. */
const lacks = (generated: any, served: any, place: string): ReadonlyArray<string> => {
  if (typeof generated !== "object" || generated === null) return generated === served ? [] : [place];
  if (Array.isArray(generated.allOf)) return lacks(Object.assign({}, ...generated.allOf), served, place);
  const found = "$ref" in generated ? served : resolve(served ?? {});
  return Object.entries(generated).flatMap(([key, value]) => lacks(value, found?.[key], `${place}/${key}`));
};

describe("the OpenAPI document", () => {
  it("has what is generated from the contract as it is, but a description stands beside its reference", () => {
    const generated = OpenApi.fromApi(Api.annotate(OpenApi.Transform, (same) => same));
    assert.deepStrictEqual(lacks(generated, document, ""), []);
  });

  it("has no `allOf`, of which generators make a second type with the same name, or none", () => {
    walk(document, (object, place) => assert.notProperty(object, "allOf", place.join("/")));
  });

  it("passes a public OpenAPI validator", async () => {
    const result = await new Validator().validate({ ...document });
    assert.deepStrictEqual(result.errors ?? [], []);
    assert.isTrue(result.valid);
  });

  it("passes a public linter with its strictest rules", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    assert.deepStrictEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
      []
    );
  });

  it("has no union of enumerations and no limit of JavaScript's integers, which generators take literally", () => {
    const isEnum = (schema: any): boolean => Array.isArray(resolve(schema).enum);
    walk(document, (object, place) => {
      assert.notStrictEqual(object["minimum"], Number.MIN_SAFE_INTEGER, place.join("/"));
      if (Array.isArray(object["anyOf"])) assert.isFalse(object["anyOf"].every(isEnum), place.join("/"));
    });
    assert.includeMembers(components["schemas"]?.["EvidenceSource"].enum, ["transcript", "page", "metadata"]);
    assert.strictEqual(components["schemas"]?.["EvidenceItem"].properties.page.minimum, 1);
  });

  it("is OpenAPI 3.1 of the service's version 1.0.0", () => {
    assert.match(document["openapi"], /^3\.1\./u);
    assert.strictEqual(document["info"].version, "1.0.0");
  });

  it("has the endpoints of the account and the operator's", () => {
    assert.includeMembers(
      operations.map(({ name }) => name),
      [
        "POST /v1/extractions",
        "POST /v1/extract",
        "GET /v1/extractions",
        "GET /v1/extractions/{id}",
        "GET /v1/extractions/{id}/result",
        "GET /v1/extractions/{id}/files/{name}",
        "POST /v1/probe",
        "GET /v1/openapi.json",
        "GET /healthz",
        "GET /readyz",
        "GET /docs",
        "POST /admin/v1/accounts",
        "GET /admin/v1/accounts/{id}",
        "POST /admin/v1/accounts/{id}/api-keys",
        "DELETE /admin/v1/api-keys/{id}",
        "POST /admin/v1/accounts/{id}/top-ups"
      ]
    );
  });

  it("lists the published statuses of each endpoint", () => {
    const statuses = (path: string, method: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {});
    for (const status of ["200", "201", "400", "401", "402", "404", "409", "413", "415", "429"]) {
      assert.include(statuses("/v1/extractions", "post"), status);
    }
    for (const status of ["200", "400", "401", "422", "429", "502"]) {
      assert.include(statuses("/v1/probe", "post"), status);
    }
    assert.includeMembers(statuses("/v1/extractions/{id}/result", "get"), [
      "200",
      "202",
      "401",
      "404",
      "429"
    ]);
    assert.includeMembers(statuses("/v1/extractions/{id}/files/{name}", "get"), ["200", "206", "304", "416"]);
  });

  it("describes every operation, answer, header and field", () => {
    for (const { name, operation } of operations) {
      assert.isString(operation.summary, name);
      assert.isString(operation.description, name);
      assert.includeMembers(Object.keys(operation.responses), ["408", "431", "500", "503"], name);
      for (const [status, answer] of Object.entries<any>(operation.responses)) {
        const response = resolve(answer);
        assert.isNotEmpty(response.description, `${name} ${status}`);
      }
    }
    for (const [name, schema] of Object.entries<any>(document["components"].schemas)) {
      for (const [field, property] of Object.entries<any>(schema.properties ?? {})) {
        assert.isTrue(
          "description" in property || name.endsWith("Error") || name === "InternalError",
          `${name}.${field}`
        );
      }
    }
  });

  it("every reference resolves, and no internals of the generator are left", () => {
    walk(document, (object, place) => {
      const path = place.join("/");
      if (typeof object["$ref"] === "string") {
        const target = object["$ref"]
          .slice(2)
          .split("/")
          .reduce((value, key) => value?.[key], document as any);
        assert.isDefined(target, `${path}: ${object["$ref"]}`);
      }
      assert.notProperty(object, "x-effect-stream", path);
    });
    for (const name of Object.keys(document["components"].schemas)) assert.notMatch(name, /_\d+$|Encoded$/u);
  });

  it("every example matches its schema or header", () => {
    let count = 0;
    walk(document, (object, place) => {
      const examples = object["examples"];
      if (!Array.isArray(examples) || place.includes("examples")) return;
      const validate = validatorAt(...place);
      for (const example of examples) {
        count++;
        assert.isTrue(validate(example), `${place.join("/")}: ${JSON.stringify(validate.errors)}`);
      }
    });
    for (const [name, { schema, example }] of Object.entries<any>(components["headers"] ?? {})) {
      if (example === undefined) continue;
      assert.isTrue(validatorAt("components", "headers", name, "schema")(example), `${name}: ${schema}`);
    }
    assert.isAbove(count, 20);
  });

  it("a parameter of the query that takes certain values says which", () => {
    const typed = Object.entries(document.paths).flatMap(([path, { get }]: [string, any]) =>
      (get?.parameters ?? [])
        .filter(
          ({ in: place, schema }: any) =>
            place === "query" && (schema.enum ?? schema.format ?? schema.maximum)
        )
        .map(({ name, schema }: any) => {
          assert.isNotEmpty(schema.description, `${path} ${name}`);
          return `${path} ${name}: ${schema.enum ?? schema.format ?? schema.maximum}`;
        })
    );
    assert.includeMembers(typed, [
      "/v1/extractions status: queued,pending,running,complete,failed",
      "/v1/extractions outcome: ok,no_match,uncertain",
      "/v1/extractions kind: video,photos,webpage",
      "/v1/extractions since: date-time",
      "/v1/extractions until: date-time",
      "/v1/results since: date-time",
      "/v1/results support: quoted,unsupported,not_stated",
      "/v1/results format: json,csv,jsonl",
      "/v1/usage days: 90",
      "/v1/webhook-deliveries status: pending,delivered,failed"
    ]);
  });

  it("every body has an example, and every error its own", () => {
    const without = new Set<string>();
    for (const { name, operation } of operations) {
      const bodies = [operation.requestBody, ...Object.values<any>(operation.responses)].filter(Boolean);
      for (const body of bodies) {
        const schema = resolve(body).content?.["application/json"]?.schema;
        if (schema === undefined || name === "GET /v1/openapi.json") continue;
        for (const each of schema.anyOf ?? [schema]) {
          if ((resolve(each).examples ?? []).length === 0) without.add(`${name}: ${JSON.stringify(each)}`);
        }
      }
    }
    assert.deepStrictEqual([...without], []);
  });

  it("headers of every response are described once: with shared errors, and in the introduction", () => {
    const everywhere = ["X-Request-Id", ...RATE_LIMIT_HEADERS];
    const { description } = document["info"] as unknown as { readonly description: string };
    for (const name of everywhere) {
      assert.include(description, `\`${name}\``);
      assert.isNotEmpty(components["headers"]?.[name].description);
    }
    for (const { name, operation } of operations) {
      for (const { headers = {} } of Object.values<any>(operation.responses)) {
        assert.notIncludeMembers(Object.keys(headers), everywhere, name);
      }
    }
    const shared = (name: string) => Object.keys(components["responses"]?.[name].headers ?? {});
    assert.includeMembers(shared("RateLimitedError"), [...RATE_LIMIT_HEADERS, "Retry-After"]);
    assert.deepStrictEqual(shared("UnauthorizedError"), ["WWW-Authenticate"]);
  });

  it("errors that endpoints share are described once", () => {
    const inline = operations.flatMap(({ name, operation }) =>
      Object.entries<any>(operation.responses)
        .filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined)
        .map(([status]) => `${name} ${status}`)
    );
    assert.deepStrictEqual(inline, [
      "POST /v1/extractions 400",
      "POST /v1/extract 400",
      "POST /v1/probe 400",
      "GET /v1/probe/thumbnail 400"
    ]);
  });
});
