/**
 * How well and how fast pages are read: mean word F1 of the text, over all pages and by type; share of right
 * titles, authors and dates; time against Readability on jsdom, page by page in one run.
 *
 *   node bench/page-text.ts <pages.jsonl.zst> [--every N] [--no-speed]
 *
 * A page is one JSON line {url, type, html, body, title, author, date}; the data is not part of this repo.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { constants, zstdDecompressSync } from "node:zlib";
import { Readability } from "@mozilla/readability";
// @ts-expect-error jsdom brings no types, and the bench needs two names of it
import { JSDOM, VirtualConsole } from "jsdom";
import type { PageReading } from "../src/page/PageReading.ts";
import { readBytes } from "../src/page/ReadBytes.ts";

interface Page {
  readonly id: string;
  readonly url: string | null;
  readonly type: string;
  readonly html: string;
  readonly body: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly date: string | null;
}

const load = (path: string): ReadonlyArray<Page> =>
  zstdDecompressSync(readFileSync(path), {
    params: { [constants.ZSTD_d_windowLogMax]: 27 },
    maxOutputLength: 2 ** 31
  })
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{N}_\p{M}]+/gu) ?? [];

const tally = (words: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/** F1 over the bag of words, as the WCXB benchmark defines it. */
const wordF1 = (found: string, truth: string): number => {
  const [a, b] = [wordsOf(found), wordsOf(truth)];
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const counts = tally(b);
  let shared = 0;
  for (const [word, times] of tally(a)) shared += Math.min(times, counts.get(word) ?? 0);
  return shared === 0 ? 0 : (2 * shared) / (a.length + b.length);
};

const mean = (values: ReadonlyArray<number>): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const folded = (text: string | null | undefined): string =>
  (text ?? "")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const isSameAuthor = (found: string | null, truth: string): boolean => {
  const [a, b] = [folded(found), folded(truth)];
  return a !== "" && (a.includes(b) || b.includes(a));
};

const report = (name: string, values: ReadonlyArray<number>): void =>
  console.log(name.padEnd(24), mean(values).toFixed(4), `n=${values.length}`);

const scores = (pages: ReadonlyArray<Page>, readings: ReadonlyArray<PageReading | null>): void => {
  const pairs = pages.map((page, index) => ({ page, reading: readings[index] ?? null }));
  const f1 = pairs.map(({ page, reading }) => wordF1(reading?.text ?? "", page.body));
  report("text, word F1", f1);
  for (const type of new Set(pages.map((page) => page.type))) {
    report(
      `  ${type}`,
      f1.filter((_, index) => pages[index]?.type === type)
    );
  }
  const shareOf = (
    key: "title" | "author" | "date",
    isRight: (reading: PageReading | null, truth: string) => boolean
  ) =>
    pairs
      .filter(({ page }) => page.type === "article" && folded(page[key]) !== "")
      .map(({ page, reading }) => Number(isRight(reading, page[key] ?? "")));
  report(
    "articles: title",
    shareOf("title", (reading, truth) => wordF1(folded(reading?.title), folded(truth)) >= 0.8)
  );
  report(
    "articles: author",
    shareOf("author", (reading, truth) => isSameAuthor(reading?.uploader ?? null, truth))
  );
  report(
    "articles: date",
    shareOf("date", (reading, truth) => reading?.uploadDate === truth.slice(0, 10).replaceAll("-", ""))
  );
  const kinds = Map.groupBy(readings, (reading) => reading?.kind ?? "unreadable");
  console.log("kinds", Object.fromEntries([...kinds].map(([kind, list]) => [kind, list.length])));
};

const readWithJsdom = (page: Page): void => {
  const { window } = new JSDOM(page.html, {
    url: page.url ?? "https://page.test/",
    virtualConsole: new VirtualConsole()
  });
  try {
    new Readability(window.document).parse();
  } catch {
    // Readability throws on a few pages; the time counts all the same.
  }
  window.close();
};

const run = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { every: { type: "string", default: "1" }, "no-speed": { type: "boolean", default: false } }
  });
  const pages = load(positionals[0] ?? "").filter((_, index) => index % Number(values.every) === 0);
  const print = console.log;
  console.error = console.warn = () => {};
  const readings: Array<PageReading | null> = [];
  const ours: Array<number> = [];
  const jsdom: Array<number> = [];
  for (const page of pages) {
    const bytes = new TextEncoder().encode(page.html);
    const start = performance.now();
    const outcome = await readBytes(bytes, {
      url: page.url ?? "https://page.test/",
      contentType: "text/html; charset=utf-8"
    });
    ours.push(performance.now() - start);
    readings.push("reading" in outcome ? outcome.reading : null);
    if (values["no-speed"]) continue;
    const jsdomStart = performance.now();
    readWithJsdom(page);
    jsdom.push(performance.now() - jsdomStart);
  }
  scores(pages, readings);
  const at = (times: ReadonlyArray<number>, share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]?.toFixed(0);
  print(
    `ours: ${(1_000 / mean(ours)).toFixed(1)} pages/s, p50 ${at(ours, 0.5)} ms, p95 ${at(ours, 0.95)} ms`
  );
  if (values["no-speed"]) return;
  print(`Readability + jsdom: ${(1_000 / mean(jsdom)).toFixed(1)} pages/s`);
  print(
    `time ratio, sum: ${(mean(ours) / mean(jsdom)).toFixed(3)}; p50: ${(Number(at(ours, 0.5)) / Number(at(jsdom, 0.5))).toFixed(3)}`
  );
};

await run();
