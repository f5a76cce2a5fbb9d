import * as Result from "effect/Result";
import { assert, it } from "vitest";
import { readOperatorJson } from "../../src/settings/OperatorJson.ts";

const WHOLE = '{"a": [1, -2.5e3, true, null, {}],\n "b": {"c": "d\\u0041\\"", "e": []}, "f": ""}';

/** What JSON.parse says; null if it is JSON. */
const complaintOf = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Index of the place that a message names. */
const placeIn = (text: string, message: string): number => {
  const [, line, column] = /^the file is not JSON: see line (\d+), column (\d+)\.$/u.exec(message) ?? [];
  const before = text.split("\n").slice(0, Number(line) - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + Number(column) - 1;
};

it("each damage to a text is named by its place alone, which is no later than where JSON.parse gives up", () => {
  for (let at = 0; at < WHOLE.length; at++) {
    for (const put of ["", ",", "'", "]", "}", ":", "x", "\n", '"', "\u0001"]) {
      const text = WHOLE.slice(0, at) + put + WHOLE.slice(at + 1);
      const [found, complaint] = [readOperatorJson(text), complaintOf(text)];
      assert.strictEqual(Result.isSuccess(found), complaint === null, text);
      if (Result.isSuccess(found)) continue;
      const place = placeIn(text, found.failure);
      const [, given] = / at position (\d+)/u.exec(complaint ?? "") ?? [];
      assert.isAtLeast(place, 0, found.failure);
      assert.isAtMost(place, Number(given ?? text.length), text);
    }
  }
});

it.each([
  ['{"a": [1, 2,]}', 1, 13],
  ['{"a": 1,\n "b": \'x\'}', 2, 7],
  ['{"a": 1 "b": 2}', 1, 9],
  ["{a: 1}", 1, 2],
  ['{"a": 1} x', 1, 10],
  ['{"a": "one\ntwo"}', 1, 7],
  ["", 1, 1]
])("%j has its mistake in line %i, column %i", (text, line, column) => {
  const message = Result.getOrThrow(Result.flip(readOperatorJson(text)));
  assert.strictEqual(message, `the file is not JSON: see line ${line}, column ${column}.`);
});
