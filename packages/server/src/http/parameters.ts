/**
 * Parameters of paths, queries and headers: the schema of each reads its text, documents it, and has the sentence that
 * refuses it. An example stands in the code samples of its endpoints. Tests: queries.test.ts, OpenApiDocument.test.ts.
 */
import { NO_BATCH, SEARCH_CHARS_MAX, searchedText } from "@winnow/core/domain/result/ExtractionList";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";

/** Documented as the number that it is; the generator would take the text for its type. */
export const wholeNumber = (
  name: string,
  {
    byDefault,
    max,
    example,
    description
  }: {
    readonly byDefault: number;
    readonly max: number;
    readonly example: number;
    readonly description: string;
  }
) =>
  Schema.Any.annotate({ description, default: byDefault, examples: [example] })
    .check(
      Schema.makeFilter((text) => /^\d{1,3}$/u.test(text) && Number(text) >= 1 && Number(text) <= max, {
        message: `\`${name}\` must be a whole number from 1 to ${max}`,
        toJsonSchema: () => ({ type: "integer", minimum: 1, maximum: max })
      })
    )
    .pipe(
      Schema.decodeTo(Schema.Number, {
        decode: SchemaGetter.transform(Number),
        encode: SchemaGetter.transform(String)
      }),
      Schema.withDecodingDefaultKey(Effect.succeed(String(byDefault)))
    );

export const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }));

/** The header `Idempotency-Key`. `promise`: the guarantee for repeated requests, as a sentence. */
export const idempotencyHeaders = (promise: string) => ({
  "idempotency-key": text(`1 to 255 printable ASCII characters. ${promise}`)
});

export const oneOf = <const Name extends string>(
  name: string,
  literals: ReadonlyArray<Name>,
  description: string,
  rule = `must be one of ${literals.join(", ")}`
) => Schema.optionalKey(Schema.Literals(literals).annotate({ description, message: `\`${name}\` ${rule}` }));

/** Of a path: what is no id names nothing. */
export const pathId = (of: string, example: string) =>
  Schema.String.annotate({ description: `Id of the ${of}.`, examples: [example] });

export const EXTRACTION_ID = pathId("extraction", "ext_01hzx3");

const ID_CHARS_MAX = 200;

export const idText = (name: string, description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({ description }).check(
      Schema.makeFilter((given) => /^[\x21-\x7e]+$/u.test(given) && given.length <= ID_CHARS_MAX, {
        message: `\`${name}\` must be an id as the service gave it`
      })
    )
  );

/** Of a list of runs. */
export const BATCH_ID = idText("batchId", `Only items of this batch; \`${NO_BATCH}\`: of no batch.`);

const TIME = "must be a date and time with its offset, such as 2026-11-21T08:00:00Z";

/** RFC 3339, as text. */
export const timeText = (name: string, description: string) =>
  Schema.String.annotate({ description, format: "date-time" }).check(
    Schema.makeFilter((given) => unixMsOf(given) !== null, { message: `\`${name}\` ${TIME}` })
  );

/** RFC 3339; read as Unix milliseconds. */
export const time = (name: string, description: string) =>
  Schema.optionalKey(
    timeText(name, description).pipe(
      Schema.decodeTo(Schema.Number, {
        decode: SchemaGetter.transform((given: string) => unixMsOf(given) ?? 0),
        encode: SchemaGetter.transform((unixMs: number) => new Date(unixMs).toISOString())
      })
    )
  );

/** Read as it is compared; null for blanks. */
export const search = (name: string, description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({ description }).pipe(
      Schema.decodeTo(
        Schema.NullOr(Schema.String).check(
          Schema.makeFilter((searched) => (searched ?? "").length <= SEARCH_CHARS_MAX, {
            message: `\`${name}\` must have at most ${SEARCH_CHARS_MAX} characters`
          })
        ),
        {
          decode: SchemaGetter.transform(searchedText),
          encode: SchemaGetter.transform((searched: string | null) => searched ?? "")
        }
      )
    )
  );

/** Entries per page of a list. */
export const PAGE_LIMIT = { byDefault: 20, max: 100, example: 10, description: "Entries per page." };

/** Of a list in pages. The cursor is bound to its list and account, which the engine knows. */
export const PAGE_QUERY = {
  limit: wholeNumber("limit", PAGE_LIMIT),
  cursor: Schema.String.annotate({ description: "`next_cursor` of the previous page, unchanged." }).pipe(
    Schema.decodeTo(Schema.NullOr(Schema.String), {
      decode: SchemaGetter.transform((given: string): string | null => given),
      encode: SchemaGetter.transform((cursor: string | null) => cursor ?? "")
    }),
    Schema.withDecodingDefaultTypeKey(Effect.succeed(null))
  )
};
