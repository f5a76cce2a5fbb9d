/**
 * What contracts share: wire schemas with a description of every field (the types ensure that none is missing), pages
 * of lists, times, and the texts of endpoints and responses. Two tests show what a change does to the wire:
 * routes/bodies.test.ts, to the byte, and the freshness of openapi.json.
 */
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";
import * as SchemaAST from "effect/SchemaAST";
import * as OpenApi from "effect/http-api/OpenApi";

// Headers of responses that the OpenAPI document describes once.

const integer = (description: string) => ({
  description,
  schema: { type: "integer", minimum: 0 },
  required: true
});
const text = (description: string, example: string, schema: object = {}) => ({
  description,
  schema: { type: "string", ...schema },
  required: true,
  example
});

/** By their names on the wire. */
export const HEADERS = {
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
export type HeaderName = keyof typeof HEADERS;

/** On every response to a counted request, whatever its status; on a 401 there are none. */
export const RATE_LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy"
] as const;

/** References to these headers. */
export const headers = (...names: ReadonlyArray<HeaderName>): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Of a schema of what is sent: its first example; of a list, one item. */
const exampleOf = (ast: SchemaAST.AST): unknown => {
  const [own] = SchemaAST.resolveAt<ReadonlyArray<unknown>>("examples")(ast) ?? [];
  if (own !== undefined || !SchemaAST.isArrays(ast)) return own;
  const item = ast.rest[0] === undefined ? undefined : exampleOf(ast.rest[0]);
  return item === undefined ? undefined : [item];
};

const EXAMPLE = "fieldExample";

/**
 * A field with its description, a sentence: of what is sent, so on that side of a schema that encodes. Of a component,
 * which has its own, it stands beside the reference. `example` is its value in the example of its struct; by default that
 * of its own component.
 */
export const field = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]): S => {
  const annotated = (sent: Schema.Top): Schema.Top =>
    SchemaAST.resolveIdentifier(sent.ast) === undefined
      ? sent.annotate({ description })
      : sent.pipe(Schema.annotateKey({ description }));
  const found =
    schema.ast.encoding === undefined ? annotated(schema) : Schema.flip(annotated(Schema.flip(schema)));
  const shown = example ?? (example === null ? null : exampleOf(SchemaAST.toEncoded(schema.ast)));
  return (shown === undefined ? found : found.pipe(Schema.annotateKey({ [EXAMPLE]: shown }))) as unknown as S;
};

/** Fields of the domain with their descriptions; the type ensures that none is missing. */
export const domainFields = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  descriptions: { readonly [Name in keyof Fields]: string }
): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      field(schema as Schema.Top, descriptions[name] as string)
    ])
  ) as unknown as Fields;

/** Of its fields; none if a required one has none. */
const exampleOfStruct = (fields: Schema.Struct.Fields): object => {
  const shown = Object.entries(fields).map(([name, { ast }]) => ({
    name,
    value: ast.context?.annotations?.[EXAMPLE],
    isOptional: SchemaAST.isOptional(SchemaAST.toEncoded(ast))
  }));
  const isWhole = shown.every(({ isOptional, value }) => isOptional || value !== undefined);
  const given = shown.filter(({ value }) => value !== undefined);
  return isWhole && given.length > 0
    ? { examples: [Object.fromEntries(given.map(({ name, value }) => [name, value]))] }
    : {};
};

/** A struct that is the component `identifier` of the OpenAPI document; each of its fields is a {@link field}. */
export const described = <const Fields extends Schema.Struct.Fields>(
  identifier: string,
  description: string,
  fields: Fields
): Schema.Struct<Fields> =>
  Schema.Struct(fields).annotate({ identifier, description, ...exampleOfStruct(fields) });

interface ClientCall {
  /** Method of `@winnow/client`: `<resource>.<method>`, of its AdminClient with `admin.` before it. */
  readonly call: string;
  /** If a repetition does the same again: clients then do not send it twice by themselves. */
  readonly retry?: false;
  /** The parameters by which its list is filtered; absent for all but those of pages. */
  readonly filters?: ReadonlyArray<string>;
}

/** Title and description of an endpoint, and how the client calls it; without, only browsers and programs do. */
export const titled = (summary: string, description: string, client?: ClientCall) =>
  OpenApi.annotations({
    summary,
    description,
    ...(client === undefined
      ? {}
      : {
          override: {
            "x-winnow-call": client.call,
            ...(client.retry === false ? { "x-winnow-retry": false } : {}),
            ...(client.filters === undefined ? {} : { "x-winnow-filters": client.filters })
          }
        })
  });

/** One page of a list. */
export const pageSchema = <Item extends Schema.Top>(
  identifier: string,
  description: string,
  item: Item,
  order = "Newest first."
) =>
  described(identifier, description, {
    data: field(Schema.Array(item), order),
    has_more: field(Schema.Boolean, "Whether another page follows.", false),
    next_cursor: field(
      Schema.NullOr(Schema.String),
      "Opaque: pass it as `cursor`. Null on the last page.",
      null
    )
  });

export const TextOrNull = Schema.NullOr(Schema.String);

/** RFC 3339, UTC. */
export const DateTimeText = Schema.String.annotate({ format: "date-time" });

/** A value of {@link DateTimeText}. */
export const dateTime = (unixMs: number): string => new Date(unixMs).toISOString();

/** {@link DateTimeText} of a number of milliseconds since 1970. */
export const DateTime = DateTimeText.pipe(
  Schema.decodeTo(Schema.Finite, {
    decode: SchemaGetter.transform((text) => unixMsOf(text) ?? Number.NaN),
    encode: SchemaGetter.transform(dateTime)
  })
);

/** Absent where core has null. */
export const absent = <A, I>(schema: Schema.Codec<A, I>) =>
  Schema.optionalKey(schema).pipe(
    Schema.decodeTo(Schema.NullOr(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.orElseSome(() => null)),
      encode: SchemaGetter.transformOptional(Option.filter((value) => value !== null))
    })
  );

/** Encodes a value of core as the body; `names` are those of core by those of the body, where they differ. */
export const fromCore =
  <const Names extends Readonly<Record<string, string>>>(names: Names) =>
  <const Fields extends Schema.Struct.Fields>(body: Schema.Struct<Fields>) => {
    type Body = Schema.Struct.Type<Fields>;
    type Core = { [Name in keyof Body as Name extends keyof Names ? Names[Name] : Name]: Body[Name] };
    const pairs = Object.keys(body.fields).map((name) => [name, names[name] ?? name] as const);
    // A loop, because lists are long.
    const encode = (value: object): Body => {
      const sent: Record<string, unknown> = {};
      for (const [name, core] of pairs) if (core in value) sent[name] = value[core as never];
      return sent as Body;
    };
    return body
      .pipe(
        Schema.decodeTo(Schema.ObjectKeyword as unknown as Schema.Codec<Core, object>, {
          decode: SchemaGetter.forbidden(() => "Bodies of responses are not read by the server."),
          encode: SchemaGetter.transform(encode)
        })
      )
      .annotate({ description: SchemaAST.resolveDescription(body.ast) });
  };

/** What the generator cannot know of the responses of an endpoint, by status. */
export const documentedResponses = (changes: Readonly<Record<string, object>>) =>
  OpenApi.annotations({
    transform: ({ responses, ...operation }) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(responses as Record<string, object>).map(([status, response]) => [
          status,
          { ...response, ...changes[status] }
        ])
      )
    })
  });

/** Of an endpoint that needs none of its fields: no body is one without fields. */
export const OPTIONAL_BODY = OpenApi.annotations({
  transform: ({ requestBody, ...operation }) => ({
    ...operation,
    requestBody: { ...requestBody, required: false }
  })
});
