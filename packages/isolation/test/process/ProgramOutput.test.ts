import { assert, describe, it } from "@effect/vitest";
import { readJson } from "../../src/process/ProgramOutput.ts";

describe("JSON that a program prints", () => {
  it("has null in place of numbers that only Python writes, and its texts as they are", () => {
    const text = String.raw`{"a": NaN, "b": [Infinity, -Infinity, 1], "c": "NaN \" -Infinity", "NaN": "\\"}`;
    assert.deepStrictEqual(readJson(text), {
      a: null,
      b: [null, null, 1],
      c: 'NaN " -Infinity',
      NaN: "\\"
    });
  });

  it("keeps the digits of long ids", () => {
    assert.deepStrictEqual(readJson('{"id": 1917043659912705296, "score": NaN}'), {
      id: "1917043659912705296",
      score: null
    });
  });

  it("is undefined if it is none, or not all of it", () => {
    for (const text of ["", "yt-dlp: error", '{"a": NaN', '{"a": Nan}'])
      assert.isUndefined(readJson(text), text);
  });
});
