/**
 * The links of a file or a paste: one a line, or a column of a CSV, in any encoding that browsers know. The text is
 * read piece by piece, so that the page stays responsive, and only the links that fit a batch are kept. Pure.
 */
import { withScheme } from "../new/draft.ts";
import { linksWords } from "./words.ts";

/** Links in a batch, by the rules of the service. */
export const LINKS_MAX = 1_000;
export const FILE_BYTES_MAX = 52_428_800;
const PIECE_BYTES = 524_288;
const SAMPLE_BYTES = 4_096;

/** Why the file cannot be used, as a sentence. */
export class UnusableLinks extends Error {}

const isHttp = (cell: string): boolean => /^https?:\/\//iu.test(cell);
const isHeader = (cell: string): boolean => cell.toLowerCase() === "url";
const isBlankOrComment = (cells: ReadonlyArray<string>): boolean =>
  cells.every((cell) => cell === "") || cells[0]?.startsWith("#") === true;

/** In no text: a table of one column. */
const NO_DELIMITER = "\0";

/** The delimiter that the line has most of, outside quotes; a comma may follow a quote that goes on in the next. */
const delimiterOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"/gu, "");
  const countOf = (delimiter: string): number => bare.split(delimiter).length;
  const none = line.split('"').length % 2 === 1 ? NO_DELIMITER : ",";
  return [",", ";", "\t"].reduce((most, each) => (countOf(each) > countOf(most) ? each : most), none);
};

const namesUrl = (line: string): boolean =>
  line.split(delimiterOf(line)).some((cell) => isHeader(cell.trim().replace(/^"(.*)"$/u, "$1")));

/** RFC 4180 with any delimiter, or plain lines where it is null; text may come in pieces. */
const rowReader = (delimiter: string | null, onRow: (cells: ReadonlyArray<string>) => void) => {
  let cells: Array<string> = [];
  let cell = "";
  let isBlank = true;
  let isQuoted = false;
  let hasEnded = false;
  const endRow = (): void => {
    onRow([...cells, cell.trim()]);
    cells = [];
    cell = "";
  };
  const read = (text: string): void => {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const char = text.charAt(at);
      const isQuote = char === '"' && delimiter !== null;
      const isTwice = isQuote && hasEnded;
      hasEnded = isQuoted && isQuote;
      // Elsewhere than at the beginning of a cell, a quote stands for itself.
      if (isQuoted ? !isQuote : isQuote ? !isBlank && !isTwice : char !== "\n" && char !== delimiter) {
        isBlank &&= char === " ";
        continue;
      }
      cell += text.slice(from, at);
      from = at + 1;
      isBlank = !isQuote;
      if (char === "\n") endRow();
      else if (!isQuote) {
        cells.push(cell.trim());
        cell = "";
      } else {
        // A quote written twice ends the quoted part and begins another: it stands for itself.
        if (isTwice) cell += '"';
        isQuoted = !isQuoted;
      }
    }
    cell += text.slice(from);
  };
  const end = (): void => {
    if (isQuoted) throw new UnusableLinks(linksWords.openQuote);
    endRow();
  };
  return { read, end };
};

/** Keeps the first links, and counts all. */
const linkCollector = (isTable: boolean) => {
  const links: Array<string> = [];
  let count = 0;
  let column = isTable ? -1 : 0;
  const take = (cells: ReadonlyArray<string>): void => {
    if (isBlankOrComment(cells)) return;
    if (column < 0) {
      column = cells.findIndex(isHeader);
      if (column >= 0) return;
      column = cells.findIndex(isHttp);
      if (column < 0) return;
    }
    const link = cells[column] ?? "";
    if (link === "") return;
    count += 1;
    if (count <= LINKS_MAX) links.push(withScheme(link));
  };
  const finish = (): ReadonlyArray<string> => {
    if (column < 0) throw new UnusableLinks(linksWords.noColumn);
    if (count > LINKS_MAX) throw new UnusableLinks(linksWords.tooMany(count, LINKS_MAX));
    return links;
  };
  return { take, finish };
};

/** By its byte order mark, or where its zeros are; UTF-8 otherwise. */
const encodingOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = bytes.filter((byte) => byte === 0).length;
  return zeros * 4 < bytes.length ? "utf-8" : bytes.indexOf(0) % 2 === 1 ? "utf-16le" : "utf-16be";
};

const readAs = async (file: Blob, name: string, encoding: string): Promise<ReadonlyArray<string>> => {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let reader: ReturnType<typeof rowReader> | null = null;
  let collector = linkCollector(false);
  let waiting = "";
  const begin = (): void => {
    const declared = /^"?sep=(.)"?\n/iu.exec(waiting);
    waiting = waiting.slice(declared?.[0].length ?? 0);
    const first = waiting.split("\n").find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
    const isTable = declared !== null || /\.[ct]sv$/iu.test(name) || namesUrl(first);
    collector = linkCollector(isTable && first !== "");
    reader = rowReader(isTable ? (declared?.[1] ?? delimiterOf(first)) : null, collector.take);
  };
  for (let from = 0; from < file.size || from === 0; from += PIECE_BYTES) {
    const bytes = await file.slice(from, from + PIECE_BYTES).arrayBuffer();
    const isLast = from + PIECE_BYTES >= file.size;
    waiting += decoder.decode(bytes, { stream: !isLast });
    if (waiting.includes("\0")) throw new UnusableLinks(linksWords.notText);
    // Half of a line break waits for the rest.
    const rest = !isLast && waiting.endsWith("\r") ? "\r" : "";
    waiting = waiting.slice(0, waiting.length - rest.length).replace(/\r\n?/gu, "\n");
    if (reader === null) begin();
    (reader as ReturnType<typeof rowReader> | null)?.read(waiting);
    waiting = rest;
  }
  (reader as ReturnType<typeof rowReader> | null)?.end();
  return collector.finish();
};

/**
 * The links in their order; empty if there are none. A table is a file named .csv or .tsv, or one whose first line
 * has a column `url`. Links are not validated: the service says which it refuses.
 *
 * @throws UnusableLinks
 */
export const readLinks = async (file: Blob, name = ""): Promise<ReadonlyArray<string>> => {
  if (file.size > FILE_BYTES_MAX) throw new UnusableLinks(linksWords.tooLarge(FILE_BYTES_MAX / 1_048_576));
  const encoding = encodingOf(new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer()));
  try {
    return await readAs(file, name, encoding);
  } catch (error) {
    if (error instanceof UnusableLinks) throw error;
    if (encoding !== "utf-8") throw new UnusableLinks(linksWords.notText);
    // Only its ASCII is certain: the file is in an encoding of some region.
    const links = await readAs(file, name, "windows-1252");
    if (links.some((link) => /[^\0-\x7F]/u.test(link))) throw new UnusableLinks(linksWords.notUtf8);
    return links;
  }
};
