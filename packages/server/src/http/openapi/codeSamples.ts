/** The request of each endpoint as code, from the OpenAPI document. Pure. */
import {
  codeSample,
  SAMPLE_LANGUAGES,
  type SampleAnswer,
  type SampleRequest,
  type SampleScheme
} from "@winnow/client/samples";
import type { CodeSample, Components, JsonSchema, Operation, Schemas } from "./OpenApiDocument.ts";

export interface Endpoint {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** Examples from the schema or its components. */
export const examplesOf = (schema: JsonSchema, schemas: Schemas): ReadonlyArray<unknown> => {
  if (schema.examples !== undefined) return schema.examples;
  if (schema.$ref !== undefined) return examplesOf(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap((choice) => examplesOf(choice, schemas));
};

type Values = Readonly<Record<string, unknown>>;

/** Those that have an example. */
const valuesOf = (schemas: ReadonlyArray<readonly [name: string, schema: JsonSchema]>): Values =>
  Object.fromEntries(
    schemas.flatMap(([name, { examples = [] }]) => examples.slice(0, 1).map((value) => [name, value]))
  );

const parametersIn = (place: "path" | "query", { parameters }: Operation): Values =>
  valuesOf(parameters.flatMap((each) => (each.in === place ? [[each.name, each.schema] as const] : [])));

const bodyOf = ({ requestBody }: Operation, { schemas }: Components): SampleRequest["body"] => {
  const json = requestBody?.content["application/json"]?.schema as JsonSchema | undefined;
  if (json !== undefined) return { value: examplesOf(json, schemas)[0] ?? {}, isForm: false };
  const form = requestBody?.content["application/x-www-form-urlencoded"]?.schema as JsonSchema | undefined;
  return form === undefined ? null : { value: valuesOf(Object.entries(form.properties ?? {})), isForm: true };
};

const answerOf = ({ responses }: Operation): SampleAnswer => {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") ? Object.keys(content ?? {}) : []
  );
  if (types.includes("application/json")) return "json";
  if (types.some((type) => /event-stream|ndjson/u.test(type))) return "lines";
  if (types.some((type) => type.startsWith("text/"))) return "text";
  return types.length === 0 ? "none" : "file";
};

const requestOf = ({ method, path, operation }: Endpoint, components: Components): SampleRequest => {
  const parameters = parametersIn("path", operation);
  const [scheme = null] = operation.security.flatMap(Object.keys);
  const name = operation["x-winnow-call"];
  return {
    server: null,
    method,
    path: path.replaceAll(/\{(\w+)\}/gu, (_, parameter: string) => String(parameters[parameter])),
    query: parametersIn("query", operation),
    body: bodyOf(operation, components),
    scheme: scheme as SampleScheme,
    answer: answerOf(operation),
    file: String(parameters["name"] ?? "files.zip"),
    call: name === undefined ? null : { name, parameters: Object.values(parameters) }
  };
};

const LANGUAGE_NAMES = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;

/** As readers of OpenAPI documents show them. None of an operation that only a payment service calls, which signs its body. */
export const codeSamples = (endpoint: Endpoint, components: Components): ReadonlyArray<CodeSample> => {
  if (endpoint.operation.tags.includes("payments")) return [];
  const request = requestOf(endpoint, components);
  return SAMPLE_LANGUAGES.map((language) => ({
    lang: language === "curl" ? "shell" : language,
    label: LANGUAGE_NAMES[language],
    source: codeSample(language, request)
  }));
};
