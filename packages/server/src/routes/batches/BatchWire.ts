/** What is sent to create or quote a batch. Tests: batches.test.ts. */
import * as Schema from "effect/Schema";
import { BATCH_ITEMS_MAX, LISTED_ITEMS_MAX, LISTINGS_MAX } from "@winnow/core/domain/run/Batch";
import { NAME_CHARS_MAX, NameText } from "@winnow/core/domain/text/NameText";
import { SUBMIT_FIELDS } from "../extractions/SubmitWire.ts";
import { described, field } from "../../http/openapi/described.ts";

export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

const BatchItemBody = described("BatchItemBody", "A submit, or a listing with `listingUrl` and `first`.", {
  ...SUBMIT_FIELDS,
  url: field(SUBMIT_FIELDS.url, "As of a submit. Required without `fromExtraction` or `listingUrl`."),
  listingUrl: field(
    Schema.optionalKey(Schema.String.annotate({ format: "uri" })),
    "Public URL of a channel or playlist, in place of `url`. It is read by both quote and create, free of charge, " +
      `and an item with the other fields for each URL that it lists takes its place; at most ${LISTINGS_MAX} listings ` +
      `in a batch, and ${BATCH_ITEMS_MAX.toLocaleString("en")} items with theirs.`
  ),
  first: field(
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: LISTED_ITEMS_MAX }))),
    "How many items of `listingUrl`, from its first; required with it."
  )
});

const items = <Item extends Schema.Top>(item: Item) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(BATCH_ITEMS_MAX));
const NAME = `Name of the batch, at most ${NAME_CHARS_MAX} characters. Default: made of the hosts and the schema of its items.`;
const MAX_CREDITS = "A batch that costs more is refused, and nothing is debited.";

const ITEMS_EXAMPLE = {
  items: [
    { url: "https://video.example/watch/42", schemaId: "winnow.predefined.article-summary.v1" },
    { url: "https://news.example/a-story", parts: ["transcript"] },
    { listingUrl: "https://video.example/channel/7", first: 20, parts: ["transcript"] }
  ],
  maxCredits: 5_000
} as const;

const URLS_EXAMPLE = {
  urls: ["https://video.example/watch/42", "https://news.example/a-story"],
  parts: ["transcript"]
} as const;

const BatchOfItems = described("BatchOfItems", "Submits to accept together.", {
  items: field(
    items(BatchItemBody),
    "Bodies of single submits, or listings; the same one twice is refused.",
    ITEMS_EXAMPLE.items
  ),
  maxCredits: field(Schema.optionalKey(Count), MAX_CREDITS, ITEMS_EXAMPLE.maxCredits),
  name: field(Schema.optionalKey(NameText), NAME)
});

const { url: _url, fromExtraction: _fromExtraction, ...SHARED_FIELDS } = SUBMIT_FIELDS;

const BatchOfUrls = described(
  "BatchOfUrls",
  "Submits with the same fields, which are those of a single submit.",
  {
    ...SHARED_FIELDS,
    urls: field(
      items(Schema.String.annotate({ format: "uri" })),
      "The URL of each item; the same one twice is refused."
    ),
    maxCredits: field(Schema.optionalKey(Count), MAX_CREDITS),
    name: field(Schema.optionalKey(NameText), NAME)
  }
).annotate({ examples: [URLS_EXAMPLE] as never });

export const BatchBody = Schema.Union([BatchOfItems, BatchOfUrls]).annotate({
  identifier: "BatchBody",
  description: "Submits to accept together: `items` with fields of their own, or `urls` with the same ones.",
  examples: [ITEMS_EXAMPLE, URLS_EXAMPLE] as never
});
