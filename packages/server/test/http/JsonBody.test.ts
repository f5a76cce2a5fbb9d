import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { BODY_BYTES_MAX, parseJson } from "../../src/http/JsonBody.ts";

describe("a body", () => {
  it("is parsed at any depth; its fields limit the depth", () => {
    const deep = "[".repeat(BODY_BYTES_MAX / 2) + "]".repeat(BODY_BYTES_MAX / 2);
    assert.isArray(Effect.runSync(parseJson(deep)));
  });

  it("with a choice that a JSON number cannot hold is refused with the remedy", () => {
    const body = '{"schema":{"properties":{"id":{"enum":[9007199254740993]}}}}';
    const error = Effect.runSync(Effect.flip(parseJson(body)));
    assert.include(
      error.message,
      "9007199254740993, whose digits do not fit into a JSON number; list it as a string"
    );
    assert.deepStrictEqual(Effect.runSync(parseJson('{"maximum":9223372036854775807}')), {
      maximum: 2 ** 63
    });
  });

  it.each(["", "{", "[".repeat(BODY_BYTES_MAX), '{"\\x":1}', "nul"])(
    "%# that is not JSON is refused as that",
    (text) => {
      const error = Effect.runSync(Effect.flip(parseJson(text)));
      assert.deepStrictEqual(error.details, { param: "body", reason: "malformed" });
    }
  );
});
