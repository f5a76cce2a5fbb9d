/** Listings of batches, with a downloader that lists what the test says. */
import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import { BATCH_ITEMS_MAX } from "../../../src/domain/run/Batch.ts";
import {
  expandListings,
  LISTING_TIMEOUT_MS,
  LISTINGS_AT_ONCE
} from "../../../src/engine/batches/BatchListings.ts";
import { Downloader } from "../../../src/ports/Downloader.ts";
import { intBetween, oneOf } from "../../domain/Arbitraries.ts";

type List = Downloader["Service"]["list"];

const expanded = (items: ReadonlyArray<unknown>, list: List) =>
  expandListings("acc_lists", items).pipe(Effect.provide(Layer.mock(Downloader)({ list })));

const pagesOf = (url: string, count: number) => Array.from({ length: count }, (_, index) => `${url}${index}`);

const at = (index: number) => `https://example.com/${index}/`;

/** A single item, or a listing that has `lists` items. */
const Item = Arbitrary.all({
  isListing: oneOf([true, false]),
  lists: intBetween(1, 200),
  first: intBetween(1, 200)
});

describe("listings", () => {
  it.effect.prop(
    "give way to the first of what they list, in place, with their other fields; all of it or nothing",
    { items: Arbitrary.array(Item, { maxLength: 20 }) },
    ({ items }) =>
      Effect.gen(function* () {
        const bodies = items.map(({ isListing, first }, index) =>
          isListing ? { listingUrl: at(index), first, parts: ["audio"] } : { url: at(index) }
        );
        const law = items.flatMap(({ isListing, lists, first }, index) =>
          isListing
            ? pagesOf(at(index), Math.min(lists, first)).map((url) => ({ body: { parts: ["audio"], url } }))
            : [{ body: { url: at(index) } }]
        );
        // It ignores the limit, as a port of somebody else may.
        const list: List = ({ url }) =>
          Effect.succeed(pagesOf(url, items[Number(url.split("/").at(-2))]?.lists ?? 0));
        const seen = yield* Effect.result(expanded(bodies, list));
        if (law.length > BATCH_ITEMS_MAX) assert.strictEqual(seen._tag, "Failure");
        else assert.deepStrictEqual(seen._tag === "Success" ? seen.success : null, law);
      })
  );

  it.effect("are read a few at a time, and one that never answers is refused as too slow", () =>
    Effect.gen(function* () {
      let open = 0;
      let openMax = 0;
      const list: List = ({ url }) =>
        Effect.suspend(() => {
          open += 1;
          openMax = Math.max(openMax, open);
          return url === at(3) ? Effect.never : Effect.as(Effect.sleep("1 second"), [`${url}a`]);
        }).pipe(Effect.ensuring(Effect.sync(() => (open -= 1))));
      const items = Array.from({ length: 20 }, (_, index) => ({ listingUrl: at(index), first: 1 }));
      const reading = yield* Effect.forkChild(expanded(items, list));
      yield* Effect.replicateEffect(TestClock.adjust("1 second"), LISTING_TIMEOUT_MS / 1_000, {
        discard: true
      });
      const lines = yield* Fiber.join(reading);
      assert.deepStrictEqual([open, openMax, lines.length], [0, LISTINGS_AT_ONCE, 20]);
      for (const [index, line] of lines.entries()) {
        if (index === 3) assert.deepInclude("error" in line ? line.error.details : {}, { reason: "timeout" });
        else assert.deepStrictEqual(line, { body: { url: `${at(index)}a` } });
      }
    })
  );
});
