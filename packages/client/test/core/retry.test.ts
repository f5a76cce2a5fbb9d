import { assert, it } from "vitest";
import { retryAfterSeconds } from "../../src/core/retry.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 12);

it.each([
  ["7", 7],
  ["Sat, 28 Nov 2026 12:00:09 GMT", 9],
  ["Sat Nov 28 12:00:09 2026", 9],
  ["Sat, 28 Nov 2026 11:00:00 GMT", 0],
  ...["-3", "0x1F", "1e3", "soon", "", "3 s", "Infinity"].map((text) => [text, null] as const),
  [null, null]
] as const)("a Retry-After of %j is %j seconds", (text, expected) => {
  assert.strictEqual(retryAfterSeconds(text, NOW_MS), expected);
});
