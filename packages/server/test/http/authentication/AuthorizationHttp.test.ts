import { assert, describe, it } from "@effect/vitest";
import * as Headers from "effect/http/Headers";
import * as Result from "effect/Result";
import { keyOf } from "../../../src/http/authentication/AuthorizationHttp.ts";

const read = (headers: Record<string, string>) => {
  const key = keyOf(Headers.fromInput(headers));
  return Result.isSuccess(key) ? key.success : `refused: ${key.failure.message}`;
};

describe("the key of a request", () => {
  it("is accepted in either header", () => {
    assert.strictEqual(read({ "x-api-key": "k" }), "k");
    assert.strictEqual(read({ authorization: "Bearer k" }), "k");
    assert.strictEqual(read({ authorization: "bearer   k " }), "k");
  });

  it("may be in both, if it is the same", () => {
    assert.strictEqual(read({ "x-api-key": "k", authorization: "Bearer k" }), "k");
    assert.include(read({ "x-api-key": "k", authorization: "Bearer l" }), "different keys");
  });

  it("is missing if there is none or it is empty", () => {
    for (const headers of [
      {},
      { "x-api-key": " " },
      { authorization: "Basic abc" },
      { authorization: "Bearer" }
    ]) {
      assert.isNull(read(headers));
    }
  });
});
