/**
 * Words that are wrong in the text of scanned pages: pages of real text in an old printer's type, at 150 to 300 dots per
 * inch, askew by up to a degree, with grain, as JPEG.
 *
 * Run: `node packages/adapters/bench/scans.ts <text>...`, with files of plain text, one for each language.
 */
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { onPath } from "@winnow/isolation/sandbox/programFiles";
import { makeRunFolder, makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { dropKept, keepFile } from "@winnow/isolation/process/RunFiles";
import { openSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { withScannedText } from "@winnow/pages/documents/pdf/ScannedText";
import { scannedPdf } from "@winnow/pages/test/scans";
import * as Effect from "effect/Effect";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import sharp from "sharp";
import { makeTesseract } from "../src/programs/Tesseract.ts";
import { PageReader } from "../src/sources/page-reader/PageReader.ts";
import { layer } from "../src/sources/page-reader/PooledPageReader.ts";
import { benchFolder } from "./downloads.ts";

const PAGES_PER_TEXT = 15;
const WORDS_PER_PAGE = 380;

/** Of A4, in inches. */
const [WIDTH, HEIGHT, MARGIN] = [8.27, 11.69, 0.9];
const POINTS_PER_INCH = 72;

const DOTS_PER_INCH = [150, 200, 300];
const DEGREES = [-0.9, -0.4, 0, 0.5, 0.8];

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Paragraphs of a text, as many as fill a page. */
const pagesOf = (text: string): ReadonlyArray<string> => {
  const pages: Array<string> = [""];
  for (const paragraph of text.split(/\n\s*\n/u).map((each) => each.replace(/\s+/gu, " ").trim())) {
    const page = pages.at(-1) ?? "";
    if (wordsOf(page).length >= WORDS_PER_PAGE) pages.push(paragraph);
    else pages[pages.length - 1] = `${page}\n\n${paragraph}`.trim();
  }
  return pages.slice(0, PAGES_PER_TEXT);
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const scanOf = async (text: string, number: number) => {
  const dpi = DOTS_PER_INCH[number % DOTS_PER_INCH.length] ?? 300;
  const [width, height, margin] = [WIDTH, HEIGHT, MARGIN].map((inches) => Math.round(inches * dpi)) as [
    number,
    number,
    number
  ];
  const words = { text: escaped(text), font: "DejaVu Serif 11", dpi, width: width - 2 * margin, rgba: true };
  const paper = { width, height, channels: 3, background: "#f4f1ea" } as const;
  const grain = { create: { ...paper, noise: { type: "gaussian", mean: 230, sigma: 22 } } } as const;
  const printed = await sharp({ create: paper })
    .composite([
      { input: { text: words }, left: margin, top: margin },
      { input: await sharp(grain).png().toBuffer(), blend: "multiply" }
    ])
    .png()
    .toBuffer();
  const { data, info } = await sharp(printed)
    .rotate(DEGREES[number % DEGREES.length], { background: "#f4f1ea" })
    .resize(width, height, { fit: "cover" })
    .blur(0.6)
    .toColourspace("b-w")
    .jpeg({ quality: 70 })
    .toBuffer({ resolveWithObject: true });
  const entries = "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode";
  const picture = { width: info.width, height: info.height, entries, data };
  return scannedPdf([{ pictures: [{ picture }], size: [WIDTH * POINTS_PER_INCH, HEIGHT * POINTS_PER_INCH] }]);
};

/** Words to insert, to delete and to replace (Levenshtein). */
const wrongWords = (found: ReadonlyArray<string>, truth: ReadonlyArray<string>): number => {
  let above = Array.from({ length: truth.length + 1 }, (_, at) => at);
  for (const [row, word] of found.entries()) {
    const line = [row + 1];
    for (const [at, true_] of truth.entries())
      line.push(
        Math.min((above[at] ?? 0) + Number(word !== true_), (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1)
      );
    above = line;
  }
  return above.at(-1) ?? 0;
};

const program = Effect.gen(function* () {
  const { draw, read } = yield* PageReader;
  const path = process.env["PATH"] ?? "";
  const workDir = yield* makeWorkDir(yield* benchFolder);
  const settings = {
    program: onPath("tesseract", path) ?? "tesseract",
    path,
    sandbox: yield* openSandbox("auto")
  };
  const tesseract = yield* makeTesseract(settings, workDir);
  const folder = yield* makeRunFolder(workDir);
  for (const file of process.argv.slice(2)) {
    let [wrong, all] = [0, 0];
    const startedAtMs = performance.now();
    for (const [number, page] of pagesOf(readFileSync(file, "utf8")).entries()) {
      const document = yield* Effect.promise(() => scanOf(page, number));
      const { text } = yield* read(document, { url: "https://scans.test/", contentType: "application/pdf" });
      const { dotsPerInch, graymap } = yield* draw(document, 1);
      const kept = yield* keepFile(folder, "page.pgm", graymap);
      const words =
        (yield* tesseract?.readPage(folder, kept.path, dotsPerInch) ?? Effect.succeed(null)) ?? [];
      yield* dropKept(kept.path);
      const truth = wordsOf(page);
      wrong += wrongWords(wordsOf(withScannedText(text, [{ page: 1, words }]).plain), truth);
      all += truth.length;
    }
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
    console.log(
      JSON.stringify({
        bench: "scans",
        text: basename(file),
        words: all,
        wrong: Number((wrong / all).toFixed(3)),
        seconds
      })
    );
  }
});

await Effect.runPromise(
  program.pipe(Effect.provide(layer), Effect.provideService(CurrentRun, runFor("acc_bench")), Effect.scoped)
);
