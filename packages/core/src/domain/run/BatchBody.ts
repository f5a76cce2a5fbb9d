/**
 * The body of a batch: its items as bodies of single submits, or as listings, which items of the same fields replace.
 * Everything about a single item is read by SubmitBody. Tests: Batches.test.ts.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { URL_CHARS_MAX } from "../url/UrlLength.ts";
import { isJsonObject } from "../text/Json.ts";
import { NAME_RULE, NameText } from "../text/NameText.ts";
import { refuse } from "../request/BodyFields.ts";
import type { InvalidRequest } from "../request/Refusal.ts";
import { parseListingUrl } from "../url/SourceUrl.ts";
import { BATCH_ITEMS_MAX, BATCH_STORED_BYTES_MAX, LISTED_ITEMS_MAX, LISTINGS_MAX } from "./Batch.ts";
import type { BodyRefused } from "./SubmitBody.ts";

export interface BatchBody {
  /** Bodies of submits and listings, not validated. */
  readonly items: ReadonlyArray<unknown>;
  /** Maximum debit of the whole batch; absent for no limit. */
  readonly maxCredits?: number;
  /** Absent: derived. */
  readonly name?: string;
}

/** Largest body of an item, as of a single submit. */
const ITEM_BYTES_MAX = 262_144;

const withinItemBytes = (fields: object): Result.Result<void, InvalidRequest> => {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(fields)).length;
  return sizeBytes <= ITEM_BYTES_MAX
    ? Result.succeed(undefined)
    : refuse(
        "body",
        `The fields of an item have ${sizeBytes} bytes, and may have ${ITEM_BYTES_MAX}: shorten \`prompt\`, or save ` +
          "the schema and send its `schemaId`.",
        { reason: "too_large", maxBytes: ITEM_BYTES_MAX }
      );
};

const readMaxCredits = (value: unknown): Result.Result<Pick<BatchBody, "maxCredits">, InvalidRequest> => {
  if (value === undefined) return Result.succeed({});
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? Result.succeed({ maxCredits: value })
    : refuse("maxCredits", "`maxCredits` must be a whole number of credits, 0 or more.");
};

const isName = Schema.is(NameText);

const readName = (value: unknown): Result.Result<Pick<BatchBody, "name">, InvalidRequest> => {
  if (value === undefined) return Result.succeed({});
  return isName(value) ? Result.succeed({ name: value }) : refuse("name", `\`name\` ${NAME_RULE}.`);
};

/** `items`, or the same fields for each of `urls`. */
const readItems = ({
  items,
  urls,
  ...common
}: Readonly<Record<string, unknown>>): Result.Result<ReadonlyArray<unknown>, InvalidRequest> => {
  if (Array.isArray(items) && urls !== undefined) {
    return refuse("urls", "`items` and `urls` are mutually exclusive.", { reason: "excluded_by_items" });
  }
  if (Array.isArray(urls)) {
    if (common.url !== undefined) {
      return refuse("url", "`url` and `urls` are mutually exclusive.", { reason: "excluded_by_urls" });
    }
    return Result.map(withinItemBytes(common), () => urls.map((url) => ({ ...common, url })));
  }
  if (!Array.isArray(items)) {
    return refuse("items", "`items` must be a list of submit bodies, or `urls` a list of URLs.");
  }
  const [unknown] = Object.keys(common);
  return unknown === undefined
    ? Result.succeed(items)
    : refuse(unknown, `\`${unknown}\` is not a field of a batch: put it into each item, or use \`urls\`.`, {
        reason: "unknown_field"
      });
};

/** @fails InvalidRequest {reason: "too_many"} more than a batch may have, also once listings are replaced */
export const withinItemsMax = (count: number, param = "items"): Result.Result<void, InvalidRequest> =>
  count <= BATCH_ITEMS_MAX
    ? Result.succeed(undefined)
    : refuse(param, `\`${param}\` has ${count} entries, and a batch at most ${BATCH_ITEMS_MAX}: split it.`, {
        reason: "too_many",
        itemsMax: BATCH_ITEMS_MAX
      });

/** @fails InvalidRequest {reason: "too_large"} more than {@link BATCH_STORED_BYTES_MAX} */
export const withinStoredBytes = (sizeBytes: number): Result.Result<void, InvalidRequest> =>
  sizeBytes <= BATCH_STORED_BYTES_MAX
    ? Result.succeed(undefined)
    : refuse(
        "items",
        `The items have ${sizeBytes} bytes together, with the schemas of each \`schemaId\`, and a batch may have ` +
          `${BATCH_STORED_BYTES_MAX}: split it.`,
        { reason: "too_large", maxBytes: BATCH_STORED_BYTES_MAX }
      );

/** A channel or playlist. */
export interface Listing {
  readonly url: string;
  /** Maximum items. */
  readonly first: number;
  /** The other fields of each of its items. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type ListingBody = Readonly<Record<string, unknown>>;

export const isListing = (item: unknown): item is ListingBody =>
  isJsonObject(item) && item.listingUrl !== undefined;

export const readListing = ({
  listingUrl,
  first,
  ...fields
}: ListingBody): Result.Result<Listing, BodyRefused> =>
  Result.gen(function* () {
    const excluded = ["url", "fromExtraction"].find((name) => fields[name] !== undefined);
    if (excluded !== undefined) {
      return yield* refuse(excluded, `\`${excluded}\` and \`listingUrl\` are mutually exclusive.`, {
        reason: "excluded_by_listing"
      });
    }
    if (typeof listingUrl !== "string") {
      return yield* refuse("listingUrl", "`listingUrl` must be the URL of a channel or playlist.");
    }
    if (typeof first !== "number" || !Number.isInteger(first) || first < 1 || first > LISTED_ITEMS_MAX) {
      return yield* refuse(
        "first",
        `\`first\` must be a whole number from 1 to ${LISTED_ITEMS_MAX}: how many items of \`listingUrl\`.`
      );
    }
    yield* withinItemBytes(fields);
    return { url: yield* parseListingUrl(listingUrl), first, fields };
  });

/**
 * @fails InvalidRequest {param: "items" | "urls" | "maxCredits" | "name"} no list, an empty one, more than 1,000 items or 50
 * listings
 */
export const readBatchBody = (body: unknown): Result.Result<BatchBody, InvalidRequest> =>
  Result.gen(function* () {
    if (!isJsonObject(body)) return yield* refuse("body", "The body must be a JSON object.");
    const { maxCredits, name, ...rest } = body;
    const limit = yield* readMaxCredits(maxCredits);
    const named = yield* readName(name);
    const items = yield* readItems(rest);
    const param = rest.urls === undefined ? "items" : "urls";
    if (items.length === 0)
      return yield* refuse(param, `\`${param}\` must not be empty.`, { reason: "empty" });
    yield* withinItemsMax(items.length, param);
    const listings = items.filter(isListing).length;
    if (listings > LISTINGS_MAX) {
      return yield* refuse(
        param,
        `\`${param}\` has ${listings} listings, and a batch at most ${LISTINGS_MAX}: split it.`,
        { reason: "too_many", listingsMax: LISTINGS_MAX }
      );
    }
    return { items, ...limit, ...named };
  });

/** The URL of an item for its line, as far as it has one. */
export const urlOfItem = (item: unknown): string => {
  const url = isJsonObject(item) ? (item.url ?? item.listingUrl) : null;
  return typeof url === "string" ? url.slice(0, URL_CHARS_MAX) : "";
};
