import { readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import * as AdminWire from "../../src/api/AdminWire.ts";
import * as ApiErrors from "../../src/api/ApiErrors.ts";
import * as ExtractionWire from "../../src/api/ExtractionWire.ts";
import { openApiDocument } from "../../src/api/OpenApiDocument.ts";
import * as ProbeWire from "../../src/api/ProbeWire.ts";
import * as ResultWire from "../../src/api/ResultWire.ts";
import * as SubmitWire from "../../src/api/SubmitWire.ts";

const document = openApiDocument();

const walk = (
  value: unknown,
  visit: (object: Record<string, any>, path: string) => void,
  path = ""
): void => {
  if (Array.isArray(value)) value.forEach((item, index) => walk(item, visit, `${path}/${index}`));
  else if (typeof value === "object" && value !== null) {
    visit(value as Record<string, any>, path);
    for (const [key, item] of Object.entries(value)) walk(item, visit, `${path}/${key}`);
  }
};

const operations = Object.entries<any>(document["paths"]).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation
  }))
);

describe("the OpenAPI document", () => {
  it("is the checked-in one", () => {
    const file = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8");
    assert.strictEqual(file, `${JSON.stringify(document, null, 2)}\n`, "run: pnpm openapi");
  });

  it("is OpenAPI 3.1 of the service's version 1.0.0", () => {
    assert.match(document["openapi"], /^3\.1\./u);
    assert.strictEqual(document["info"].version, "1.0.0");
  });

  it("has the endpoints of the specification and the operator's", () => {
    assert.sameMembers(
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
        "POST /admin/v1/accounts",
        "GET /admin/v1/accounts/{id}",
        "POST /admin/v1/accounts/{id}/api-keys",
        "DELETE /admin/v1/api-keys/{id}",
        "POST /admin/v1/accounts/{id}/top-ups"
      ]
    );
  });

  it("lists the statuses of the specification for each endpoint", () => {
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
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        assert.isNotEmpty(response.description, `${name} ${status}`);
        assert.property(response.headers, "X-Request-Id", `${name} ${status}`);
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

  it("every reference leads somewhere, and nothing of the generator is left", () => {
    walk(document, (object, path) => {
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

  it("every example is what its schema says", () => {
    const wires = [AdminWire, ApiErrors, ExtractionWire, ProbeWire, ResultWire, SubmitWire];
    const schemas = wires.flatMap((wire) => Object.values(wire)).filter(Schema.isSchema) as Array<
      Schema.Codec<unknown>
    >;
    const exampled = schemas.flatMap((schema) => {
      const codec = Schema.toEncoded(schema);
      const examples = (codec.ast.annotations?.["examples"] ?? []) as ReadonlyArray<unknown>;
      return examples.map((example) => [codec, example] as const);
    });
    assert.isAbove(exampled.length, 20);
    for (const [schema, example] of exampled) {
      Schema.decodeUnknownSync(schema as Schema.Codec<unknown>, { onExcessProperty: "error" })(example);
    }
  });

  it("rate-limit headers are promised wherever a key was accepted, and not on 401", () => {
    const headersOf = (status: string) =>
      document.paths["/v1/extractions"]?.["get"]?.responses[status]?.headers;
    assert.property(headersOf("200"), "X-RateLimit-Limit");
    assert.property(headersOf("429"), "Retry-After");
    assert.notProperty(headersOf("401"), "X-RateLimit-Limit");
  });
});
