/**
 * The OpenAPI 3.1 document: the contract, plus what the generator cannot know (headers of every response,
 * ranges, the limits of query parameters).
 */
import * as OpenApi from "effect/http-api/OpenApi";
import type * as HttpApi from "effect/http-api/HttpApi";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../pages.ts";
import { tidySchemas, type JsonObject } from "./tidySchemas.ts";

/** The parts of a document that this file changes. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  schema: JsonObject;
  readonly required: boolean;
}
interface Response {
  readonly $ref?: string;
  description: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
  headers?: JsonObject;
}
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly security: ReadonlyArray<JsonObject>;
  parameters: Array<Parameter>;
  readonly requestBody?: { required: boolean; readonly content: NonNullable<Response["content"]> };
  responses: Record<string, Response>;
}
/** The component schema of an error envelope. */
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
  readonly components: {
    readonly schemas: Record<string, JsonObject>;
    headers?: JsonObject;
    responses?: JsonObject;
  };
}

const integer = (description: string): JsonObject => ({
  description,
  schema: { type: "integer", minimum: 0 },
  required: true
});
const text = (description: string, example: string, schema: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: "string", ...schema },
  required: true,
  example
});

/** Headers of `components`, by their names on the wire. */
const HEADERS = {
  "X-Request-Id": text("Id of the request: the one you sent, or a new one.", "req_42"),
  "WWW-Authenticate": text("How to send a key (RFC 6750); `x-api-key` works too.", "Bearer", {
    const: "Bearer"
  }),
  "X-RateLimit-Limit": integer("Requests allowed per window of one minute."),
  "X-RateLimit-Remaining": integer("Requests left in this window."),
  "X-RateLimit-Reset": integer("Unix time in seconds when the window ends."),
  RateLimit: text(
    "What remains: `r` requests, for the next `t` seconds (draft-ietf-httpapi-ratelimit-headers).",
    '"submit";r=5;t=30',
    { pattern: '^"[^"]+";r=\\d+;t=\\d+$' }
  ),
  "RateLimit-Policy": text("The limit: `q` requests per `w` seconds.", '"submit";q=6;w=60', {
    pattern: '^"[^"]+";q=\\d+;w=60$'
  }),
  "Retry-After": integer("Seconds to wait."),
  "Idempotent-Replayed": text("An earlier request with this key created the extraction.", "true", {
    const: "true"
  }),
  ETag: text("A strong validator; a file never changes.", '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'),
  "Accept-Ranges": text("Byte ranges are supported.", "bytes", { const: "bytes" }),
  "Cache-Control": text(
    "Files: cached by the client only, and revalidated each time. Event streams: neither cached nor " +
      "transformed.",
    "private, no-cache"
  ),
  "X-Accel-Buffering": text("Tells a proxy not to buffer the events.", "no", {
    const: "no"
  }),
  "Content-Range": text("The byte range sent and the total size.", "bytes 0-99/1048576"),
  "Content-Disposition": text(
    "`attachment` for types that a browser might execute.",
    'inline; filename="video.mp4"'
  ),
  "Content-Security-Policy": {
    ...text("Sandboxes artifacts of types that a browser might execute.", "default-src 'none'; sandbox"),
    required: false
  },
  "X-Content-Type-Options": text("Prevents MIME sniffing.", "nosniff", { const: "nosniff" })
};
type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy"
] as const;
const FILE = [
  "ETag",
  "Accept-Ranges",
  "Cache-Control",
  "X-Content-Type-Options",
  "Content-Disposition",
  "Content-Security-Policy"
] as const;

const headers = (...names: ReadonlyArray<HeaderName>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The operation at a path of the contract; if it is missing, this file has a bug. */
const operationAt = ({ paths }: OpenApiDocument, path: string, method: string): Operation => {
  const operation = paths[path]?.[method];
  if (operation === undefined) throw new Error(`the contract has no ${method} ${path}`);
  return operation;
};

const WILDCARD = "/v1/extractions/{id}/files/*";
const NAMED = "/v1/extractions/{id}/files/{name}";

/** Responses of the file endpoint that the handler builds itself: see http/fileResponse. */
const describeFile = (document: OpenApiDocument): void => {
  const operation = operationAt(document, WILDCARD, "get");
  delete document.paths[WILDCARD];
  const schema = { type: "string", description: "Exactly as listed in `summary.files`." };
  operation.parameters.splice(1, 0, { name: "name", in: "path", schema, required: true });
  const content = { "*/*": { schema: { type: "string", format: "binary" } } };
  const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  operation.responses = {
    "200": { description: "The whole file.", content, headers: headers(...FILE) },
    "206": { description: "The requested range.", content, headers: headers(...FILE, "Content-Range") },
    "304": { description: "The file matches `If-None-Match`.", headers: headers(...FILE) },
    ...Object.fromEntries(
      refusals.map(([status, response]) => [
        status,
        status === "416" ? { ...response, headers: headers("Content-Range", "Accept-Ranges") } : response
      ])
    )
  };
  document.paths[NAMED] = { get: operation };
};

/** See http/fileArchive. */
const describeArchive = ({ responses }: Operation): void => {
  Object.assign(responses["200"] ?? {}, {
    description: "The archive.",
    headers: headers("Cache-Control", "X-Content-Type-Options", "Content-Disposition")
  });
};

const describeEvents = ({ responses }: Operation): void => {
  Object.assign(responses["200"] ?? {}, {
    description: "The event stream.",
    headers: headers("Cache-Control", "X-Accel-Buffering")
  });
  Object.assign(responses["204"] ?? {}, {
    description: "Nothing follows: `Last-Event-ID` is the id of the `result`."
  });
};

const describeList = ({ parameters }: Operation): void => {
  const limit = {
    type: "integer",
    minimum: 1,
    maximum: PAGE_LIMIT_MAX,
    default: PAGE_LIMIT_DEFAULT,
    description: "Entries per page."
  };
  const cursor = { type: "string", description: "`next_cursor` of the previous page, unchanged." };
  const described: Readonly<Record<string, JsonObject>> = { limit, cursor };
  for (const parameter of parameters) parameter.schema = described[parameter.name] ?? parameter.schema;
};

const describeSubmit = ({ responses }: Operation): void => {
  Object.assign(responses["201"] ?? {}, {
    description: "The extraction was created: it is running, queued or, if its result was reused, complete."
  });
  Object.assign(responses["200"] ?? {}, {
    description: "A replay: nothing was created or charged.",
    headers: headers("Idempotent-Replayed")
  });
};

const describePage = ({ responses }: Operation): void => {
  Object.assign(responses["200"] ?? {}, {
    headers: headers("Content-Security-Policy", "X-Content-Type-Options")
  });
};

/** Browsers get HTML pages: the sign-in methods, and the reason when signing in failed (http/signInPage). */
const describeSignIn = ({ responses }: Operation): void => {
  const optional = (description: string): JsonObject => ({
    description,
    required: false,
    schema: { type: "string" }
  });
  const page = { schema: { type: "string", description: "The page, for browsers." } };
  const pageHeaders = {
    "Cache-Control": optional("Pages are not cached."),
    "Referrer-Policy": optional("Keeps the link out of the logs of other sites."),
    "Content-Security-Policy": optional("Allows only what this page needs."),
    "X-Content-Type-Options": optional("Prevents MIME sniffing."),
    "Set-Cookie": optional("Removes the cookie of the sign-in attempt.")
  };
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) < 400) continue;
    Object.assign(response, { content: { ...response.content, "text/html": page }, headers: pageHeaders });
  }
};

const SIGN_IN_OPERATIONS = [
  ["/sign-in", "get"],
  ["/sign-in", "post"],
  ["/sign-in/choice", "get"],
  ["/sign-in/choice", "post"],
  ["/sign-in/{method}", "get"],
  ["/sign-in/{method}/callback", "get"]
] as const;

/** A page of the sign-in that is not an error. */
const signInPage = (description: string) => ({
  description,
  content: { "text/html": { schema: { type: "string" } } },
  headers: {
    ...headers("Cache-Control", "Content-Security-Policy", "X-Content-Type-Options"),
    "Referrer-Policy": {
      description: "Keeps the link out of the logs of other sites.",
      schema: { type: "string" }
    }
  }
});

/** If no field is required, the body is optional. */
const describeBody = ({ requestBody }: Operation, schemas: Record<string, JsonObject>): void => {
  const name = String(requestBody?.content["application/json"]?.schema["$ref"]).split("/").at(-1) ?? "";
  if (requestBody !== undefined) requestBody.required = schemas[name]?.["required"] !== undefined;
};

/** The descriptions of the error classes of a status. */
const errorText = (response: Response, schemas: Record<string, JsonObject>): string => {
  const schema = response.content?.["application/json"]?.schema ?? {};
  const references = (schema["anyOf"] ?? [schema]) as ReadonlyArray<{ readonly $ref: string }>;
  return references
    .map(({ $ref }) => schemas[$ref.slice($ref.lastIndexOf("/") + 1)] as unknown as ErrorSchema)
    .map(({ description, properties }) => `\`${properties.error.properties.code.enum[0]}\`: ${description}`)
    .join(" ");
};

const describeAnswers = (operation: Operation, schemas: Record<string, JsonObject>): void => {
  const isLimited = "429" in operation.responses;
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = {
      ...response.headers,
      ...headers("X-Request-Id"),
      ...(isLimited && status !== "401" ? headers(...RATE_LIMIT) : {}),
      ...(status === "401" ? headers("WWW-Authenticate") : {}),
      ...(status === "429" || (status === "503" && isLimited) ? headers("Retry-After") : {})
    };
    if (Number(status) >= 400) response.description = errorText(response, schemas);
  }
};

const envelope = (schema: string, description: string, ...others: ReadonlyArray<HeaderName>): JsonObject => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  headers: headers("X-Request-Id", ...others)
});

/** Responses that every operation can return, from outside its handler. */
const ALWAYS = {
  "408": [
    "TooSlow",
    envelope("InvalidRequestError", "`invalid_request`: The request was not received in time.")
  ],
  "431": ["HeadersTooLong", envelope("InvalidRequestError", "`invalid_request`: The headers are too long.")],
  "500": ["Failed", envelope("InternalError", "`internal_error`: Internal server error.")],
  "503": [
    "NotNow",
    envelope(
      "InternalError",
      "`internal_error`: The server is stopping, overloaded (`details.reason` is `busy`), or has lost its " +
        "database (`database_away`) or artifact store (`artifacts_away`). Retry after `Retry-After` seconds.",
      "Retry-After"
    )
  ]
} as const;

const describeAlways = ({ responses }: Operation): void => {
  for (const [status, [name]] of Object.entries(ALWAYS)) {
    responses[status] ??= { $ref: `#/components/responses/${name}` } as unknown as Response;
  }
};

export const documentOf = <Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<string, Groups>
): OpenApiDocument => {
  const document = tidySchemas(OpenApi.fromApi(api)) as unknown as OpenApiDocument;
  document.components.headers = HEADERS;
  document.components.responses = Object.fromEntries(Object.values(ALWAYS));
  describeFile(document);
  describeEvents(operationAt(document, "/v1/extractions/{id}/events", "get"));
  describeArchive(operationAt(document, "/v1/extractions/{id}/files.zip", "get"));
  describePage(operationAt(document, "/docs", "get"));
  for (const [path, method] of SIGN_IN_OPERATIONS) describeSignIn(operationAt(document, path, method));
  operationAt(document, "/sign-in", "get").responses["200"] = signInPage(
    "Without a token, for browsers: a page with all sign-in methods. With one, in a browser that is signed in to " +
      "another account: a page that asks whether to replace that session."
  );
  const choice = operationAt(document, "/sign-in/choice", "get");
  choice.responses["200"] = signInPage("The page.");
  delete choice.responses["204"];
  describeSubmit(operationAt(document, "/v1/extractions", "post"));
  describeSubmit(operationAt(document, "/v1/extract", "post"));
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      describeList(operation);
      describeBody(operation, document.components.schemas);
      describeAnswers(operation, document.components.schemas);
      describeAlways(operation);
    }
  }
  return document;
};
