import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { readSourceUrl } from "@winnow/core/domain/ReadSourceUrl";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";

const ASK = fileURLToPath(new URL("./normalized_urls.py", import.meta.url));
const INDEX = fileURLToPath(new URL("../../src/download/yt-dlp/extractor_index.py", import.meta.url));

/** URLs that only older or newer versions of yt-dlp support, and URLs without content. */
const KNOWN =
  /^https?:\/\/(?:www\.)?(?:bandcamp\.com\/\S*\bshow=|youtube\.com\/(?:watch\?|attribution_link))/u;

describe("Normalized URLs", () => {
  it.live("are accepted by the same extractors as the URLs of yt-dlp's own tests", () =>
    Effect.gen(function* () {
      const { ytDlpPython } = yield* locatePrograms({});
      const { interpreter, zip } = ytDlpPython ?? { interpreter: "python3", zip: null };
      const env = { ...process.env, ...(zip === null ? {} : { WINNOW_YTDLP_ZIP: zip }) };
      const ask = (input: string) =>
        execFileSync(interpreter, [ASK, dirname(INDEX)], {
          env,
          input,
          encoding: "utf8",
          maxBuffer: 2 ** 26
        });
      const urls: ReadonlyArray<string> = JSON.parse(ask(""));
      const pairs = urls.flatMap((url) => {
        const reading = readSourceUrl(url);
        return reading.ok && reading.url !== url && !KNOWN.test(url) ? [[url, reading.url] as const] : [];
      });
      const extractors = ask(pairs.map((pair) => JSON.stringify(pair)).join("\n"))
        .trim()
        .split("\n");
      const lost = pairs.filter((_, at) => {
        const [before, after] = JSON.parse(extractors[at] ?? "[]");
        return before !== "Generic" && after === "Generic";
      });
      assert.isAbove(pairs.length, 400);
      assert.deepStrictEqual(lost, []);
    })
  );
});
