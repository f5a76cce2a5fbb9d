/**
 * What contracts share: wire schemas with a description of every field (the types ensure that none is missing), pages
 * of lists, times, and the texts of endpoints and responses.
 */
import * as Schema from "effect/Schema";
import * as OpenApi from "effect/http-api/OpenApi";

type Descriptions<Fields extends Schema.Struct.Fields> = { readonly [Name in keyof Fields]: string };

interface Component<Fields extends Schema.Struct.Fields> {
  /** Name of the component in the OpenAPI document. */
  readonly identifier: string;
  readonly description: string;
  readonly fields: Descriptions<Fields>;
  readonly examples?: ReadonlyArray<unknown>;
}

/** A struct whose field descriptions end up in the OpenAPI document. */
export const described = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  { identifier, description, fields: texts, examples }: Component<Fields>
): Schema.Struct<Fields> => {
  const annotated = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      (field as Schema.Top).pipe(Schema.annotateKey({ description: texts[name] as string }))
    ])
  ) as unknown as Fields;
  return Schema.Struct(annotated).annotate({
    identifier,
    description,
    ...(examples === undefined ? {} : { examples: examples as never })
  });
};

/** Title and description of an endpoint in the OpenAPI document. */
export const titled = (summary: string, description: string) => OpenApi.annotations({ summary, description });

/** Entries per page of a list. */
export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

/** Query of a list. `limit` is a number, which OpenApiDocument says. */
export const PAGE_QUERY = {
  limit: Schema.optionalKey(Schema.String),
  cursor: Schema.optionalKey(Schema.String)
};

interface Page {
  readonly identifier: string;
  readonly description: string;
  readonly data?: string;
  readonly example: unknown;
}

/** One page of a list. */
export const pageSchema = <Item extends Schema.Top>(
  item: Item,
  { identifier, description, data = "Newest first.", example }: Page
) =>
  described(
    {
      data: Schema.Array(item),
      has_more: Schema.Boolean,
      next_cursor: Schema.NullOr(Schema.String)
    },
    {
      identifier,
      description,
      fields: {
        data,
        has_more: "Whether another page follows.",
        next_cursor: "Opaque: pass it as `cursor`. Null on the last page."
      },
      examples: [{ data: [example], has_more: false, next_cursor: null }]
    }
  );

/** RFC 3339, UTC. */
export const DateTime = Schema.String.annotate({ format: "date-time" });

/** A value of {@link DateTime}. */
export const dateTime = (unixMs: number): string => new Date(unixMs).toISOString();

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

/** The header `Idempotency-Key`. `promise`: the guarantee for repeated requests, as a sentence. */
export const idempotencyHeaders = (promise: string) => ({
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({ description: `1 to 255 printable ASCII characters. ${promise}` })
  )
});
