import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";

const CHECK = fileURLToPath(new URL("./extractor_index.py", import.meta.url));

const INDEX = fileURLToPath(new URL("../../src/download/yt-dlp/extractor_index.py", import.meta.url));

/** Every 100th of 19,000 URLs is tried, because each is matched against 1,900 patterns. */
const EVERY = "100";

/** Upper limit of the median number of extractors that the index selects for a URL, as of 2026-08-19. */
const ASKED_MAX = 250;

describe("The index of extractors", () => {
  it.live("names the extractor that yt-dlp chooses for each of its own test URLs", () =>
    Effect.gen(function* () {
      const { ytDlpPython } = yield* locatePrograms({});
      const { interpreter, zip } = ytDlpPython ?? { interpreter: "python3", zip: null };
      const env = { ...process.env, ...(zip === null ? {} : { WINNOW_YTDLP_ZIP: zip }) };
      const said = execFileSync(interpreter, [CHECK, dirname(INDEX), EVERY], { env, encoding: "utf8" });
      const { askedMedian, extractors, leftOut, silent, urls } = JSON.parse(said);
      assert.deepStrictEqual({ leftOut, silent }, { leftOut: [], silent: [] });
      assert.isAbove(urls, 150);
      assert.isAbove(extractors, 1_000);
      assert.isBelow(askedMedian, ASKED_MAX);
    })
  );
});
