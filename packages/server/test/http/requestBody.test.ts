import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { BODY_BYTES_MAX, parseJson } from "../../src/http/requestBody.ts";

describe("a body", () => {
  it("is parsed at any depth; its fields limit the depth", () => {
    const deep = "[".repeat(BODY_BYTES_MAX / 2) + "]".repeat(BODY_BYTES_MAX / 2);
    assert.isArray(Effect.runSync(parseJson(deep)));
  });

  it.each(["", "{", "[".repeat(BODY_BYTES_MAX), '{"\\x":1}', "nul"])(
    "%# that is not JSON is refused as that",
    (text) => {
      const { error } = Effect.runSync(Effect.flip(parseJson(text)));
      assert.deepStrictEqual(error.details, { param: "body", reason: "malformed" });
    }
  );
});
