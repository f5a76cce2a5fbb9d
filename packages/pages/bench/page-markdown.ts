/**
 * How much of the structure of pages their Markdown keeps and how much it makes up, beside other readers: recall,
 * precision and F1 of headings, list items, rows and cells of tables, code blocks and links, averaged over the pages
 * that have some (the right ones, the found ones, either); word F1; pages without Markdown; time a page.
 *
 *   node packages/pages/bench/page-markdown.ts <pages.jsonl.zst>... [--markdown <truth.jsonl.zst>] [--every N]
 *     [--chances <file>] [--alone] [--python <interpreter>]
 *
 * A page is one JSON line {id, url, html, body, markdown}; `--markdown` names a file of {id, markdown} for pages
 * that lack it. `--chances` names the file written by train/train-page-text.ts: our reader is then also measured
 * with models that have not seen the site of a page. `--python` has trafilatura 2.3, rs-trafilatura 0.1 and
 * lxml_html_clean. The data is not part of this repo.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
// @ts-expect-error turndown has no types, and the bench uses only one of its exports
import TurndownService from "turndown";
// @ts-expect-error its plugin has no types either
import { gfm } from "turndown-plugin-gfm";
import { resolver } from "../src/parse/Address.ts";
import { cutBlocks } from "../src/select/blocks/Blocks.ts";
import { mainText } from "../src/select/blocks/MainText.ts";
import { readContent } from "../src/write/readContent.ts";
import { withoutTitle, writeContent, writeSections } from "../src/write/writeContent.ts";
import { bodyOf } from "../src/parse/PageTree.ts";
import { scanPage } from "../src/parse/PageScan.ts";
import { parsePage } from "../src/parse/ParsedPage.ts";
import type { PageReading, PageSource } from "../src/facts/PageReading.ts";
import { readBytes } from "../src/ReadBytes.ts";
import { loadPages, mean, type Page, wordF1 } from "./page-text/measures.ts";
import { agreement, parsedMarkdown, PIECES, piecesOf, textOfNode } from "./page-text/structure.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    markdown: { type: "string" },
    every: { type: "string", default: "1" },
    chances: { type: "string" },
    alone: { type: "boolean", default: false },
    python: { type: "string" }
  }
});

type MarkedPage = Page & { readonly url: string; readonly markdown: string };

const more = new Map(
  values.markdown === undefined ? [] : loadPages(values.markdown).map(({ id, markdown }) => [id, markdown])
);
const pages = positionals
  .flatMap(loadPages)
  .filter((_, index) => index % Number(values.every) === 0)
  .map((page): MarkedPage => ({
    ...page,
    url: page.url ?? "https://page.test/",
    markdown: page.markdown ?? more.get(page.id) ?? ""
  }))
  .filter(({ markdown }) => markdown !== "");

type Reader = (page: MarkedPage) => string | Promise<string>;

const source = ({ url }: MarkedPage): PageSource => ({ url, contentType: "text/html; charset=utf-8" });

/** By page: they do not depend on the model. */
const titles = new Map<string, string | null>();

const winnow: Reader = async (page) => {
  const outcome = await readBytes(new TextEncoder().encode(page.html), source(page));
  if ("refused" in outcome) return "";
  titles.set(page.id, outcome.reading.metadata.title);
  return outcome.reading.text.markdown;
};

/** `readPage` of `@winnow/adapters/page`, which depends on this package: it reads in a sandboxed process. */
const { readPage }: { readonly readPage: (bytes: Uint8Array, source: PageSource) => Promise<PageReading> } =
  await import(new URL("../../adapters/src/sources/page-reader/index.ts", import.meta.url).href);
const worker: Reader = async (page) =>
  (await readPage(new TextEncoder().encode(page.html), source(page))).text.markdown;

const unseen =
  values.chances === undefined
    ? null
    : (JSON.parse(readFileSync(values.chances, "utf8")) as Readonly<Record<string, ReadonlyArray<number>>>);

const winnowUnseen: Reader = ({ html, id, url }) => {
  const { root } = parsePage(html);
  const scan = scanPage(root);
  const page = cutBlocks(bodyOf(root));
  const { blocks } = mainText(page, Float32Array.from(unseen?.[id] ?? []), { scan, url });
  const resolve = resolver(url, scan.baseHref);
  const content = readContent({ body: page.body.element, kept: blocks, all: page.blocks, resolve });
  const { sections } = writeContent({ pages: [content], isPaged: false });
  return writeSections(withoutTitle(sections, titles.get(id) ?? null)).markdown;
};

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.use(gfm);

const readability: Reader = ({ html }) =>
  turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? "");

const defuddle: Reader = async ({ html, url }) =>
  (await Defuddle(parseHTML(html).document, url, { markdown: true })).content;

/** Of one reader: the Markdown of each page, and its time a page in milliseconds; null if another process takes it. */
interface Reading {
  readonly name: string;
  readonly texts: ReadonlyArray<string>;
  readonly cpuMs: number | null;
  readonly wallMs: number;
}

const readAll = async (read: Reader, some: ReadonlyArray<MarkedPage>): Promise<ReadonlyArray<string>> => {
  const texts: Array<string> = [];
  for (const page of some)
    texts.push(
      await Promise.resolve(page)
        .then(read)
        .catch(() => "")
    );
  return texts;
};

const measured = async (name: string, read: Reader): Promise<Reading> => {
  await readAll(read, pages.slice(0, 10));
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const texts = await readAll(read, pages);
  const wallMs = (performance.now() - start) / pages.length;
  const { system, user } = process.cpuUsage(cpu);
  return { name, texts, cpuMs: (system + user) / 1_000 / pages.length, wallMs };
};

const ofPython = (interpreter: string): ReadonlyArray<Reading> => {
  const { status, stderr, stdout } = spawnSync(
    interpreter,
    [new URL("page-text/peers.py", import.meta.url).pathname],
    {
      input: pages.map(({ html, url }) => JSON.stringify({ html, url })).join("\n"),
      encoding: "utf8",
      maxBuffer: 2 ** 30
    }
  );
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};

const truths = pages.map(({ markdown }) => piecesOf(markdown));

const report = ({ cpuMs, name, texts, wallMs }: Reading): void => {
  const found = texts.map(piecesOf);
  const shares = PIECES.map((piece) => {
    const each = truths.map((truth, index) => agreement(found[index]?.get(piece), truth.get(piece)));
    const share = (key: "recall" | "precision" | "f1"): string =>
      mean(each.map((measure) => measure[key]).filter((value) => value !== null)).toFixed(3);
    return `${share("recall")} ${share("precision")} ${share("f1")}`;
  });
  const words = mean(
    texts.map((text, index) => wordF1(textOfNode(parsedMarkdown(text)), pages[index]?.body ?? ""))
  );
  const empty = texts.filter((text) => text.trim() === "").length;
  const cells = [name, ...shares, words.toFixed(3), empty, cpuMs?.toFixed(1) ?? "", wallMs.toFixed(1)];
  console.log(`| ${cells.join(" | ")} |`);
};

const counted = PIECES.map(
  (piece) => `${piece} (${truths.filter((truth) => (truth.get(piece)?.size ?? 0) > 0).length})`
);
const columns = [`${pages.length} pages`, ...counted, "words", "empty", "CPU ms", "wall ms"];
console.error = console.warn = () => {};
console.log(`| ${columns.join(" | ")} |\n|${" --- |".repeat(columns.length)}`);
report(await measured("winnow", winnow));
report({ ...(await measured("winnow, in its worker", worker)), cpuMs: null });
if (unseen !== null) report(await measured("winnow, unseen", winnowUnseen));
if (values.python !== undefined) for (const reading of ofPython(values.python)) report(reading);
if (!values.alone) {
  report(await measured("defuddle", defuddle));
  report(await measured("turndown over readability", readability));
}
