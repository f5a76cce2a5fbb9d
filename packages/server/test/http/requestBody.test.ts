import { assert, describe, it } from "@effect/vitest";
import { BODY_DEPTH_MAX } from "@winnow/core/domain/BodyFields";
import * as Effect from "effect/Effect";
import { BODY_BYTES_MAX, nestingOf, parseJson } from "../../src/http/requestBody.ts";

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

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
    assert.strictEqual(nestingOf(json).depth, depth);
  });

  it.each([
    [`{"url":"[[[","schema":{"not":${deep(BODY_DEPTH_MAX)}},"inputs":[[]]}`, "schema"],
    [`{"a":"\\"{","b\\n": ${deep(50_000)}}`, "b\n"],
    [`{"inputs":${"[".repeat(50_000)}`, "inputs"],
    [`{"\\x":${deep(BODY_DEPTH_MAX)}}`, "body"],
    [`["schema", ${deep(50_000)}]`, "body"],
    [deep(50_000), "body"]
  ])("%# is refused, naming the field that goes too deep", (json, param) => {
    const { error } = Effect.runSync(Effect.flip(parseJson(json)));
    assert.deepStrictEqual(error.details, { param, reason: "too_deep" });
  });

  it("a body as deep as the limit is read", () => {
    const schema = deep(BODY_DEPTH_MAX - 1);
    assert.property(Effect.runSync(parseJson(`{"schema":${schema}}`)), "schema");
  });

  it("a body of nothing but quotes or brackets is measured in no time", () => {
    // Of this thread: whatever else runs on the machine costs it nothing.
    const before = process.threadCpuUsage();
    assert.strictEqual(nestingOf("[".repeat(BODY_BYTES_MAX)).depth, BODY_BYTES_MAX);
    nestingOf('\\"'.repeat(BODY_BYTES_MAX / 2));
    nestingOf('"'.repeat(BODY_BYTES_MAX - 1));
    const { user, system } = process.threadCpuUsage(before);
    assert.isBelow((user + system) / 1_000, 500);
  });
});
