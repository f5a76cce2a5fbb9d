/**
 * How much of the structure of pages their Markdown keeps, compared with Defuddle, and with turndown applied to the
 * output of Readability: recall of headings, list items, table cells, code blocks and links, averaged over the pages
 * that have some; and how much the words of the Markdown differ from those of the text.
 *
 *   node packages/pages/bench/page-markdown.ts <pages.jsonl.zst>... [--markdown <truth.jsonl.zst>] [--every N] [--alone]
 *     [--chances <file>]
 *
 * A page is one JSON line {id, url, html, body, markdown}; `--markdown` names a file of {id, markdown} for pages
 * that lack it. `--chances` names the file written by train/train-page-text.ts: our reader is then also measured
 * with models that have not seen the site of a page, and with all blocks kept, which is the upper bound for any
 * choice of blocks. The data is not part of this repo.
 */
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
import { type Block, cutBlocks, type PageBlocks } from "../src/select/blocks/Blocks.ts";
import { mainText } from "../src/select/blocks/MainText.ts";
import { readContent } from "../src/write/readContent.ts";
import { writeContent } from "../src/write/writeContent.ts";
import { bodyOf } from "../src/parse/PageTree.ts";
import { type PageScan, scanPage } from "../src/parse/PageScan.ts";
import { parsePage } from "../src/parse/ParsedPage.ts";
import { readBytes } from "../src/ReadBytes.ts";
import { loadPages, mean, type Page, wordF1 } from "./page-text/measures.ts";
import { parsedMarkdown, PIECES, piecesOf, recallOf, textOfNode, visit } from "./page-text/structure.ts";

type MarkedPage = Page & { readonly markdown?: string | null };

interface Found {
  readonly markdown: string;
  readonly text: string;
}

const own = async ({ html, url }: Page): Promise<Found> => {
  const source = { url: url ?? "https://page.test/", contentType: "text/html; charset=utf-8" };
  const outcome = await readBytes(new TextEncoder().encode(html), source);
  if ("refused" in outcome) return { markdown: "", text: "" };
  const { markdown, plain } = outcome.reading.text;
  return { markdown, text: plain };
};

/** The Markdown of the chosen blocks. */
const chosen = (
  { html, url }: Page,
  choose: (page: PageBlocks, scan: PageScan, url: string) => ReadonlyArray<Block>
): Found => {
  const address = url ?? "https://page.test/";
  const { root } = parsePage(html);
  const scan = scanPage(root);
  const page = cutBlocks(bodyOf(root));
  const kept = choose(page, scan, address);
  const resolve = resolver(address, scan.baseHref);
  const content = { pages: [readContent({ body: page.body.element, kept, resolve })], isPaged: false };
  const { markdown, plain } = writeContent(content);
  return { markdown, text: plain };
};

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.use(gfm);

const readability = ({ html }: Page): Found => {
  const article = new Readability(parseHTML(html).document).parse();
  return { markdown: turndown.turndown(article?.content ?? ""), text: article?.textContent ?? "" };
};

const defuddle = async ({ html, url }: Page): Promise<Found> => {
  const { content } = await Defuddle(parseHTML(html).document, url ?? "https://page.test/", {
    markdown: true
  });
  return { markdown: content, text: content };
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    markdown: { type: "string" },
    every: { type: "string", default: "1" },
    chances: { type: "string" },
    alone: { type: "boolean", default: false }
  }
});
const more = new Map(
  values.markdown === undefined
    ? []
    : (loadPages(values.markdown) as ReadonlyArray<MarkedPage>).map(({ id, markdown }) => [id, markdown])
);
const pages = (positionals.flatMap(loadPages) as ReadonlyArray<MarkedPage>)
  .filter((_, index) => index % Number(values.every) === 0)
  .map((page) => ({ ...page, markdown: page.markdown ?? more.get(page.id) ?? "" }))
  .filter(({ markdown }) => markdown !== "");

const quiet = async (read: (page: Page) => Found | Promise<Found>, page: Page): Promise<Found> => {
  try {
    return await read(page);
  } catch {
    return { markdown: "", text: "" };
  }
};

type Reader = readonly [name: string, read: (page: Page) => Found | Promise<Found>];

const unseen =
  values.chances === undefined
    ? null
    : (JSON.parse(readFileSync(values.chances, "utf8")) as Readonly<Record<string, ReadonlyArray<number>>>);

const ours: ReadonlyArray<Reader> = [
  ["winnow", own],
  ...(unseen === null
    ? []
    : ([
        [
          "winnow, unseen",
          (page) =>
            chosen(page, (blocks, scan, url) => {
              const chances = Float32Array.from(unseen[page.id] ?? []);
              return mainText(blocks, chances, { scan, url }).blocks;
            })
        ],
        ["winnow, all blocks", (page) => chosen(page, ({ blocks }) => blocks)]
      ] satisfies ReadonlyArray<Reader>))
];

const readers: ReadonlyArray<Reader> = values.alone
  ? ours
  : [...ours, ["defuddle", defuddle], ["turndown over readability", readability]];

const truths = pages.map(({ markdown }) => piecesOf(markdown));
for (const [name, read] of readers) {
  const found: Array<Found> = [];
  for (const page of pages) found.push(await quiet(read, page));
  const pieces = found.map(({ markdown }) => piecesOf(markdown));
  const recalls = PIECES.map((piece) => {
    const each = truths
      .map((truth, index) => recallOf(pieces[index]?.get(piece), truth.get(piece)))
      .filter((recall) => recall !== null);
    return `${piece} ${mean(each).toFixed(3)} (${each.length})`;
  });
  console.log(name.padEnd(26), recalls.join("  "));
  if (name !== "winnow") continue;
  const trees = found.map(({ markdown }) => parsedMarkdown(markdown));
  const f1 = (texts: ReadonlyArray<string>): number =>
    mean(texts.map((text, index) => wordF1(text, pages[index]?.body ?? "")));
  let raw = 0;
  // Lines of a cell are divided by `<br>`; nothing else of a page is HTML.
  for (const tree of trees)
    visit(
      tree,
      (node) => (raw += node.type === "html" && !("value" in node && node.value === "<br>") ? 1 : 0)
    );
  console.log("  word F1 of the text", f1(found.map(({ text }) => text)).toFixed(4));
  console.log("  word F1 of the Markdown", f1(trees.map(textOfNode)).toFixed(4), "raw HTML nodes", raw);
}
