/**
 * How often title, author and date of articles match the ground truth, for even and odd domains. The rules were
 * written with knowledge of the errors on the even domains and on half of the odd ones, so only the rest (`unseen`)
 * shows how well they generalise.
 *
 *   node packages/pages/bench/page-bylines.ts <pages.jsonl.zst>... [--misses] [--half even|odd]
 *
 * A page is one JSON line {url, type, html, title, author, date}; the data is not part of this repo. A title is
 * correct from a word F1 of 0.8, an author if one name contains the other.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { PageReading } from "../src/facts/PageReading.ts";
import { readBytes } from "../src/ReadBytes.ts";
import { isSameAuthor, isSameDay, isSameTitle } from "./page-text/bylines.ts";
import { loadPages, mean, type Page } from "./page-text/measures.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: "boolean", default: false }, half: { type: "string" } }
});

const digestOf = ({ url }: Page): Buffer =>
  createHash("sha256")
    .update(URL.parse(url ?? "")?.hostname ?? "")
    .digest();

const halfOf = (page: Page): "even" | "odd" => ((digestOf(page)[0] ?? 0) % 2 === 0 ? "even" : "odd");

/** Whether the errors on this domain were unknown while the rules were written. */
const isUnseen = (page: Page): boolean => halfOf(page) === "odd" && (digestOf(page)[1] ?? 0) % 2 === 1;

const read = async ({ html, url }: Page): Promise<PageReading | null> => {
  const source = { url: url ?? "https://page.test/", contentType: "text/html; charset=utf-8" };
  const outcome = await readBytes(new TextEncoder().encode(html), source);
  return "reading" in outcome ? outcome.reading : null;
};

const FIELDS = [
  ["title", (reading: PageReading | null) => reading?.metadata.title, isSameTitle],
  ["author", (reading: PageReading | null) => reading?.metadata.uploader, isSameAuthor],
  ["date", (reading: PageReading | null) => reading?.metadata.uploadDate, isSameDay]
] as const;

for (const file of positionals) {
  const articles = loadPages(file).filter(
    (page) => page.type === "article" && (values.half === undefined || halfOf(page) === values.half)
  );
  const right = new Map<string, Array<number>>();
  const count = (key: string, isRight: boolean): void => {
    right.set(key, [...(right.get(key) ?? []), Number(isRight)]);
  };
  for (const page of articles) {
    const reading = await read(page);
    for (const [field, foundIn, isSame] of FIELDS) {
      const [found, truth] = [foundIn(reading) ?? null, page[field] ?? ""];
      if (truth.trim() === "") continue;
      const isRight = isSame(found, truth);
      count(`${field} ${halfOf(page)}`, isRight);
      if (isUnseen(page)) count(`${field} unseen`, isRight);
      count(field, isRight);
      if (!isRight && values.misses && values.half !== undefined)
        console.log(
          `  ${page.id} ${field} ${JSON.stringify(truth)} but ${JSON.stringify(found)} ${page.url}`
        );
    }
  }
  console.log(file);
  for (const [key, each] of [...right].toSorted())
    console.log(" ", key.padEnd(14), mean(each).toFixed(3), each.length);
}
