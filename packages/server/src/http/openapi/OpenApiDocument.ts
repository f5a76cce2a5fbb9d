/**
 * The OpenAPI 3.1 document of a contract. Errors that endpoints share are described once, and so are headers of every
 * response: in the introduction and with the responses that need them.
 */
import { SESSION_TTL_MS } from "@winnow/core/domain/access/Session";
import { DEFAULT_LIMITS } from "@winnow/core/domain/money/Plan";
import { DAY_MS } from "@winnow/core/domain/Durations";
import { REFUSALS } from "@winnow/core/domain/request/Refusal";
import * as OpenApi from "effect/http-api/OpenApi";
import { described } from "../ApiErrors.ts";
import { codeSamples } from "./codeSamples.ts";
import { HEADERS, headers, RATE_LIMIT_HEADERS, type HeaderName } from "./described.ts";

// What holds for every endpoint: the description of the OpenAPI document, and the introduction of /docs.
// Markdown: paragraphs, `##` headings, `code` and nothing else.

const { submitsPerMinute, probesPerMinute, readsPerMinute, othersPerMinute } = DEFAULT_LIMITS;

export const INTRODUCTION = `Winnow turns a public URL (a video, a photo post, an article) into metadata, downloadable artifacts and, with a JSON Schema, a validated structured object. Each run is priced beforehand, debited once, and refunded to the credit.

[Guides](docs/README) · [Web app](./)

## Using it

Get the price with \`POST /v1/probe\`, submit the same body to \`POST /v1/extractions\`, poll \`GET /v1/extractions/{id}/result\` until it returns 200, and download the files it lists.

Instead of polling, you can register a webhook endpoint with \`POST /v1/webhook-endpoints\`. When an extraction ends, Winnow sends it a signed POST request with the body \`{ "event", "data" }\`.

## Authentication

Send an API key as \`x-api-key: KEY\` or as \`Authorization: Bearer KEY\`. If you send both, they must be the same key. A missing, unknown or revoked key returns 401.

In a browser, the cookie of a web session works for every endpoint of the account: \`POST /admin/v1/accounts/{id}/sign-in-links\` creates a one-time link that starts a session of ${SESSION_TTL_MS / DAY_MS} days. To prevent cross-site request forgery, a request that is authenticated by the cookie alone and is not GET or HEAD must carry \`Sec-Fetch-Site: same-origin\` or this server's own \`Origin\`, and no other value of either header; otherwise it returns 401. API keys can only be managed with a web session, never with an API key.

## Errors

Every error response is \`{ "error": { "code", "message", "details"? } }\`. Codes are stable; messages are for people and may change. An unknown path returns 404 \`not_found\`. An unsupported method on a known path returns 405 \`invalid_request\`, with the supported methods in its \`Allow\` header. Every response has an \`X-Request-Id\`: the one you sent, or a new one; and \`X-Content-Type-Options: nosniff\`.

## Rate limits

Requests are counted per account and endpoint in windows of one minute: ${submitsPerMinute} submits, ${probesPerMinute} probes and ${probesPerMinute} of their pictures, ${readsPerMinute} reads of status and result together, ${othersPerMinute} requests to each other endpoint. The headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` report the current window, and so do \`RateLimit\` and \`RateLimit-Policy\`. After a 429, wait for the number of seconds in \`Retry-After\`.

## Retrying

Send an \`Idempotency-Key\` with every submit. The same key and body never create or charge a second extraction: they return 200 with \`Idempotent-Replayed: true\`. Without a key, a retry is charged again.`;

/** As far as it is read here. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | ReadonlyArray<string>;
  readonly enum?: ReadonlyArray<unknown>;
  readonly items?: JsonSchema;
  readonly anyOf?: ReadonlyArray<JsonSchema>;
  readonly oneOf?: ReadonlyArray<JsonSchema>;
  readonly allOf?: ReadonlyArray<JsonSchema>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
  readonly examples?: ReadonlyArray<unknown>;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

type Headers = Readonly<Record<string, object>>;
interface Response extends Partial<Omit<OpenApi.OpenApiSpecResponse, "headers">> {
  readonly $ref?: string;
  readonly headers?: Headers;
}
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
export interface Operation extends Omit<OpenApi.OpenAPISpecOperation, "responses"> {
  readonly "x-winnow-call"?: string;
  readonly "x-codeSamples"?: ReadonlyArray<CodeSample>;
  readonly responses: Readonly<Record<string, Response>>;
}
export interface Components {
  readonly schemas: Schemas;
  readonly headers: Headers;
  readonly responses: Readonly<Record<string, Response>>;
}
export interface OpenApiDocument extends Omit<OpenApi.OpenAPISpec, "paths" | "components"> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
}

const REFERENCE = "#/components/schemas/";

const envelope = (description: string, schema: string, ...names: ReadonlyArray<HeaderName>): Response => ({
  description,
  content: { "application/json": { schema: { $ref: `${REFERENCE}${schema}` } } },
  headers: headers("X-Request-Id", ...names)
});

/** Responses that every operation can have, from outside its handler. */
const ALWAYS: Readonly<Record<string, readonly [name: string, response: Response]>> = {
  "408": ["TooSlow", envelope(described(REFUSALS.RequestTimeout), "InvalidRequestError")],
  "431": ["HeadersTooLong", envelope(described(REFUSALS.HeadersTooLong), "InvalidRequestError")],
  "500": ["Failed", envelope(described(REFUSALS.Internal), "InternalError")],
  "503": [
    "NotNow",
    envelope(`${described(REFUSALS.Busy)} ${REFUSALS.NotReady.when}`, "InternalError", "Retry-After")
  ]
};

/** Headers of shared errors by the name of their schema. */
const ERROR_HEADERS: Readonly<Record<string, Headers>> = {
  UnauthorizedError: headers("WWW-Authenticate"),
  RateLimitedError: headers(...RATE_LIMIT_HEADERS, "Retry-After"),
  BusyError: headers("Retry-After"),
  NotReadyError: { "Retry-After": { ...HEADERS["Retry-After"], required: false } }
};

/** The name of the only schema of an error; null for several. */
const schemaOf = ({ content = {} }: Response): string | null => {
  const reference = (content["application/json"]?.schema as JsonSchema | undefined)?.$ref;
  return reference === undefined ? null : reference.slice(REFERENCE.length);
};

/** Errors that are the same everywhere become references to components, which are added to `shared`. */
const sharing =
  (shared: Record<string, Response>) =>
  (responses: Operation["responses"]): Operation["responses"] => {
    const own = Object.entries(responses).map(([status, response]) => {
      const schema = Number(status) < 400 ? null : schemaOf(response);
      if (schema === null) return [status, response];
      const name = "text/html" in (response.content ?? {}) ? `${schema}Page` : schema;
      const sent = { ...response.headers, ...ERROR_HEADERS[schema] };
      const described = Object.keys(sent).length === 0 ? response : { ...response, headers: sent };
      if (JSON.stringify(shared[name] ?? described) !== JSON.stringify(described)) {
        throw new Error(`two different responses ${name}`);
      }
      shared[name] = described;
      return [status, { $ref: `#/components/responses/${name}` }];
    });
    const always = Object.entries(ALWAYS).map(([status, [name]]) => [
      status,
      { $ref: `#/components/responses/${name}` }
    ]);
    return Object.fromEntries([...always, ...own]) as Operation["responses"];
  };

const isDescribedReference = ({ allOf: [target, note, ...others] = [] }: JsonSchema): boolean =>
  target?.$ref !== undefined && Object.keys(note ?? {}).join() === "description" && others.length === 0;

/**
 * A reference and its description stand side by side, as OpenAPI 3.1 allows. Effect writes `allOf` of both, of which
 * public generators of clients make a second type with the same name, or none.
 */
const withPlainReferences = (generated: object): OpenApiDocument =>
  JSON.parse(JSON.stringify(generated), (_, value: JsonSchema | null) =>
    isDescribedReference(value ?? {}) ? Object.assign({}, ...(value?.allOf ?? [])) : value
  );

/**
 * The annotation of an API that adds to its document what no endpoint states: what is answered outside of all, headers,
 * and each request as code. Of what was generated it changes only described references.
 */
export const withShared = OpenApi.annotations({
  transform: (generated) => {
    const document = withPlainReferences(generated);
    const responses: Record<string, Response> = Object.fromEntries(Object.values(ALWAYS));
    const share = sharing(responses);
    const components = { ...document.components, headers: HEADERS, responses };
    const complete = (path: string, method: string, generatedOperation: Operation): Operation => {
      const operation = { ...generatedOperation, responses: share(generatedOperation.responses) };
      const samples = codeSamples({ method: method.toUpperCase(), path, operation }, components);
      return samples.length === 0 ? operation : { ...operation, "x-codeSamples": samples };
    };
    const paths = Object.entries(document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, complete(path, method, operation)])
      )
    ]);
    return { ...document, paths: Object.fromEntries(paths), components };
  }
});
