import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { parseIdempotencyKey } from "../../../src/domain/request/Idempotency.ts";

describe("an idempotency key", () => {
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
