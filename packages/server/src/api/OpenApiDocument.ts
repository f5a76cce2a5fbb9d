/**
 * The OpenAPI 3.1 document: what the contract says, plus what every answer carries and a generator
 * cannot know (common headers, ranges, the limits of query parameters).
 */
import * as OpenApi from "effect/http-api/OpenApi";
import { Api } from "./Api.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "./ExtractionsApi.ts";
import { tidySchemas, type JsonObject } from "./tidySchemas.ts";

/** The parts of a document that are changed here. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  schema: JsonObject;
  readonly required: boolean;
}
interface Response {
  description: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
  headers?: JsonObject;
}
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly security: ReadonlyArray<JsonObject>;
  parameters: Array<Parameter>;
  responses: Record<string, Response>;
}
/** Of the `schemas` of an error envelope. */
interface ErrorSchema {
  readonly description: string;
  readonly properties: {
    readonly error: { readonly properties: { readonly code: { readonly enum: ReadonlyArray<string> } } };
  };
}
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonObject>; headers?: JsonObject };
}

const integer = (description: string): JsonObject => ({
  description,
  schema: { type: "integer", minimum: 0 },
  required: true
});
const text = (description: string): JsonObject => ({
  description,
  schema: { type: "string" },
  required: true
});

/** Headers of `components`, by the name they have on the wire. */
const HEADERS = {
  "X-Request-Id": text("Id of the request: the one sent, or a new one."),
  "X-RateLimit-Limit": integer("Requests allowed in a window of one minute."),
  "X-RateLimit-Remaining": integer("Requests left in this window."),
  "X-RateLimit-Reset": integer("Unix seconds at which the window ends."),
  "Retry-After": integer("Seconds to wait."),
  "Idempotent-Replayed": text("`true`: the extraction was made by an earlier request with this key."),
  ETag: text("Strong; a file never changes."),
  "Accept-Ranges": text("Always `bytes`."),
  "Content-Range": text("Which bytes, of how many."),
  "Content-Disposition": text("`attachment` for types that a browser might run."),
  "X-Content-Type-Options": text("Always `nosniff`.")
};
type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;
const FILE = ["ETag", "Accept-Ranges", "X-Content-Type-Options", "Content-Disposition"] as const;

const headers = (...names: ReadonlyArray<HeaderName>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The operation of a path of the contract; a missing one is a bug of this file. */
const operationAt = ({ paths }: OpenApiDocument, path: string, method: string): Operation => {
  const operation = paths[path]?.[method];
  if (operation === undefined) throw new Error(`the contract has no ${method} ${path}`);
  return operation;
};

const WILDCARD = "/v1/extractions/{id}/files/*";
const NAMED = "/v1/extractions/{id}/files/{name}";

/** Answers of the file endpoint that are made by hand: see http/fileResponse. */
const describeFile = (document: OpenApiDocument): void => {
  const operation = operationAt(document, WILDCARD, "get");
  delete document.paths[WILDCARD];
  const schema = { type: "string", description: "Exactly as listed in `summary.files`." };
  operation.parameters.splice(1, 0, { name: "name", in: "path", schema, required: true });
  const content = { "*/*": { schema: { type: "string", format: "binary" } } };
  const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  operation.responses = {
    "200": { description: "The whole file.", content, headers: headers(...FILE) },
    "206": { description: "The range asked for.", content, headers: headers(...FILE, "Content-Range") },
    "304": { description: "The file is the one of `If-None-Match`.", headers: headers(...FILE) },
    ...Object.fromEntries(
      refusals.map(([status, response]) => [
        status,
        status === "416" ? { ...response, headers: headers("Content-Range") } : response
      ])
    )
  };
  document.paths[NAMED] = { get: operation };
};

const describeList = ({ parameters }: Operation): void => {
  const limit = {
    type: "integer",
    minimum: 1,
    maximum: PAGE_LIMIT_MAX,
    default: PAGE_LIMIT_DEFAULT,
    description: "Extractions a page."
  };
  const cursor = { type: "string", description: "`next_cursor` of the page before, as it is." };
  for (const parameter of parameters) parameter.schema = parameter.name === "limit" ? limit : cursor;
};

const describeSubmit = ({ responses }: Operation): void => {
  Object.assign(responses["201"] ?? {}, {
    description: "The extraction was made; it is started, queued or served at once."
  });
  Object.assign(responses["200"] ?? {}, {
    description: "A replay: nothing new was made or charged.",
    headers: headers("Idempotent-Replayed")
  });
};

/** What the error classes of a status say of themselves. */
const errorText = (response: Response, schemas: Record<string, JsonObject>): string => {
  const schema = response.content?.["application/json"]?.schema ?? {};
  const references = (schema["anyOf"] ?? [schema]) as ReadonlyArray<{ readonly $ref: string }>;
  return references
    .map(({ $ref }) => schemas[$ref.slice($ref.lastIndexOf("/") + 1)] as unknown as ErrorSchema)
    .map(({ description, properties }) => `\`${properties.error.properties.code.enum[0]}\`: ${description}`)
    .join(" ");
};

const describeAnswers = (operation: Operation, schemas: Record<string, JsonObject>): void => {
  const isLimited = operation.security.some((requirement) => "apiKey" in requirement);
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = {
      ...response.headers,
      ...headers("X-Request-Id"),
      ...(isLimited && status !== "401" ? headers(...RATE_LIMIT) : {}),
      ...(status === "429" ? headers("Retry-After") : {})
    };
    if (Number(status) >= 400) response.description = errorText(response, schemas);
  }
};

/** Deterministic: the same contract gives the same bytes. */
export const openApiDocument = (): OpenApiDocument => {
  const document = tidySchemas(OpenApi.fromApi(Api)) as unknown as OpenApiDocument;
  document.components.headers = HEADERS;
  describeFile(document);
  describeList(operationAt(document, "/v1/extractions", "get"));
  describeSubmit(operationAt(document, "/v1/extractions", "post"));
  describeSubmit(operationAt(document, "/v1/extract", "post"));
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) describeAnswers(operation, document.components.schemas);
  }
  return document;
};
