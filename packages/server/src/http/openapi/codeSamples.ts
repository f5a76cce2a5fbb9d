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

/** A path parameter by the step before it. */
const PATH_VALUES: Readonly<Record<string, string>> = {
  extractions: "ext_01hzx3",
  batches: "bat_01hzx3",
  schemas: "sch_01hzx3",
  "webhook-endpoints": "whe_01hzx3",
  "webhook-deliveries": "whd_01hzx3",
  "api-keys": "key_01hzx3",
  members: "mem_01hzx3",
  accounts: "acc_01hzx3",
  files: "video.mp4",
  "sign-in": "oidc",
  payments: "stripe"
};

const QUERY_VALUES: Values = { limit: 10, days: 7 };

/** The fields of the sign-in pages' forms. */
const FORM_VALUES: Values = { token: "TOKEN", choice: "continue" };

const pick = (names: ReadonlyArray<string>, values: Values): Values =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));

const parametersOf = (path: string): Values =>
  Object.fromEntries(
    [...path.matchAll(/(?<step>[\w-]+)\/\{(?<name>\w+)\}/gu)].map(({ groups }) => [
      groups?.["name"],
      PATH_VALUES[groups?.["step"] ?? ""]
    ])
  );

const bodyOf = ({ requestBody }: Operation, { schemas }: Components): SampleRequest["body"] => {
  const json = requestBody?.content["application/json"]?.schema as JsonSchema | undefined;
  if (json !== undefined) return { value: examplesOf(json, schemas)[0] ?? {}, isForm: false };
  const form = requestBody?.content["application/x-www-form-urlencoded"]?.schema as JsonSchema | undefined;
  return form === undefined ? null : { value: pick(form.required ?? [], FORM_VALUES), isForm: true };
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
  const parameters = parametersOf(path);
  const [scheme = null] = operation.security.flatMap(Object.keys);
  const name = operation["x-winnow-call"];
  return {
    server: null,
    method,
    path: path.replaceAll(/\{(\w+)\}/gu, (_, parameter: string) => String(parameters[parameter])),
    query: pick(
      operation.parameters.flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : [])),
      QUERY_VALUES
    ),
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
