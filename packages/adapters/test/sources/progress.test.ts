// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { printedInServer } from "./runPython.ts";

/** A download of 1,000 bytes in as many steps, with the clock standing still; then it ends. */
const BURST = `
server.time = type('', (), {'monotonic': staticmethod(lambda: 100.0)})
hook = server.progress_hook(1)
for done in range(1, 1001):
    hook({'status': 'downloading', 'downloaded_bytes': done, argument: 1000})
hook({'status': 'finished', 'downloaded_bytes': 1000, argument: 1000})
`;

describe("The progress of a download", () => {
  for (const total of ["total_bytes", "total_bytes_estimate"]) {
    it.live(`is reported at every tenth of a burst, after which the source may pause (${total})`, () =>
      Effect.gen(function* () {
        const lines = (yield* printedInServer(BURST, total)).trim().split("\n");
        const reported = lines.map((line): number => JSON.parse(line).downloaded_bytes);
        assert.deepStrictEqual([reported[0], reported.at(-1)], [1, 1_000]);
        assert.lengthOf(reported, 11);
        for (const [index, bytes] of reported.entries()) {
          assert.isAtMost(bytes - (reported[index - 1] ?? 0), 101, `report ${index}`);
        }
      })
    );
  }

  it.live("is reported once in an interval if the size is unknown", () =>
    Effect.gen(function* () {
      const lines = (yield* printedInServer(BURST, "unknown")).trim().split("\n");
      assert.lengthOf(lines, 2);
    })
  );
});
