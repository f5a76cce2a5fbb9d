/**
 * How well and how fast pages are read, compared with common libraries: mean word F1 of the text, over all pages and
 * by type; pages a second, page by page in one run; share of correct titles, authors and dates. All readers are
 * warmed up with ten pages.
 *
 *   node packages/pages/bench/page-text.ts <pages.jsonl.zst> [--every N] [--alone] [--all]
 *
 * Besides Readability on jsdom, `--all` also measures Readability on linkedom, Defuddle and article-extractor. A
 * page is one JSON line {url, type, html, body, title, author, date}; the data is not part of this repo. The block
 * model was trained on such pages; train/train-page-text.ts measures it on unseen ones.
 */
import { parseArgs } from "node:util";
import { Readability } from "@mozilla/readability";
// @ts-expect-error jsdom has no types, and the bench uses only two of its exports
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";
import { blockText } from "../src/parse/PlainText.ts";
import type { PageReading } from "../src/facts/PageReading.ts";
import { parsePage } from "../src/parse/ParsedPage.ts";
import { readBytes } from "../src/ReadBytes.ts";
import { isSameAuthor, isSameDay, isSameTitle } from "./page-text/bylines.ts";
import { loadPages, mean, type Page, wordF1 } from "./page-text/measures.ts";

const report = (name: string, values: ReadonlyArray<number>): void =>
  console.log(name.padEnd(24), mean(values).toFixed(4), `n=${values.length}`);

const reportMetadata = (pages: ReadonlyArray<Page>, readings: ReadonlyArray<PageReading | null>): void => {
  const pairs = pages.map((page, index) => ({ page, reading: readings[index] ?? null }));
  const reportShare = (
    key: "title" | "author" | "date",
    isRight: (reading: PageReading | null, truth: string) => boolean
  ): void =>
    report(
      `articles: ${key}`,
      pairs
        .filter(({ page }) => page.type === "article" && /[\p{L}\p{N}]/u.test(page[key] ?? ""))
        .map(({ page, reading }) => Number(isRight(reading, page[key] ?? "")))
    );
  reportShare("title", (reading, truth) => isSameTitle(reading?.metadata.title ?? null, truth));
  reportShare("author", (reading, truth) => isSameAuthor(reading?.metadata.uploader ?? null, truth));
  reportShare("date", (reading, truth) => isSameDay(reading?.metadata.uploadDate ?? null, truth));
  const kinds = Map.groupBy(readings, (reading) => reading?.kind ?? "unreadable");
  console.log("kinds", Object.fromEntries([...kinds].map(([kind, list]) => [kind, list.length])));
};

const PAGE_URL = "https://page.test/";

const read = async ({ html, url }: Page): Promise<PageReading | null> => {
  const source = { url: url ?? PAGE_URL, contentType: "text/html; charset=utf-8" };
  const outcome = await readBytes(new TextEncoder().encode(html), source);
  return "reading" in outcome ? outcome.reading : null;
};

const textOfHtml = (html: string | null | undefined): string => blockText(parsePage(html ?? "").root);

/** Some throw on a few pages, which then have no text; the time still counts. */
const orNone = async (text: () => string | Promise<string>): Promise<string> => {
  try {
    return await text();
  } catch {
    return "";
  }
};

const readWithJsdom = ({ html, url }: Page): string => {
  const { window } = new JSDOM(html, { url: url ?? PAGE_URL, virtualConsole: new VirtualConsole() });
  try {
    return textOfHtml(new Readability(window.document).parse()?.content);
  } finally {
    window.close();
  }
};

const readWithLinkedom = ({ html }: Page): string =>
  textOfHtml(new Readability(parseHTML(html).document).parse()?.content);

const readWithDefuddle = async ({ html, url }: Page): Promise<string> => {
  const { DefuddleClass } = await import("defuddle/node");
  const { document } = parseHTML(html);
  const address = url ?? PAGE_URL;
  // Missing in linkedom, but used by Defuddle.
  Object.assign(document, { styleSheets: [], URL: address });
  return textOfHtml(new DefuddleClass(document, { url: address, useAsync: false }).parse().content);
};

const readWithArticleExtractor = async ({ html, url }: Page): Promise<string> => {
  const { extractFromHtml } = await import("@extractus/article-extractor");
  return textOfHtml((await extractFromHtml(html, url ?? PAGE_URL))?.content);
};

interface Reader {
  readonly name: string;
  readonly read: (page: Page) => string | Promise<string>;
  readonly texts: Array<string>;
  readonly times: Array<number>;
}

const readerOf = (name: string, read: Reader["read"]): Reader => ({ name, read, texts: [], times: [] });

const at = (times: ReadonlyArray<number>, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

/** A row for each kind of page, a column for each reader. */
const reportText = (pages: ReadonlyArray<Page>, readers: ReadonlyArray<Reader>): void => {
  const scores = readers.map(({ texts }) =>
    pages.map((page, index) => wordF1(texts[index] ?? "", page.body))
  );
  const row = (cells: ReadonlyArray<string | number>): void => console.log(`| ${cells.join(" | ")} |`);
  row(["pages", "n", ...readers.map(({ name }) => name)]);
  row(["---", "---", ...readers.map(() => "---")]);
  for (const type of [null, ...new Set(pages.map((page) => page.type))]) {
    const isOfType = (_: unknown, index: number): boolean => type === null || pages[index]?.type === type;
    const cells = scores.map((each) => mean(each.filter(isOfType)).toFixed(3));
    row([type ?? "all", pages.filter(isOfType).length, ...cells]);
  }
  row(["pages a second", "", ...readers.map(({ times }) => (1_000 / mean(times)).toFixed(1))]);
  for (const share of [0.5, 0.95]) {
    row([`p${share * 100}, ms`, "", ...readers.map(({ times }) => at(times, share).toFixed(0))]);
  }
};

const readAll = async (page: Page, readers: ReadonlyArray<Reader>): Promise<void> => {
  for (const { read: readText, texts, times } of readers) {
    const start = performance.now();
    texts.push(await orNone(() => readText(page)));
    times.push(performance.now() - start);
  }
};

const run = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      every: { type: "string", default: "1" },
      alone: { type: "boolean", default: false },
      all: { type: "boolean", default: false }
    }
  });
  const pages = loadPages(positionals[0] ?? "").filter((_, index) => index % Number(values.every) === 0);
  console.error = console.warn = () => {};
  const readings: Array<PageReading | null> = [];
  const ours = readerOf("ours", async (page) => {
    const reading = await read(page);
    readings.push(reading);
    return reading?.text.plain ?? "";
  });
  const jsdom = readerOf("Readability, jsdom", readWithJsdom);
  const others = [
    readerOf("Readability, linkedom", readWithLinkedom),
    readerOf("Defuddle, linkedom", readWithDefuddle),
    readerOf("article-extractor", readWithArticleExtractor)
  ];
  const readers = [ours, ...(values.alone ? [] : [jsdom]), ...(values.all ? others : [])];
  const warmUps = readers.map(({ name, read: readText }) => readerOf(name, readText));
  for (const page of pages.slice(0, 10)) await readAll(page, warmUps);
  readings.length = 0;
  for (const page of pages) await readAll(page, readers);
  reportText(pages, readers);
  reportMetadata(pages, readings);
  if (values.alone) return;
  const ratio = (part: (list: ReadonlyArray<number>) => number): string =>
    (part(ours.times) / part(jsdom.times)).toFixed(3);
  console.log(
    `time against Readability on jsdom, mean: ${ratio(mean)}; p50: ${ratio((list) => at(list, 0.5))}`
  );
};

await run();
