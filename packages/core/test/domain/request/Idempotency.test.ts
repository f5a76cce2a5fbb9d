import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { decideIdempotency, parseIdempotencyKey } from "../../../src/domain/request/Idempotency.ts";

describe("an idempotency key", () => {
  const record = { key: "k", bodyDigest: "one", extractionId: "ext_1" };

  it("that was never used is new", () => {
    assert.strictEqual(decideIdempotency(null, "one"), "new");
  });

  it("with the same body is a replay", () => {
    assert.strictEqual(decideIdempotency(record, "one"), "replay");
  });

  it("replayed with another body is a conflict", () => {
    assert.strictEqual(decideIdempotency(record, "two"), "conflict");
  });

  it("is 1 to 255 printable ASCII characters", () => {
    for (const key of ["k", "a b", "~", "x".repeat(255)]) {
      assert.deepStrictEqual(parseIdempotencyKey(key), Result.succeed(key));
    }
    for (const key of ["", "   ", "x".repeat(256), "é", "a\u0000b", "a\tb", "😀"]) {
      const parsed = parseIdempotencyKey(key);
      assert.isTrue(Result.isFailure(parsed), JSON.stringify(key));
      if (Result.isFailure(parsed))
        assert.deepStrictEqual(parsed.failure.details, { param: "Idempotency-Key" });
    }
  });
});
