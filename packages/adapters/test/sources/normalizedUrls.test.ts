// @module-tag long
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { readSourceUrl } from "@winnow/core/domain/url/ReadSourceUrl";
import * as Effect from "effect/Effect";
import { runPython } from "./runPython.ts";

const ASK = fileURLToPath(new URL("./normalized_urls.py", import.meta.url));

/** URLs that only older or newer versions of yt-dlp support, and URLs without content. */
const KNOWN =
  /^https?:\/\/(?:www\.)?(?:bandcamp\.com\/\S*\bshow=|youtube\.com\/(?:watch\?|attribution_link))/u;

describe("Normalized URLs", () => {
  it.live("are accepted by the same extractors as the URLs of yt-dlp's own tests", () =>
    Effect.gen(function* () {
      const ask = (input: string) => runPython({ program: [ASK], input });
      const urls: ReadonlyArray<string> = JSON.parse(yield* ask(""));
      const pairs = urls.flatMap((url) => {
        const reading = readSourceUrl(url);
        return reading.ok && reading.url !== url && !KNOWN.test(url) ? [[url, reading.url] as const] : [];
      });
      const extractors = (yield* ask(pairs.map((pair) => JSON.stringify(pair)).join("\n")))
        .trim()
        .split("\n");
      const lost = pairs.filter((_, at) => {
        const [before, after] = JSON.parse(extractors[at] ?? "[]");
        return before !== "Generic" && after === "Generic";
      });
      assert.isAbove(pairs.length, 250);
      assert.deepStrictEqual(lost, []);
    })
  );
});
