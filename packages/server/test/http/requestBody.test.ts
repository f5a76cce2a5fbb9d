import { assert, describe, it } from "@effect/vitest";
import { BODY_BYTES_MAX, nestingDepth } from "../../src/http/requestBody.ts";

describe("nesting of a body", () => {
  it.each([
    ["1", 0],
    ["{}", 1],
    ['[[{"a":[]}]]', 4],
    ['{"a":"[[[["}', 1],
    ['{"a":"\\"[[["}', 1],
    ['{"a":{},"b":{}}', 2],
    ['{"\\\\":[1]}', 2]
  ])("%s is %d deep", (json, depth) => {
    assert.strictEqual(nestingDepth(json), depth);
  });

  it("a body of nothing but quotes or brackets is measured in no time", () => {
    const started = performance.now();
    assert.strictEqual(nestingDepth("[".repeat(BODY_BYTES_MAX)), BODY_BYTES_MAX);
    nestingDepth('\\"'.repeat(BODY_BYTES_MAX / 2));
    nestingDepth('"'.repeat(BODY_BYTES_MAX - 1));
    assert.isBelow(performance.now() - started, 500);
  });
});
