/**
 * Items that a page describes in schema.org vocabulary. Values are never guessed: a field is absent if it was not
 * given or could not be parsed unambiguously. Tests: StructuredText.test.ts.
 */
import * as Schema from "effect/Schema";
import type { InputText, TextSegment } from "../text/InputText.ts";
import { pointerBelow } from "../text/Json.ts";

/** The parts of a date that the source states. */
const DatePrecision = Schema.Literals(["year", "month", "day", "minute", "second"]);

/** An ISO 8601 date with the precision of the source; a time has a zone only if the source states one. */
export const WrittenDate = Schema.Struct({
  value: Schema.String,
  precision: DatePrecision
});
export type WrittenDate = typeof WrittenDate.Type;

const Text = Schema.optionalKey(Schema.String);
const Texts = Schema.optionalKey(Schema.Array(Schema.String));
const Amount = Schema.optionalKey(Schema.Finite);
const Count = Schema.optionalKey(Schema.Int);
const Flag = Schema.optionalKey(Schema.Boolean);
const When = Schema.optionalKey(WrittenDate);

const Party = Schema.Struct({ name: Schema.String, url: Text });

/** `availability` and `condition` are the last segments of schema.org addresses, such as `InStock`. */
const Offer = Schema.Struct({
  price: Amount,
  lowPrice: Amount,
  highPrice: Amount,
  currency: Text,
  availability: Text,
  condition: Text,
  offerCount: Count,
  priceValidUntil: When,
  seller: Text,
  url: Text
});

const Rating = Schema.Struct({ value: Amount, best: Amount, ratingCount: Count, reviewCount: Count });

const Place = Schema.Struct({ name: Text, address: Text, url: Text });

const described = { name: Text, description: Text, url: Text, images: Texts };

const StructuredProduct = Schema.Struct({
  ...described,
  sku: Text,
  gtin: Text,
  mpn: Text,
  brand: Text,
  category: Text,
  color: Text,
  material: Text,
  offers: Schema.optionalKey(Schema.Array(Offer)),
  rating: Schema.optionalKey(Rating)
});

/** One entry of `instructions` per step; `nutrition` as written, such as `{"calories": "270 calories"}`. */
const StructuredRecipe = Schema.Struct({
  ...described,
  authors: Schema.optionalKey(Schema.Array(Party)),
  publishedAt: When,
  yield: Text,
  prepSeconds: Amount,
  cookSeconds: Amount,
  totalSeconds: Amount,
  ingredients: Texts,
  instructions: Texts,
  categories: Texts,
  cuisines: Texts,
  keywords: Texts,
  nutrition: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  rating: Schema.optionalKey(Rating)
});

const StructuredEvent = Schema.Struct({
  ...described,
  startsAt: When,
  endsAt: When,
  doorsAt: When,
  status: Text,
  attendanceMode: Text,
  locations: Schema.optionalKey(Schema.Array(Place)),
  organizers: Schema.optionalKey(Schema.Array(Party)),
  performers: Schema.optionalKey(Schema.Array(Party)),
  offers: Schema.optionalKey(Schema.Array(Offer))
});

const Salary = Schema.Struct({ currency: Text, value: Amount, min: Amount, max: Amount, unit: Text });

const StructuredJobPosting = Schema.Struct({
  title: Text,
  description: Text,
  url: Text,
  identifier: Text,
  publishedAt: When,
  validUntil: When,
  employmentTypes: Texts,
  organization: Schema.optionalKey(Party),
  locations: Schema.optionalKey(Schema.Array(Place)),
  isRemote: Flag,
  applicantLocations: Texts,
  salary: Schema.optionalKey(Salary)
});

const StructuredVideo = Schema.Struct({
  ...described,
  publishedAt: When,
  durationSeconds: Amount,
  contentUrl: Text,
  embedUrl: Text
});

const StructuredArticle = Schema.Struct({
  headline: Text,
  description: Text,
  url: Text,
  images: Texts,
  authors: Schema.optionalKey(Schema.Array(Party)),
  publisher: Schema.optionalKey(Party),
  publishedAt: When,
  modifiedAt: When,
  sections: Texts,
  keywords: Texts,
  wordCount: Count,
  isFree: Flag
});

/** The syntax on the page: a JSON-LD script, or attributes of elements. */
const Origin = Schema.Literals(["json-ld", "microdata"]);

const thing = <const Type extends string, Values extends Schema.Top>(type: Type, values: Values) =>
  Schema.Struct({ type: Schema.Literal(type), origin: Origin, values });

/** One item; subtypes are mapped to their type: a `NewsArticle` is an `Article`. */
export const StructuredThing = Schema.Union([
  thing("Product", StructuredProduct),
  thing("Recipe", StructuredRecipe),
  thing("Event", StructuredEvent),
  thing("JobPosting", StructuredJobPosting),
  thing("VideoObject", StructuredVideo),
  thing("Article", StructuredArticle)
]).annotate({ identifier: "StructuredThing" });
export type StructuredThing = typeof StructuredThing.Type;

// As text that the model reads and quotes: one segment for each value, with its place
// in `metadata.json`.

/** Maximum characters of all values: a recipe has some thousand, and a page may state dozens of things. */
export const STRUCTURED_CHARS_MAX = 40_000;

/** Maximum values; each has a mark of its own in the model's input. */
export const STRUCTURED_VALUES_MAX = 1_000;

/** What is about the data rather than in it: its syntax, the precision of a date. */
const LEFT_OUT: ReadonlySet<string> = new Set(["origin", "precision"]);

/** Files of pictures and players: the first is enough. */
const FIRST_ONLY: ReadonlySet<string> = new Set(["images"]);

interface ValueAt {
  readonly pointer: string;
  readonly value: unknown;
}

function* valuesIn({
  pointer,
  value
}: ValueAt): Generator<{ readonly pointer: string; readonly text: string }> {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    const text = String(value).trim();
    if (text !== "") yield { pointer, text };
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (LEFT_OUT.has(name)) continue;
    const only = FIRST_ONLY.has(name) && Array.isArray(inner) ? inner.slice(0, 1) : inner;
    yield* valuesIn({ pointer: pointerBelow(pointer, name), value: only });
  }
}

/** Null if there are none. Values beyond the limits are left out, the one at the limit is cut. */
export const structuredText = (things: ReadonlyArray<StructuredThing>): InputText | null => {
  const segments: Array<TextSegment> = [];
  let room = STRUCTURED_CHARS_MAX;
  for (const { pointer, text } of valuesIn({ pointer: "/structured", value: things })) {
    if (room <= 0 || segments.length === STRUCTURED_VALUES_MAX) break;
    const kept = text.length <= room ? text : text.slice(0, room).toWellFormed();
    segments.push({ text: kept, startSeconds: null, endSeconds: null, author: null, pointer });
    room -= text.length;
  }
  return segments.length === 0 ? null : { source: "structured", segments };
};
