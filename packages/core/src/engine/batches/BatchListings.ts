/** Listings of a batch: each gives way to items for what its channel or playlist lists now. */
import * as Effect from "effect/Effect";
import type { Failed } from "../../domain/source/Failed.ts";
import { type ItemError } from "../../domain/run/Batch.ts";
import { isListing, readListing, urlOfItem, withinItemsMax } from "../../domain/run/BatchBody.ts";
import {
  errorOf,
  type ContentUnavailable,
  Unreachable,
  UnsupportedUrl
} from "../../domain/request/Refusal.ts";
import { CurrentRun, runFor } from "../../ports/CurrentRun.ts";
import { Downloader } from "../../ports/Downloader.ts";
import { notPublic, unseen } from "../extractions/SourceInspection.ts";

/** Listings of one request that are read at the same time. */
export const LISTINGS_AT_ONCE = 4;

/** Maximum wait for a listing, its turn included. */
export const LISTING_TIMEOUT_MS = 120_000;

/** The body of a submit, not validated, or why there is none. */
export type ListedItem = { readonly body: unknown } | { readonly url: string; readonly error: ItemError };

const unsupported = (reason: string, message: string): UnsupportedUrl =>
  new UnsupportedUrl({ message, details: { param: "listingUrl", reason } });

const refusalOf = (failure: Failed): UnsupportedUrl | ContentUnavailable | Unreachable => {
  switch (failure.reason) {
    case "host_not_public":
      return notPublic("listingUrl");
    case "not_extractable":
      return unsupported(
        "not_a_listing",
        `${failure.message} Submit a single video, post or article as \`url\`.`
      );
    default:
      return unseen(failure);
  }
};

const tooSlow = new Unreachable({
  message: "The listing could not be read in time: try again, or with a smaller `first`.",
  details: { reason: "timeout" }
});

const NOTHING_LISTED = unsupported(
  "empty_listing",
  "`listingUrl` lists nothing that could be submitted: check it in a browser."
);

const itemsOf = Effect.fn("BatchListings.itemsOf")(function* (
  accountId: string,
  item: Parameters<typeof readListing>[0]
) {
  const { url, first, fields } = yield* Effect.fromResult(readListing(item));
  const downloader = yield* Downloader;
  const urls = yield* downloader
    .list({ url, first })
    .pipe(
      Effect.mapError(refusalOf),
      Effect.timeoutOrElse({ duration: LISTING_TIMEOUT_MS, orElse: () => Effect.fail(tooSlow) }),
      Effect.provideService(CurrentRun, runFor(accountId))
    );
  if (urls.length === 0) return yield* NOTHING_LISTED;
  return urls.slice(0, first).map((each): ListedItem => ({ body: { ...fields, url: each } }));
});

/**
 * The items of a batch in order, with those of its listings. A listing that cannot be read, or is none, is one refused
 * item.
 *
 * @fails InvalidRequest they are more than a batch may have
 */
export const expandListings = Effect.fn("BatchListings.expand")(function* (
  accountId: string,
  items: ReadonlyArray<unknown>
) {
  const expanded = yield* Effect.forEach(
    items,
    (item) =>
      isListing(item)
        ? itemsOf(accountId, item).pipe(
            Effect.catch((refusal) =>
              Effect.succeed<ReadonlyArray<ListedItem>>([{ url: urlOfItem(item), error: errorOf(refusal) }])
            )
          )
        : Effect.succeed<ReadonlyArray<ListedItem>>([{ body: item }]),
    { concurrency: LISTINGS_AT_ONCE }
  );
  const all = expanded.flat();
  yield* Effect.fromResult(withinItemsMax(all.length));
  return all;
});
