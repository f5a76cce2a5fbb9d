// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { printedInServer } from "./runPython.ts";

/** For each key, a download of 1,000 bytes in as many steps, with the clock standing still; then it ends. */
const BURSTS = `
server.time = type('', (), {'monotonic': staticmethod(lambda: 100.0)})
for key in argument:
    hook = server.progress_hook(1)
    for done in range(1, 1001):
        hook({'status': 'downloading', 'downloaded_bytes': done, key: 1000})
    hook({'status': 'finished', 'downloaded_bytes': 1000, key: 1000})
    server.os.write(1, b'\\n')
`;

const KEYS = ["total_bytes", "total_bytes_estimate", "unknown"] as const;

const printed = await Effect.runPromise(printedInServer(BURSTS, KEYS));
const reportsOf = (key: (typeof KEYS)[number]): ReadonlyArray<string> =>
  printed.split("\n\n")[KEYS.indexOf(key)]?.split("\n") ?? [];

describe("The progress of a download", () => {
  for (const total of ["total_bytes", "total_bytes_estimate"] as const) {
    it(`is reported at every tenth of a burst, after which the source may pause (${total})`, () => {
      const reported = reportsOf(total).map((line): number => JSON.parse(line).downloaded_bytes);
      assert.deepStrictEqual([reported[0], reported.at(-1)], [1, 1_000]);
      assert.lengthOf(reported, 11);
      for (const [index, bytes] of reported.entries()) {
        assert.isAtMost(bytes - (reported[index - 1] ?? 0), 101, `report ${index}`);
      }
    });
  }

  it("is reported once in an interval if the size is unknown", () => {
    assert.lengthOf(reportsOf("unknown"), 2);
  });
});
