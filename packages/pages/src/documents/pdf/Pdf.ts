/**
 * Reads text and properties of a PDF, offline, page by page, without fonts, images or scripts, and names the pages that
 * are pictures. A hostile file can only end its worker, whose time and memory are limited. Measured by bench/documents.ts.
 */
import { fileURLToPath } from "node:url";
import { cleanText } from "@winnow/core/domain/text/CleanText";
import type { ContentBlock, Inline, PageContent } from "../../write/Content.ts";
import { withTypedLists } from "../../write/TypedLists.ts";
import { PDF_ANNOTATIONS_MAX, PDF_PAGES_MAX, TREE_TEXT_CHARS_MAX } from "../../PageLimits.ts";
import { dayIn } from "../../facts/PageDate.ts";
import { oneLine } from "../../parse/PlainText.ts";
import { headingOf, titleOf } from "../DocumentTitle.ts";
import { wholeWords } from "./DividedWords.ts";
import type { Document, DocumentOutcome } from "../Document.ts";
import { type Annotation, linksOfPage, type PdfLink, typedPieces } from "./PdfAnnotations.ts";
import { blocksOfPage, headingLevels, type PdfBlock } from "./PdfBlocks.ts";
import { CODE, hasJoinedNames, withJoinedNames } from "./PdfGlyphNames.ts";
import { linesOfPage, type PdfLine, type PdfPiece } from "./PdfLayout.ts";
import { LinkPlaces } from "./PdfLinks.ts";
import { picturedPages } from "./PdfPictures.ts";
import { areStreamsWithinLimits } from "./PdfStreams.ts";
import { type Grid, hasHead } from "./PdfTables.ts";
import { withoutRunningLines } from "./RunningLines.ts";

/** What fonts of Chinese, Japanese and Korean PDFs refer to by name (ISO 32000-2, 9.7.5.2): those of pdfjs-dist 6.1.200. */
const CMAPS = `${fileURLToPath(new URL("cmaps", import.meta.url))}/`;

const propertyOf = (info: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = info[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
};

/** The XMP metadata, used where the document information dictionary has no value. */
const describedIn = (metadata: { get(name: string): unknown } | null): Readonly<Record<string, unknown>> => {
  const valueOf = (name: string): unknown => {
    const value = metadata?.get(name);
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").join(", ") : value;
  };
  return {
    Title: valueOf("dc:title"),
    Author: valueOf("dc:creator"),
    CreationDate: valueOf("xmp:createdate")
  };
};

const withoutBlanks = (info: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(info).filter(([key]) => propertyOf(info, key) !== null));

/** `D:20250304…`: the date as written, in whatever time zone. */
const dayOf = (info: Readonly<Record<string, unknown>>): Document["date"] => {
  const date = propertyOf(info, "CreationDate") ?? propertyOf(info, "ModDate");
  return dayIn(/^(?:D:)?(\d{4}-?\d{2}-?\d{2})/.exec(date ?? "")?.[1]);
};

interface Item {
  readonly str: string;
  /** `ttb`: a column of vertical writing, whose letters are upright. */
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
  readonly transform: ReadonlyArray<number>;
}

/** Text direction in quarter turns, counterclockwise from upright. */
type Turn = 0 | 1 | 2 | 3;

const SKEW_MAX = 0.01;

/** Null for slanted text: watermarks and stamps. */
const turnOf = ({ dir, transform: [a = 0, b = 0] }: Item): Turn | null => {
  if (dir === "ttb") return 3;
  const size = Math.hypot(a, b) || 1;
  if (Math.abs(b) <= SKEW_MAX * size) return a >= 0 ? 0 : 2;
  return Math.abs(a) <= SKEW_MAX * size ? (b > 0 ? 1 : 3) : null;
};

/** Signs of vertical writing, which have a usual form. */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe48]/g;

/** The position after rotating the page so that the text is upright. */
const pieceOf = ({ dir, height, str, transform, width }: Item, turn: Turn): PdfPiece => {
  const [a = 0, b = 0, , scale = 0, x = 0, y = 0] = transform;
  const places = [
    [x, y],
    [y, -x],
    [-x, -y],
    [-y, x]
  ] as const;
  const [left, up] = places[turn];
  if (dir === "ttb") {
    const text = str.replaceAll(VERTICAL_FORMS, (sign) => sign.normalize("NFKC"));
    return { text, x: left, y: up, width: height, height: width };
  }
  return { text: str, x: left, y: up, width, height: height || Math.abs(scale) || Math.hypot(a, b) || 1 };
};

/** Of the library: corners in points, and how it is turned when it is shown. */
interface Sheet {
  readonly view: ReadonlyArray<number>;
  readonly rotate: number;
}

/** Shares of its height at the top and bottom where scanners write their name, and archives theirs and a number. */
const EDGE_SHARE = 0.06;

const isAtEdge = ({ transform }: Item, { rotate, view }: Sheet): boolean => {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view;
  const [, , , , x = 0, y = 0] = transform;
  const [from, at, to] = rotate % 180 === 0 ? [y1, y, y2] : [x1, x, x2];
  const edge = EDGE_SHARE * (to - from);
  return at < from + edge || at > to - edge;
};

/** Letters that a page has on its picture, if somebody stamps it: numbers, a date, initials. */
const STAMP_LETTERS_MAX = 9;

interface ReadPage {
  /** Whether it has no more than stamps, so that its words may be in a picture. */
  readonly isTextless: boolean;
  readonly lines: ReadonlyArray<PdfLine>;
  readonly links: ReadonlyArray<PdfLink>;
  /** Number of annotations, with those that are not links. */
  readonly annotations: number;
}

const TURNS: ReadonlyArray<Turn> = [0, 1, 2, 3];

/** The larger part of the text first; text in another direction, for example next to a table, follows. */
const readPage = (
  items: ReadonlyArray<Item>,
  annotations: ReadonlyArray<Annotation>,
  sheet: Sheet
): ReadPage => {
  // The library inserts spaces for gaps, even for those between columns.
  const visible = items.filter(({ str }) => str.trim() !== "");
  const [upright = [], ...turned] = TURNS.map((turn) =>
    visible.filter((item) => turnOf(item) === turn).map((item) => pieceOf(item, turn))
  );
  const groups = [[...upright, ...typedPieces(annotations)], ...turned].toSorted(
    (one, other) => other.length - one.length
  );
  const letters = visible
    .filter((item) => turnOf(item) !== null && !isAtEdge(item, sheet))
    .reduce((sum, { str }) => sum + (str.match(/\p{L}/gu)?.length ?? 0), 0);
  return {
    isTextless: letters <= STAMP_LETTERS_MAX,
    lines: groups.flatMap(linesOfPage),
    links: linksOfPage(annotations, upright),
    annotations: annotations.length
  };
};

const WIDE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3001-\\u301f\\uff01-\\uff60]";
/** Chinese and Japanese have no spaces at line ends. */
const WIDE_LINE_END = new RegExp(`(?<=${WIDE})\\s*\\n\\s*(?=${WIDE})`, "gu");

/** Characters that their font does not map to Unicode, or to codes for private use, whose meaning only it shows. */
const UNKNOWN = /[\ufffd\p{Co}]/gu;

/** Of a run of them, a single one shows that something is missing. */
const UNKNOWN_RUN = /[\ufffd\p{Co}](?:\s*[\ufffd\p{Co}])+/gu;

const onOneLine = (text: string): string =>
  oneLine(cleanText(text).replace(UNKNOWN_RUN, "\ufffd"), TREE_TEXT_CHARS_MAX) ?? "";

/**
 * Share of codes of fonts in text whose letters are codes too, because its fonts map nothing to Unicode: its spaces.
 * Ligatures that are only named are two in a hundred.
 */
const CODES_SHARE_MAX = 0.08;

/**
 * A document with more unknown characters than known ones is treated like a scanned one, which has no text.
 */
const isLegible = (pages: ReadonlyArray<ReadonlyArray<PdfLine>>): boolean => {
  let all = 0;
  let unknown = 0;
  let codes = 0;
  for (const { text } of pages.flat()) {
    all += [...text.replaceAll(/\s+/g, "")].length;
    unknown += text.match(UNKNOWN)?.length ?? 0;
    codes += text.split(CODE).length - 1;
  }
  return 2 * unknown <= all && codes <= CODES_SHARE_MAX * all;
};

const tableBlock = (grid: Grid): ContentBlock => {
  const rows = grid.map((row) =>
    row.map((cell): ReadonlyArray<Inline> => [{ type: "text", text: onOneLine(cell) }])
  );
  const [first = [], ...rest] = rows;
  return hasHead(grid)
    ? { type: "table", head: first, rows: rest }
    : { type: "table", head: first.map(() => []), rows };
};

export const pagesOf = (
  pages: ReadonlyArray<ReadonlyArray<PdfBlock>>,
  linksOf: ReadonlyArray<ReadonlyArray<PdfLink>>
): ReadonlyArray<PageContent> => {
  const all = pages.flat();
  const levelOf = headingLevels(all);
  const texts = all.filter((block) => block.type === "text");
  const whole = wholeWords(texts.map(({ lines }) => lines.join("\n")));
  const textOf = new Map(
    texts.map((block, index) => [block, onOneLine((whole[index] ?? "").replace(WIDE_LINE_END, ""))])
  );
  return pages.map((blocks, index) => {
    const links = linksOf[index] ?? [];
    const places = new LinkPlaces(links);
    const written = blocks.flatMap((block): ReadonlyArray<ContentBlock> => {
      if (block.type === "table") return [tableBlock(block.grid)];
      const text = textOf.get(block) ?? "";
      const level = levelOf(block);
      if (text === "") return [];
      const children = places.inlinesOf(text);
      return [level === null ? { type: "paragraph", children } : { type: "heading", level, children }];
    });
    return { blocks: withTypedLists(written), links };
  });
};

/** Whether its only page stands for files attached to it, or for a form that only Adobe's programs make. */
const isCover = (stated: Readonly<Record<string, unknown>>, pageCount: number): boolean =>
  pageCount === 1 &&
  (stated["IsCollectionPresent"] === true ||
    (stated["IsXFAPresent"] === true && stated["IsAcroFormPresent"] !== true));

/** The library's error for a file that requires a password. */
const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException";

/** V8's error for a buffer beyond the memory of this process, which the library passes on as one of its own. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("Array buffer allocation failed");

export const readPdf = async (bytes: Uint8Array): Promise<DocumentOutcome> => {
  if (!areStreamsWithinLimits(bytes)) return { refused: "too_large" };
  const { getDocumentProxy } = await import("unpdf");
  const isSuspected = hasJoinedNames(bytes);
  try {
    // The library takes ownership of the bytes.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      verbosity: 0,
      cMapUrl: CMAPS,
      fontExtraProperties: true
    });
    const { info: entries, metadata } = await pdf.getMetadata();
    const stated = Object.fromEntries(Object.entries(entries));
    const info = { ...describedIn(metadata), ...withoutBlanks(stated) };
    const pages: Array<ReadonlyArray<PdfLine>> = [];
    const links: Array<ReadonlyArray<PdfLink>> = [];
    const textless: Array<number> = [];
    let chars = 0;
    let annotations = 0;
    if (pdf.numPages > PDF_PAGES_MAX) return { refused: "too_large" };
    if (isCover(stated, pdf.numPages)) return { refused: "no_text" };
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const texts = items.filter((item) => "str" in item);
      const read = readPage(
        await withJoinedNames(texts, page, isSuspected),
        annotations < PDF_ANNOTATIONS_MAX ? await page.getAnnotations() : [],
        page
      );
      annotations += read.annotations;
      page.cleanup();
      pages.push(read.lines);
      if (read.isTextless) textless.push(number);
      links.push(read.links);
      chars += read.lines.reduce((sum, { text }) => sum + text.length, 0);
      if (chars > TREE_TEXT_CHARS_MAX) return { refused: "too_large" };
    }
    const legible = isLegible(pages);
    const content = pagesOf(
      legible ? withoutRunningLines(pages).map(blocksOfPage) : pages.map(() => []),
      links
    );
    const unread = legible ? textless : pages.map((_, index) => index + 1);
    return {
      document: {
        pages: content,
        scannedPages: unread.length === 0 ? [] : await picturedPages(bytes, unread),
        isPaged: true,
        title: titleOf(propertyOf(info, "Title")),
        // Smaller headings are not titles but sections, or other text on a cover.
        heading: headingOf(content[0], 1),
        author: propertyOf(info, "Author"),
        date: dayOf(info)
      }
    };
  } catch (error) {
    if (isOutOfMemory(error)) return { refused: "too_large" };
    return { refused: isEncrypted(error) ? "encrypted" : "damaged" };
  }
};
