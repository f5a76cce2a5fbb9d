/**
 * Files of links: `@winnow/client/links`. One link a line, or a column of a CSV, in the encodings that editors and
 * spreadsheets write. A file is read piece by piece and once, so that 50 MB need no 50 MB of memory. No network.
 */

/** 50 MB. */
const BYTES_MAX = 52_428_800;
/** Tells the encoding of a file without a byte order mark. */
const SAMPLE_BYTES = 4_096;
/** Bytes given whole are read in pieces too. */
const PIECE_BYTES = 524_288;

export interface Link {
  /** With `https://` where the file has a host without a scheme. */
  readonly url: string;
  /** Of its row in the file, from 1. */
  readonly line: number;
}

/** Stands where a link should, and is none: the service would refuse it, too. */
export interface RefusedLink extends Link {
  readonly reason: "not_a_url";
}

/** Both in the order of the file, and repeated as they are there. */
export interface Links {
  readonly items: ReadonlyArray<Link>;
  readonly refused: ReadonlyArray<RefusedLink>;
}

/** Everything that stands where a link should, in the order of the file: for a service that says what it refuses. */
export const allLinks = ({ items, refused }: Links): ReadonlyArray<Link> =>
  [...items, ...refused].toSorted((left, right) => left.line - right.line);

export interface ReadLinksOptions {
  /** Size of the largest file; 50 MB by default. */
  readonly maxBytes?: number;
  /** The most links; a batch takes 1,000. Unlimited by default. */
  readonly maxLinks?: number;
  /** Its ending tells a table: `.csv` or `.tsv`. Without, a first line with a column `url` does. */
  readonly name?: string | undefined;
}

/** Chunks may end anywhere: also within a letter, a quote or a line break. */
export type LinksSource = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Why a file cannot be used as a whole. The message is a sentence with the remedy. */
export class UnusableLinks extends Error {
  override readonly name = "UnusableLinks";
}

const isHeader = (cell: string): boolean => cell.toLowerCase() === "url";
const startsLink = (cell: string): boolean => /^https?:\/\//iu.test(cell);
const isComment = (text: string): boolean => text.trimStart().startsWith("#");

/** Whether it is a whole URL of the web. `URL.canParse("foo:bar")` is true, so the protocol is checked too. */
export const isWebUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol) && new URL(text).host !== "";

/** Adds the scheme that links are often written without: `example.com/a` is `https://example.com/a`. */
export const withScheme = (text: string): string => {
  const trimmed = text.trim();
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#:].*)?$/u.test(trimmed) ? `https://${trimmed}` : trimmed;
};

/** In no text: the delimiter of a table of one column. */
const NO_DELIMITER = "\0";

/** The one that the line has most of, outside quotes; a comma may follow a quote that goes on in the next line. */
const delimiterOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"/gu, "");
  const countOf = (delimiter: string): number => bare.split(delimiter).length;
  const none = line.split('"').length % 2 === 1 ? NO_DELIMITER : ",";
  return [",", ";", "\t"].reduce((most, each) => (countOf(each) > countOf(most) ? each : most), none);
};

const namesUrl = (line: string): boolean =>
  line.split(delimiterOf(line)).some((cell) => isHeader(cell.trim().replace(/^"(.*)"$/u, "$1")));

type OnRow = (cells: ReadonlyArray<string>, line: number) => void;

/** RFC 4180 with any delimiter, or plain lines where it is null; text may come in pieces. */
const rowReader = (delimiter: string | null, firstLine: number, onRow: OnRow) => {
  let cells: Array<string> = [];
  let cell = "";
  let line = firstLine;
  let rowLine = firstLine;
  let quoteLine = firstLine;
  let isBlank = true;
  let isQuoted = false;
  let hasEnded = false;
  const endRow = (): void => {
    onRow([...cells, cell.trim()], rowLine);
    cells = [];
    cell = "";
    rowLine = line;
  };
  const read = (text: string): void => {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const char = text.charAt(at);
      if (char === "\n") line += 1;
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
        if (isQuoted && !isTwice) quoteLine = line;
      }
    }
    cell += text.slice(from);
  };
  const end = (): void => {
    if (isQuoted)
      throw new UnusableLinks(
        `The quote that begins in line ${quoteLine} is not closed. Close it, and try again.`
      );
    endRow();
  };
  return { read, end };
};

/** Takes the links out of rows. Of too many, only their number is kept. */
const linkCollector = (isTable: boolean, maxLinks: number) => {
  const items: Array<Link> = [];
  const refused: Array<RefusedLink> = [];
  let count = 0;
  let rows = 0;
  let column = isTable ? -1 : 0;
  const take: OnRow = (cells, line) => {
    if (cells.every((cell) => cell === "") || isComment(cells[0] ?? "")) return;
    rows += 1;
    if (column < 0) {
      column = cells.findIndex(isHeader);
      if (column >= 0) return;
      column = cells.findIndex(startsLink);
      if (column < 0) return;
    }
    const cell = cells[column] ?? "";
    if (cell === "") return;
    count += 1;
    if (count > maxLinks) return;
    const url = withScheme(cell);
    if (isWebUrl(url)) items.push({ url, line });
    else refused.push({ url, line, reason: "not_a_url" });
  };
  const end = (): Links => {
    if (column < 0 && rows > 0) throw new UnusableLinks("There is no column of links. Name the column url.");
    if (count > maxLinks) {
      const [found, most] = [count, maxLinks].map((number) => number.toLocaleString("en"));
      throw new UnusableLinks(`There are ${found} links, and a batch has at most ${most}. Split the file.`);
    }
    return { items, refused };
  };
  return { take, end };
};

/** Decides by the first line whether the text is a table, and reads its rows. */
const textReader = ({ name = "", maxLinks = Infinity }: ReadLinksOptions) => {
  let waiting = "";
  let rest = "";
  let collector = linkCollector(false, maxLinks);
  let rows: ReturnType<typeof rowReader> | null = null;
  const begin = () => {
    // Spreadsheets read the delimiter from such a first line.
    const declared = /^"?sep=(.)"?\n/iu.exec(waiting);
    waiting = waiting.slice(declared?.[0].length ?? 0);
    const first = waiting.split("\n").find((line) => line.trim() !== "" && !isComment(line)) ?? "";
    const isTable = declared !== null || /\.[ct]sv$/iu.test(name) || namesUrl(first);
    collector = linkCollector(isTable && first !== "", maxLinks);
    const delimiter = isTable ? (declared?.[1] ?? delimiterOf(first)) : null;
    return rowReader(delimiter, declared === null ? 1 : 2, collector.take);
  };
  const read = (text: string, isLast: boolean): void => {
    const joined = rest + text;
    // Half of a line break waits for the rest.
    rest = !isLast && joined.endsWith("\r") ? "\r" : "";
    waiting += joined.slice(0, joined.length - rest.length).replace(/\r\n?/gu, "\n");
    if (rows === null && !isLast && waiting.length < SAMPLE_BYTES) return;
    rows ??= begin();
    rows.read(waiting);
    waiting = "";
  };
  const end = (): Links => {
    rows?.end();
    return collector.end();
  };
  return { read, end };
};

/** By its byte order mark, or where its zeros are; UTF-8 otherwise. */
const encodingOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = bytes.filter((byte) => byte === 0).length;
  return zeros * 4 < bytes.length ? "utf-8" : bytes.indexOf(0) % 2 === 1 ? "utf-16le" : "utf-16be";
};

/** By a reader where there is one, because WebKit cannot iterate streams. */
async function* arrivalsOf(
  source: Exclude<LinksSource, Uint8Array>
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!("getReader" in source)) return yield* source;
  const reader = source.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

const tooLarge = (maxBytes: number): UnusableLinks => {
  const megabytes = (maxBytes / 1_048_576).toLocaleString("en");
  return new UnusableLinks(`The file is larger than ${megabytes} MB. Split it.`);
};

async function* chunksOf(source: LinksSource, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (source instanceof Uint8Array) {
    if (source.length > maxBytes) throw tooLarge(maxBytes);
    for (let at = 0; at < source.length; at += PIECE_BYTES) yield source.subarray(at, at + PIECE_BYTES);
    return;
  }
  let sizeBytes = 0;
  for await (const chunk of arrivalsOf(source)) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** The text in pieces. What the encoding does not know is U+FFFD. */
async function* piecesOf(source: LinksSource, maxBytes: number): AsyncGenerator<string, void, undefined> {
  let sample: Uint8Array = new Uint8Array();
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of chunksOf(source, maxBytes)) {
    if (decoder !== null) yield decoder.decode(chunk, { stream: true });
    else {
      sample = new Uint8Array([...sample, ...chunk]);
      if (sample.length < SAMPLE_BYTES) continue;
      decoder = new TextDecoder(encodingOf(sample));
      yield decoder.decode(sample, { stream: true });
    }
  }
  yield decoder === null ? new TextDecoder(encodingOf(sample)).decode(sample) : decoder.decode();
}

/**
 * The links of a file. A table is a file named `.csv` or `.tsv`, or one whose first line has a column `url`: its
 * links are those of that column, else of the first column that has one. Everything else is a list of one a line;
 * empty lines, and lines that begin with `#`, are passed over. UTF-8 and UTF-16 are read; of any other encoding only
 * ASCII is certain, so a link with other letters makes the file unusable.
 *
 * @throws UnusableLinks
 */
export const readLinks = async (source: LinksSource, options: ReadLinksOptions = {}): Promise<Links> => {
  const reader = textReader(options);
  let isUnsure = false;
  for await (const text of piecesOf(source, options.maxBytes ?? BYTES_MAX)) {
    if (text.includes("\0"))
      throw new UnusableLinks("This file is not text. Save it as CSV or text, one link a line.");
    isUnsure ||= text.includes("\uFFFD");
    reader.read(text, false);
  }
  reader.read("", true);
  const links = reader.end();
  const unsure = isUnsure
    ? [...links.items, ...links.refused].find(({ url }) => /[^\p{ASCII}]/u.test(url))
    : undefined;
  if (unsure !== undefined) {
    throw new UnusableLinks(
      `This file is not UTF-8, and the link in line ${unsure.line} has letters of it. ` +
        'Save it as UTF-8 (in Excel: "CSV UTF-8").'
    );
  }
  return links;
};
