/**
 * Prints src/generated/resources.ts: a method for each operation of the server's openapi.json that names its call and
 * is plain: JSON in, JSON out, and no schema of the caller's among them. What is not plain is written by hand in
 * src/resources, upon these classes.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { comment, openUnion, type JsonSchema } from "./typeText.ts";

const SOURCE = path.resolve(import.meta.dirname, "../../server/openapi.json");

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema & { readonly format?: string };
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface Operation {
  readonly "x-winnow-call"?: string;
  readonly "x-winnow-retry"?: false;
  readonly "x-winnow-filters"?: ReadonlyArray<string>;
  readonly description: string;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const { paths, components } = JSON.parse(readFileSync(SOURCE, "utf8")) as Document;

/** The component of JSON content; null if there is none. */
const componentOf = (content: Content | undefined): string | null => {
  const name = content?.["application/json"]?.schema.$ref;
  return name === undefined ? null : name.slice(name.lastIndexOf("/") + 1);
};

const membersOf = (component: string): Readonly<Record<string, JsonSchema>> =>
  components.schemas[component]?.properties ?? {};

/** Callers give schemas of libraries in such a body, and get values of their types. */
const isTypedByCaller = (component: string): boolean =>
  component.endsWith("Body") &&
  !("properties" in (components.schemas[component] ?? {}) && !("schema" in membersOf(component)));

const queryOf = ({ parameters }: Operation): ReadonlyArray<Parameter> =>
  parameters.filter((parameter) => parameter.in === "query");

/** The type of the answer; null if it is not plain. */
const answerOf = ({ responses }: Operation): string | null => {
  const good = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .toSorted(([left], [right]) => Number(left) - Number(right));
  if (good.every(([status]) => status === "204")) return "void";
  const names = [...new Set(good.map(([, { content }]) => componentOf(content)))];
  const [first, second, ...others] = names;
  if (typeof first !== "string" || others.length > 0) return null;
  // What was there, and what was made, which has more.
  return second === undefined ? first : second === null ? null : `${first} & Partial<${second}>`;
};

const isPage = (operation: Operation): boolean => queryOf(operation).some(({ name }) => name === "cursor");

/** "extraction" of "Id of the extraction."; null for what is no id. */
const whatOf = ({ schema }: Parameter): string | null =>
  /^Id of the (.+?)(?: or .+)?\.$/u.exec(schema.description ?? "")?.[1] ?? null;

const idsOf = ({ operation }: Endpoint): ReadonlyArray<Parameter> =>
  operation.parameters.filter((parameter) => parameter.in === "path");

const isPlain = (endpoint: Endpoint): boolean => {
  const { operation } = endpoint;
  const answer = answerOf(operation);
  const body = operation.requestBody === undefined ? "" : componentOf(operation.requestBody.content);
  return (
    answer !== null &&
    body !== null &&
    ![answer, body].some(isTypedByCaller) &&
    idsOf(endpoint).every((parameter) => whatOf(parameter) !== null)
  );
};

/** "/v1/members/{member}", with the names that errors use. */
const pathText = (endpoint: Endpoint): string => {
  const ids = idsOf(endpoint);
  const template = ids.reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, `{${whatOf(parameter)}}`),
    endpoint.path
  );
  return ids.length === 0
    ? JSON.stringify(template)
    : `pathOf(${[JSON.stringify(template), ...ids.map(({ name }) => name)].join(", ")})`;
};

const filterType = ({ schema }: Parameter): string => {
  if (schema.enum !== undefined)
    return schema.enum.includes("true") ? "boolean" : openUnion(schema.enum, false);
  if (schema.format === "date-time") return "Date | string";
  return schema.type === "integer" ? "number" : "string";
};

/** `ExtractionFilter` of a list, `UsageOptions` of another call. */
const filterName = (endpoint: Endpoint): string => {
  const { operation } = endpoint;
  if (isPage(operation)) return `${String(answerOf(operation)).replace(/Page$/u, "")}Filter`;
  const name = nameOf(endpoint);
  const owner = operation["x-winnow-call"] === name ? "" : classOf(endpoint);
  return `${owner}${name.charAt(0).toUpperCase()}${name.slice(1)}Options`;
};

const filtersOf = ({ operation }: Endpoint): ReadonlyArray<Parameter> =>
  queryOf(operation).filter(
    ({ name }) =>
      name !== "limit" && name !== "cursor" && (operation["x-winnow-filters"]?.includes(name) ?? true)
  );

/** What may stand in the query, as options. */
const filterText = (endpoint: Endpoint): string => {
  const fields = filtersOf(endpoint).map(
    (parameter) =>
      `${comment(parameter.schema.description, "  ")}  readonly ${parameter.name}?: ${filterType(parameter)} | undefined;\n`
  );
  const isList = isPage(endpoint.operation);
  return `${isList ? "/** All filters must match. */\n" : ""}export interface ${filterName(endpoint)} ${isList ? "" : "extends RequestOptions "}{\n${fields.join("")}}\n\n`;
};

const nameOf = ({ operation }: Endpoint): string => operation["x-winnow-call"]?.split(".").at(-1) ?? "";

const pageText = (endpoint: Endpoint): string => {
  const page = String(answerOf(endpoint.operation));
  const filter = filtersOf(endpoint).length === 0 ? "" : ` & ${filterName(endpoint)}`;
  return `${comment(`One page. ${endpoint.operation.description}`, "  ")}  page(options: PageOptions${filter} = {}): Call<${page}> {
    return this.pageOf(${pathText(endpoint)}, options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions${filter} = {}): AsyncGenerator<${page}["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }
`;
};

const NOT_RETRIED = " Not retried if the connection drops: look first what was done.";

const LIST_TEXT = `
  /** Everything, in the same order. */
  async *list(options: RequestOptions = {}) {
    yield* (await this.page(options)).data;
  }
`;

const methodText = (endpoint: Endpoint): string => {
  const { method, operation } = endpoint;
  if (isPage(operation)) return pageText(endpoint);
  const hasQuery = filtersOf(endpoint).length > 0;
  const body = operation.requestBody;
  const isOnce = operation.parameters.some(({ name }) => name === "idempotency-key");
  const isRetried = operation["x-winnow-retry"] !== false;
  const given = [
    ...idsOf(endpoint).map(({ name }) => `${name}: string`),
    ...(body === undefined
      ? []
      : [`body: ${String(componentOf(body.content))}${body.required ? "" : " = {}"}`]),
    `options: ${isOnce ? "SubmitOptions" : hasQuery ? filterName(endpoint) : "RequestOptions"} = {}`
  ];
  const sent = [...(body === undefined ? [] : ["body"]), ...(isRetried ? [] : ["maxRetries: 0"])];
  const options = sent.length === 0 ? "options" : `{ ...options, ${sent.join(", ")} }`;
  const call = isOnce
    ? `postOnce(this.transport, ${pathText(endpoint)}, body, options)`
    : `this.${hasQuery ? "query" : "send"}(${JSON.stringify(method)}, ${pathText(endpoint)}, ${options})`;
  const note = isRetried ? "" : method === "GET" ? " Not retried." : NOT_RETRIED;
  return `${comment(operation.description + note, "  ")}  ${nameOf(endpoint)}(${given.join(", ")}): Call<${String(answerOf(operation))}> {
    return ${call};
  }
${nameOf(endpoint) === "page" ? LIST_TEXT : ""}`;
};

/** "admin.apiKeys" is the class AdminApiKeys; `Root` has what the client itself does. */
const classOf = ({ operation }: Endpoint): string =>
  (operation["x-winnow-call"] ?? "")
    .split(".")
    .slice(0, -1)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("") || "Root";

const endpoints = Object.entries(paths)
  .flatMap(([of, item]) =>
    Object.entries(item).map(([method, operation]): Endpoint => ({
      method: method.toUpperCase(),
      path: of,
      operation
    }))
  )
  .filter((endpoint) => endpoint.operation["x-winnow-call"] !== undefined && isPlain(endpoint));

const classes = [...Map.groupBy(endpoints, classOf)].map(
  ([name, methods]) => `export class ${name} extends Resource {\n${methods.map(methodText).join("\n")}}\n`
);
const filters = endpoints.filter((endpoint) => filtersOf(endpoint).length > 0).map(filterText);
const text = [...filters, classes.join("\n")].join("");
const types = Object.keys(components.schemas)
  .toSorted()
  .filter((name) => new RegExp(`\\b${name}\\b(?!Filter)`, "u").test(text.replaceAll(/\/\*\*.*?\*\//gu, "")));

console.log(`// @generated from packages/server/openapi.json by scripts/resources.ts: do not edit.

import type { RequestOptions } from "../core/request.ts";
import type { Call } from "../core/call.ts";
import { pathOf } from "../core/itemPath.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "../core/resource.ts";
import { postOnce, type SubmitOptions } from "../resources/submission.ts";
import type { ${types.join(", ")} } from "./types.ts";

${text.trimEnd()}`);
