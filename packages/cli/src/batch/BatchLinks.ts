/** The links of a file for `winnow batch`: one a line, or a column of a CSV. Pure. */
import { BATCH_ITEMS_MAX } from "@winnow/core/domain/run/Batch";

/** Largest file of links. */
export const LINKS_BYTES_MAX = 4_194_304;

export interface Link {
  readonly url: string;
  /** In the file, from 1. */
  readonly line: number;
}

/** Why a file cannot be used, and what to do: a sentence that follows the name of the file. */
export class UnusableLinks extends Error {}

const refuse = (message: string): never => {
  throw new UnusableLinks(message);
};

const SAVE_AS = 'save it as UTF-8 (in Excel: "CSV UTF-8").';

interface Decoded {
  readonly text: string;
  /** Only ASCII is certain: the file is in an encoding of one region, such as Windows-1252. */
  readonly isAscii: boolean;
}

const decode = (bytes: Uint8Array): Decoded => {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  if (marked !== null) {
    const text = new TextDecoder(marked).decode(bytes);
    return text.includes("\0") ? refuse(`is not text: ${SAVE_AS}`) : { text, isAscii: false };
  }
  if (bytes.includes(0)) return refuse(`is not text, or UTF-16 without a byte order mark: ${SAVE_AS}`);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), isAscii: false };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), isAscii: true };
  }
};

interface Row {
  readonly cells: ReadonlyArray<string>;
  readonly line: number;
}

const DELIMITERS = [",", ";", "\t"] as const;

/** The delimiter that the row has most of, outside quotes; null if it has none. */
const delimiterOf = (row: string): string | null => {
  const bare = row.replace(/"[^"]*"/gu, "");
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }));
  const [most] = counts.toSorted((left, right) => right.count - left.count);
  return most === undefined || most.count === 0 ? null : most.delimiter;
};

/** RFC 4180 with any delimiter: quoted cells may contain it, line breaks, and quotes written twice. */
const rowsOf = (text: string, delimiter: string | null): ReadonlyArray<Row> => {
  const rows: Array<Row> = [];
  let cells: Array<string> = [];
  let cell = "";
  let line = 1;
  let rowLine = 1;
  let quotedFrom: number | null = null;
  const endCell = (): void => {
    cells.push(cell.trim());
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    rows.push({ cells, line: rowLine });
    cells = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") line += 1;
    if (quotedFrom !== null) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text.charAt((at += 1));
      else quotedFrom = null;
    } else if (char === '"' && cell.trim() === "") {
      cell = "";
      quotedFrom = line;
    } else if (char === delimiter) endCell();
    else if (char === "\n") {
      endRow();
      rowLine = line;
    } else cell += char;
  }
  if (quotedFrom !== null) return refuse(`has a quote in line ${quotedFrom} that is not closed: close it.`);
  endRow();
  return rows;
};

const isHttp = (cell: string): boolean => /^https?:\/\//iu.test(cell);
const isHeader = (cell: string): boolean => cell.toLowerCase() === "url";
const isComment = (line: string): boolean => line.trimStart().startsWith("#");

const linksOfTable = (text: string, delimiter: string | null): ReadonlyArray<Link> => {
  const rows = rowsOf(text, delimiter).filter(
    ({ cells }) => cells.some((cell) => cell !== "") && !isComment(cells[0] ?? "")
  );
  const named = rows[0]?.cells.findIndex(isHeader) ?? -1;
  const column =
    named >= 0 ? named : (rows.find(({ cells }) => cells.some(isHttp))?.cells.findIndex(isHttp) ?? -1);
  if (column < 0) return refuse("has no column of links: name the column `url`.");
  const body = named >= 0 || !isHttp(rows[0]?.cells[column] ?? "") ? rows.slice(1) : rows;
  return body.map(({ cells, line }) => ({ url: cells[column] ?? "", line })).filter(({ url }) => url !== "");
};

/**
 * The links of a file in their order. A table is a file named .csv or .tsv, or one whose first line has a column `url`;
 * everything else is a list. Links are not validated: the service reports each that it refuses.
 *
 * @throws UnusableLinks
 */
export const readLinks = (bytes: Uint8Array, name: string): ReadonlyArray<Link> => {
  if (bytes.length > LINKS_BYTES_MAX)
    return refuse(`is larger than ${LINKS_BYTES_MAX / 1_048_576} MB: split it.`);
  const { text: decoded, isAscii } = decode(bytes);
  const broken = decoded.replace(/\r\n?/gu, "\n");
  // Spreadsheets read the delimiter from such a first line.
  const declared = /^"?sep=(.)"?\n/iu.exec(broken);
  const text = declared === null ? broken : `\n${broken.slice(declared[0].length)}`;
  const lines = text.split("\n").map((line, index) => ({ url: line.trim(), line: index + 1 }));
  const listed = lines.filter(({ url }) => url !== "" && !isComment(url));
  const first = listed[0]?.url ?? "";
  const [header] = rowsOf(first.replace(/"[^"]*$/u, ""), delimiterOf(first));
  const isTable = declared !== null || /\.[ct]sv$/iu.test(name) || (header?.cells.some(isHeader) ?? false);
  const links = isTable && first !== "" ? linksOfTable(text, declared?.[1] ?? delimiterOf(first)) : listed;
  if (links.length === 0) return refuse("has no links: write one a line.");
  if (links.length > BATCH_ITEMS_MAX) {
    return refuse(`has ${links.length} links, and a batch at most ${BATCH_ITEMS_MAX}: split it.`);
  }
  const unsure = isAscii ? links.find(({ url }) => /[^\p{ASCII}]/u.test(url)) : undefined;
  if (unsure !== undefined)
    return refuse(`is not UTF-8, and the link in line ${unsure.line} has letters of it: ${SAVE_AS}`);
  return links;
};
