/**
 * The OpenAPI 3.1 document: what the contract says, plus what every answer carries and a generator
 * cannot know (common headers, ranges, the limits of query parameters).
 */
import * as OpenApi from "effect/http-api/OpenApi";
import { Api } from "./Api.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "./ExtractionsApi.ts";
import { tidySchemas } from "./tidySchemas.ts";

type Json = { [key: string]: any };

const integer = (description: string): Json => ({
  description,
  schema: { type: "integer", minimum: 0 },
  required: true
});
const text = (description: string): Json => ({ description, schema: { type: "string" }, required: true });

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

const headers = (...names: ReadonlyArray<HeaderName>): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Answers of the file endpoint that are made by hand: see http/FilesHttp. */
const describeFile = (paths: Json): void => {
  const operation = paths["/v1/extractions/{id}/files/*"].get;
  delete paths["/v1/extractions/{id}/files/*"];
  operation.parameters.splice(1, 0, {
    name: "name",
    in: "path",
    schema: { type: "string", description: "Exactly as listed in `summary.files`." },
    required: true
  });
  const content = { "*/*": { schema: { type: "string", format: "binary" } } };
  operation.responses = {
    "200": { description: "The whole file.", content, headers: headers(...FILE) },
    "206": { description: "The range asked for.", content, headers: headers(...FILE, "Content-Range") },
    "304": { description: "The file is the one of `If-None-Match`.", headers: headers(...FILE) },
    ...Object.fromEntries(
      Object.entries<Json>(operation.responses).filter(([status]) => Number(status) >= 400)
    )
  };
  operation.responses["416"].headers = headers("Content-Range");
  paths["/v1/extractions/{id}/files/{name}"] = { get: operation };
};

const describeList = (operation: Json): void => {
  const limit = {
    type: "integer",
    minimum: 1,
    maximum: PAGE_LIMIT_MAX,
    default: PAGE_LIMIT_DEFAULT,
    description: "Extractions a page."
  };
  const cursor = { type: "string", description: "`next_cursor` of the page before, as it is." };
  for (const parameter of operation["parameters"]) {
    parameter.schema = parameter.name === "limit" ? limit : cursor;
  }
};

const describeSubmit = ({ responses }: Json): void => {
  responses["201"].description = "The extraction was made; it is started, queued or served at once.";
  responses["200"].description = "A replay: nothing new was made or charged.";
  responses["200"].headers = headers("Idempotent-Replayed");
};

/** What the error classes of a status say of themselves. */
const errorText = (response: Json, schemas: Json): string => {
  const schema = response["content"]["application/json"].schema;
  const references: ReadonlyArray<Json> = schema.anyOf ?? [schema];
  return references
    .map(({ $ref }) => schemas[$ref.slice($ref.lastIndexOf("/") + 1)])
    .map((error) => `\`${error.properties.error.properties.code.enum[0]}\`: ${error.description}`)
    .join(" ");
};

const describeAnswers = (operation: Json, schemas: Json): void => {
  const limited = operation["security"].some((requirement: Json) => "apiKey" in requirement);
  for (const [status, response] of Object.entries<Json>(operation["responses"])) {
    response["headers"] = {
      ...response["headers"],
      ...headers("X-Request-Id"),
      ...(limited && status !== "401" ? headers(...RATE_LIMIT) : {}),
      ...(status === "429" ? headers("Retry-After") : {})
    };
    if (Number(status) >= 400) response["description"] = errorText(response, schemas);
  }
};

const operationsOf = (paths: Json): ReadonlyArray<Json> =>
  Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item));

/** Deterministic: the same contract gives the same bytes. */
export const openApiDocument = (): Json => {
  const document = tidySchemas(structuredClone(OpenApi.fromApi(Api)) as Json);
  const paths: Json = document["paths"];
  const components: Json = document["components"];
  components["headers"] = HEADERS;
  describeFile(paths);
  describeList(paths["/v1/extractions"].get);
  describeSubmit(paths["/v1/extractions"].post);
  describeSubmit(paths["/v1/extract"].post);
  for (const operation of operationsOf(paths)) describeAnswers(operation, components["schemas"]);
  return document;
};
