/** The body of a batch: its items as bodies of single submits. Everything about a single item is read by SubmitBody. */
import * as Result from "effect/Result";
import { isJsonObject } from "../text/Json.ts";
import { refuse } from "../request/BodyFields.ts";
import type { InvalidRequest } from "../request/Refusal.ts";
import { BATCH_ITEMS_MAX } from "./Batch.ts";

export interface BatchBody {
  /** Bodies of submits, not validated. */
  readonly items: ReadonlyArray<unknown>;
  /** Maximum debit of the whole batch; absent for no limit. */
  readonly maxCredits?: number;
}

const readMaxCredits = (value: unknown): Result.Result<Pick<BatchBody, "maxCredits">, InvalidRequest> => {
  if (value === undefined) return Result.succeed({});
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? Result.succeed({ maxCredits: value })
    : refuse("maxCredits", "`maxCredits` must be a whole number of credits, 0 or more.");
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
  if (Array.isArray(urls)) return Result.succeed(urls.map((url) => ({ ...common, url })));
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

/** @fails InvalidRequest {param: "items" | "urls" | "maxCredits"} no list, an empty one, or more than 1,000 items */
export const readBatchBody = (body: unknown): Result.Result<BatchBody, InvalidRequest> =>
  Result.gen(function* () {
    if (!isJsonObject(body)) return yield* refuse("body", "The body must be a JSON object.");
    const { maxCredits, ...rest } = body;
    const limit = yield* readMaxCredits(maxCredits);
    const items = yield* readItems(rest);
    const param = rest.urls === undefined ? "items" : "urls";
    if (items.length === 0)
      return yield* refuse(param, `\`${param}\` must not be empty.`, { reason: "empty" });
    if (items.length > BATCH_ITEMS_MAX) {
      return yield* refuse(
        param,
        `\`${param}\` has ${items.length} entries, and a batch at most ${BATCH_ITEMS_MAX}: split it.`,
        { reason: "too_many", itemsMax: BATCH_ITEMS_MAX }
      );
    }
    return { items, ...limit };
  });

/** The URL of an item for its line, as far as it has one. */
export const urlOfItem = (item: unknown): string =>
  isJsonObject(item) && typeof item.url === "string" ? item.url.slice(0, 2_048) : "";
