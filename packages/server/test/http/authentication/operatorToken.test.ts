/**
 * Comparing the admin token takes the same time for every text. Verified by construction, because measured
 * times prove nothing.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { Operator } from "../../../src/http/authentication/Operator.ts";

const TOKEN = "an-admin-token-of-some-length";
const DIGEST_BYTES = 32;

/** Records the sizes of the values that `timingSafeEqual` compares, until the scope closes. */
const watched = Effect.acquireRelease(
  Effect.sync(() => {
    const original = crypto.timingSafeEqual;
    const sizes: Array<readonly [number, number]> = [];
    crypto.timingSafeEqual = (left, right) => {
      sizes.push([left.byteLength, right.byteLength]);
      return original(left, right);
    };
    syncBuiltinESMExports();
    return { original, sizes };
  }),
  ({ original }) =>
    Effect.sync(() => {
      crypto.timingSafeEqual = original;
      syncBuiltinESMExports();
    })
);

describe("Operator", () => {
  it.effect("compares any text with the token once, in constant time, by digests", () =>
    Effect.gen(function* () {
      const { sizes } = yield* watched;
      const operator = yield* Operator;
      const texts = ["", "x", TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase(), "y".repeat(100_000)];
      for (const text of texts) assert.isFalse(yield* operator.isOperator(text), text.slice(0, 40));
      assert.isTrue(yield* operator.isOperator(TOKEN));
      assert.lengthOf(sizes, texts.length + 1);
      for (const compared of sizes) assert.deepStrictEqual(compared, [DIGEST_BYTES, DIGEST_BYTES]);
    }).pipe(Effect.scoped, Effect.provide(Operator.layer(Redacted.make(TOKEN))))
  );
});
