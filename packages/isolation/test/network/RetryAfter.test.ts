import { assert, it } from "@effect/vitest";
import { retryAfterMs } from "../../src/network/RetryAfter.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 12);

it.each([
  ["7", 7_000],
  [" 0 ", 0],
  ["1.5", 1_500],
  ["Sat, 28 Nov 2026 12:00:09 GMT", 9_000],
  ["Saturday, 28-Nov-26 12:00:09 GMT", 9_000],
  ["Sat Nov 28 12:00:09 2026", 9_000],
  ["Sat, 28 Nov 2026 11:00:00 GMT", 0],
  ...["-3", "May 5", "0x1F", "1e3", "soon", "", "3 s", "Infinity"].map((text) => [text, null] as const),
  [undefined, null],
  [null, null]
] as const)("Retry-After %j is %j ms", (text, expected) => {
  assert.strictEqual(retryAfterMs(text, NOW_MS), expected);
});
