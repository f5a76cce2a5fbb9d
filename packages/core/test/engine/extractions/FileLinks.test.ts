import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import { FILE_LINK_TTL_MS, FileLinks, layer } from "../../../src/engine/extractions/FileLinks.ts";
import { ARTICLE, openAccount, runToEnd, world } from "../World.ts";

describe("a link to a file", () => {
  it.effect("is valid for a quarter of an hour, up to its last millisecond, as it was signed", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust(500);
      const { check, create } = yield* FileLinks;
      const accountId = yield* openAccount();
      const link = yield* create(
        accountId,
        (yield* runToEnd(accountId, { url: ARTICLE })).id,
        "transcript.txt"
      );
      const endMs = link.expiresAtSeconds * 1_000;
      assert.isTrue(endMs >= 500 + FILE_LINK_TTL_MS && endMs < 1_500 + FILE_LINK_TTL_MS, String(endMs));
      yield* TestClock.adjust(endMs - 501);
      assert.strictEqual(yield* check(link), "valid");
      for (const changed of ["", "x", `${link.signature}AA`, link.signature.slice(1), "\u0000"])
        assert.strictEqual(yield* check({ ...link, signature: changed }), "invalid", changed);
      assert.strictEqual(yield* check({ ...link, expiresAtSeconds: Number.NaN }), "invalid");
      // The secret of another server, which knows the same extraction.
      const elsewhere = yield* FileLinks.use((links) => links.check(link)).pipe(
        Effect.provide(Layer.fresh(Layer.provideMerge(layer, world())))
      );
      assert.strictEqual(elsewhere, "invalid");
      yield* TestClock.adjust(1);
      assert.strictEqual(yield* check(link), "expired");
    }).pipe(Effect.provide(Layer.provideMerge(layer, world())))
  );
});
