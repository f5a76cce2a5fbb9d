/**
 * How well and how fast pages are read, beside the libraries that people use: mean word F1 of the text, over
 * all pages and by type; share of right titles, authors and dates; time against Readability on jsdom, page by
 * page in one run. Ten pages warm up both.
 *
 *   node bench/page-text.ts <pages.jsonl.zst> [--every N] [--alone] [--defuddle]
 *
 * A page is one JSON line {url, type, html, body, title, author, date}; the data is not part of this repo. The
 * block model was trained on such pages: what it does on others is for bench/train-page-text.ts to say.
 */
import { parseArgs } from "node:util";
import { Readability } from "@mozilla/readability";
// @ts-expect-error jsdom brings no types, and the bench needs two names of it
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";
import { blockText } from "../src/page/BlockText.ts";
import type { PageReading } from "../src/page/PageReading.ts";
import { parsePage } from "../src/page/PageTree.ts";
import { readBytes } from "../src/page/ReadBytes.ts";
import { loadPages, mean, type Page, wordF1 } from "./page-text/measures.ts";

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

const reportText = (name: string, pages: ReadonlyArray<Page>, texts: ReadonlyArray<string>): void => {
  const f1 = pages.map((page, index) => wordF1(texts[index] ?? "", page.body));
  report(`${name}, word F1`, f1);
  for (const type of new Set(pages.map((page) => page.type))) {
    report(
      `  ${type}`,
      f1.filter((_, index) => pages[index]?.type === type)
    );
  }
};

const reportMetadata = (pages: ReadonlyArray<Page>, readings: ReadonlyArray<PageReading | null>): void => {
  const pairs = pages.map((page, index) => ({ page, reading: readings[index] ?? null }));
  const reportShare = (
    key: "title" | "author" | "date",
    isRight: (reading: PageReading | null, truth: string) => boolean
  ): void =>
    report(
      `articles: ${key}`,
      pairs
        .filter(({ page }) => page.type === "article" && folded(page[key]) !== "")
        .map(({ page, reading }) => Number(isRight(reading, page[key] ?? "")))
    );
  reportShare("title", (reading, truth) => wordF1(folded(reading?.title), folded(truth)) >= 0.8);
  reportShare("author", (reading, truth) => isSameAuthor(reading?.uploader ?? null, truth));
  reportShare("date", (reading, truth) => reading?.uploadDate === truth.slice(0, 10).replaceAll("-", ""));
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

const readWithJsdom = ({ html, url }: Page): string => {
  const { window } = new JSDOM(html, { url: url ?? PAGE_URL, virtualConsole: new VirtualConsole() });
  try {
    return textOfHtml(new Readability(window.document).parse()?.content);
  } catch {
    // It throws on a few pages; the time counts all the same.
    return "";
  } finally {
    window.close();
  }
};

const readWithDefuddle = async ({ html, url }: Page): Promise<string> => {
  const { DefuddleClass } = await import("defuddle/node");
  const { document } = parseHTML(html);
  const address = url ?? PAGE_URL;
  // What linkedom lacks and Defuddle asks for.
  Object.assign(document, { styleSheets: [], URL: address });
  try {
    return textOfHtml(new DefuddleClass(document, { url: address, useAsync: false }).parse().content);
  } catch {
    return "";
  }
};

const timed = async <A>(times: Array<number>, work: () => A | Promise<A>): Promise<A> => {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
};

const at = (times: ReadonlyArray<number>, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

const reportTimes = (name: string, times: ReadonlyArray<number>): void =>
  console.log(
    `${name}: ${(1_000 / mean(times)).toFixed(1)} pages/s, p50 ${at(times, 0.5).toFixed(0)} ms, p95 ${at(times, 0.95).toFixed(0)} ms`
  );

const run = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      every: { type: "string", default: "1" },
      alone: { type: "boolean", default: false },
      defuddle: { type: "boolean", default: false }
    }
  });
  const pages = loadPages(positionals[0] ?? "").filter((_, index) => index % Number(values.every) === 0);
  console.error = console.warn = () => {};
  const readings: Array<PageReading | null> = [];
  const texts = { readability: [] as Array<string>, defuddle: [] as Array<string> };
  const times = {
    ours: [] as Array<number>,
    readability: [] as Array<number>,
    defuddle: [] as Array<number>
  };
  for (const page of pages.slice(0, 10)) {
    await read(page);
    if (!values.alone) readWithJsdom(page);
  }
  for (const page of pages) {
    readings.push(await timed(times.ours, () => read(page)));
    if (values.alone) continue;
    texts.readability.push(await timed(times.readability, () => readWithJsdom(page)));
    if (values.defuddle) texts.defuddle.push(await timed(times.defuddle, () => readWithDefuddle(page)));
  }
  reportText(
    "ours",
    pages,
    readings.map((reading) => reading?.text ?? "")
  );
  reportMetadata(pages, readings);
  reportTimes("ours", times.ours);
  if (values.alone) return;
  reportText("Readability + jsdom", pages, texts.readability);
  reportTimes("Readability + jsdom", times.readability);
  const ratio = (part: (list: ReadonlyArray<number>) => number): string =>
    (part(times.ours) / part(times.readability)).toFixed(3);
  console.log(`time ratio, mean: ${ratio(mean)}; p50: ${ratio((list) => at(list, 0.5))}`);
  if (!values.defuddle) return;
  reportText("Defuddle + linkedom", pages, texts.defuddle);
  reportTimes("Defuddle + linkedom", times.defuddle);
};

await run();
