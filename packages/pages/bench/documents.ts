/**
 * Compares our reader of documents with pandoc (DOCX, EPUB), poppler (PDF) and the text of slides (PPTX): rejected
 * files with their reasons, recall, precision and order of words, structure, properties, time, and whether page.md
 * is CommonMark without HTML.
 *
 *   node packages/pages/bench/documents.ts <folder> [--kind pdf|docx|pptx|epub] [--every N] [--cache <folder>] [--out <file>]
 *
 * Every file below the folder is read by the same worker as the documents of a run. `--cache` keeps the output of
 * the other programs; `--out` writes one JSON line per file. Documents are not part of this repo.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { type PageReading, readPage } from "../src/index.ts";
import { type Reference, referenceOf } from "./documents/references.ts";
import { mean, tally, wordsOf } from "./page-text/measures.ts";
import { agreement, parsedMarkdown, PIECES, piecesOf, visit } from "./page-text/structure.ts";

const KINDS = ["docx", "pptx", "epub", "pdf"];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: "string" },
    every: { type: "string", default: "1" },
    cache: { type: "string" },
    out: { type: "string" }
  }
});

/** Of the words that occur once in both texts, the share that is in the same order. */
const orderOf = (found: ReadonlyArray<string>, truth: ReadonlyArray<string>): number | null => {
  const [ours, theirs] = [tally(found), tally(truth)];
  const place = new Map(truth.map((word, index) => [word, index]));
  const places = found
    .filter((word) => ours.get(word) === 1 && theirs.get(word) === 1)
    .map((word) => place.get(word) ?? 0);
  /** Of the increasing subsequences of each length, the smallest last element. */
  const ends: Array<number> = [];
  for (const at of places) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    ends[low] = at;
  }
  return places.length < 10 ? null : ends.length / places.length;
};

const wordsAgainst = (found: string, truth: string) => {
  const [a, b] = [wordsOf(found), wordsOf(truth)];
  const [ours, theirs] = [tally(a), tally(b)];
  let shared = 0;
  for (const [word, times] of ours) shared += Math.min(times, theirs.get(word) ?? 0);
  return {
    recall: b.length === 0 ? null : shared / b.length,
    precision: a.length === 0 ? null : shared / a.length,
    order: orderOf(a, b)
  };
};

const cached = async (path: string, kind: string): Promise<Reference | null> => {
  if (values.cache === undefined) return referenceOf(path, kind);
  mkdirSync(values.cache, { recursive: true });
  const file = join(values.cache, `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await referenceOf(path, kind)));
  return JSON.parse(readFileSync(file, "utf8"));
};

const read = async (path: string): Promise<PageReading | string> => {
  try {
    return await readPage(readFileSync(path), { url: "https://documents.test/", contentType: null });
  } catch (error) {
    return String((error as { readonly reason?: string }).reason ?? error);
  }
};

const htmlNodes = (markdown: string): number => {
  let count = 0;
  visit(parsedMarkdown(markdown), (node) => {
    if (node.type === "html" && !/^<!-- page \d+ -->$/.test((node as { value?: string }).value ?? ""))
      count += 1;
  });
  return count;
};

const notesOf = (markdown: string): number => markdown.match(/^\[\^[^\]]+\]:/gm)?.length ?? 0;

const same = (found: string | null, truth: string | null): number | null =>
  truth === null ? null : Number(wordsOf(found ?? "").join(" ") === wordsOf(truth).join(" "));

const measure = async (path: string, kind: string) => {
  const start = performance.now();
  const reading = await read(path);
  const seconds = (performance.now() - start) / 1_000;
  const reference = await cached(path, kind);
  if (typeof reading === "string")
    return {
      path,
      kind,
      seconds,
      refused: reading,
      isReadElsewhere: reference !== null && wordsOf(reference.text).length > 0
    };
  const result = { path, kind, seconds, html: htmlNodes(reading.text.markdown), reading };
  if (reference === null) return result;
  const [ours, theirs] = [piecesOf(reading.text.markdown), piecesOf(reference.markdown)];
  return {
    ...result,
    ...wordsAgainst(reading.text.plain, reference.text),
    pages: reference.pageCount === null ? null : Number(reading.text.pageCount === reference.pageCount),
    title: same(reading.metadata.title, reference.title),
    author: same(reading.metadata.uploader, reference.author),
    date: reference.date === null ? null : Number(reading.metadata.uploadDate === reference.date),
    ...Object.fromEntries(
      PIECES.map((piece) => [piece, agreement(ours.get(piece), theirs.get(piece)).recall])
    ),
    notes:
      notesOf(reference.markdown) === 0
        ? null
        : Math.min(1, notesOf(reading.text.markdown) / notesOf(reference.markdown))
  };
};

const MEASURES = ["recall", "precision", "order", ...PIECES, "notes", "pages", "title", "author", "date"];

const quantile = (numbers: ReadonlyArray<number>, share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(share * (numbers.length - 1))] ?? 0;

for (const folder of positionals) {
  if (values.out !== undefined) rmSync(values.out, { force: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const kind of KINDS.filter((each) => values.kind === undefined || each === values.kind)) {
    const paths = files
      .filter((path) => extname(path).toLowerCase().replace(/m$/, "x") === `.${kind}`)
      .filter((_, index) => index % Number(values.every) === 0);
    if (paths.length === 0) continue;
    const results: Array<Readonly<Record<string, unknown>>> = [];
    for (const path of paths) {
      const result = await measure(path, kind);
      results.push(result);
      if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(result)}\n`);
    }
    const refusals = tally(
      results
        .filter(({ refused }) => refused !== undefined)
        .map(
          ({ isReadElsewhere, refused }) => `${refused}${isReadElsewhere === true ? " (read elsewhere)" : ""}`
        )
    );
    console.log(`${kind}: ${paths.length} files; refused:`, Object.fromEntries(refusals));
    for (const name of MEASURES) {
      const numbers = results.map((result) => result[name]).filter((value) => typeof value === "number");
      if (numbers.length > 0)
        console.log(
          `  ${name.padEnd(10)} mean ${mean(numbers).toFixed(4)}  worst tenth ${quantile(numbers, 0.1).toFixed(4)}  (${numbers.length})`
        );
    }
    const seconds = results.map((result) => Number(result["seconds"]));
    console.log(
      `  seconds    median ${quantile(seconds, 0.5).toFixed(3)}  95 % ${quantile(seconds, 0.95).toFixed(3)}  worst ${quantile(seconds, 1).toFixed(3)}`
    );
    console.log(`  html nodes ${results.reduce((sum, { html }) => sum + Number(html ?? 0), 0)}`);
  }
}
console.log(`memory of the process at most ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
