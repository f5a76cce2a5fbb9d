/**
 * Text and properties of a PDF, read offline, page by page, without fonts, images or scripts. A hostile file
 * costs at most its worker: time and memory are limited there.
 */
import { cleanText } from "@winnow/core/domain/CleanText";
import type { Inline, MarkdownBlock } from "../markdown/MarkdownTree.ts";
import { withTypedLists } from "../markdown/TypedLists.ts";
import { writeMarkdown } from "../markdown/WriteMarkdown.ts";
import { PDF_PAGES_MAX, TREE_TEXT_CHARS_MAX } from "../PageLimits.ts";
import { pageDate } from "../PageDate.ts";
import { oneLine } from "../PlainText.ts";
import { dayDate } from "../WrittenDates.ts";
import { highest, type RankedHeading, titleOf } from "./DocumentTitle.ts";
import { wholeWords } from "./DividedWords.ts";
import type { Document, DocumentOutcome, DocumentPage } from "./Document.ts";
import { blocksOfPage, headingLevels, type PdfBlock } from "./PdfBlocks.ts";
import { linesOfPage, type PdfLine, type PdfPiece } from "./PdfLayout.ts";
import { areStreamsWithinLimits } from "./PdfStreams.ts";
import { type Grid, hasHead } from "./PdfTables.ts";
import { withoutRunningLines } from "./RunningLines.ts";

const written = (info: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = info[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
};

/** `D:20250304…`: the day as written, whatever its zone. */
const dayOf = (info: Readonly<Record<string, unknown>>): Document["date"] => {
  const date = written(info, "CreationDate") ?? written(info, "ModDate");
  const day = pageDate(/^(?:D:)?(\d{8})/.exec(date ?? "")?.[1]);
  return day === null ? null : dayDate(day);
};

interface Item {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
  readonly transform: ReadonlyArray<number>;
}

/** Null for text that runs in another direction, whose place tells no order. */
const pieceOf = ({ height, str, transform, width }: Item): PdfPiece | null => {
  const [, skewUp = 0, skewRight = 0, scale = 0, x = 0, y = 0] = transform;
  const isUpright = Math.abs(skewUp) < 0.01 && Math.abs(skewRight) < 0.01;
  return isUpright ? { text: str, x, y, width, height: height || Math.abs(scale) || 1 } : null;
};

/** Rotated pages keep the order of their drawing. */
const linesOf = (items: ReadonlyArray<Item>): ReadonlyArray<PdfLine> => {
  // Blanks are made up by the library of gaps, also of those between columns.
  const pieces = items.filter(({ str }) => str.trim() !== "").map(pieceOf);
  const upright = pieces.filter((piece) => piece !== null);
  if (2 * upright.length > pieces.length) return linesOfPage(upright);
  return items
    .map(({ hasEOL, str }) => str + (hasEOL ? "\n" : ""))
    .join("")
    .split("\n")
    .map((text) => ({ text, stretches: [], cells: [] }));
};

const onOneLine = (text: string): string => oneLine(cleanText(text), TREE_TEXT_CHARS_MAX) ?? "";

const paragraph = (text: string) => ({
  type: "paragraph" as const,
  children: [{ type: "text" as const, text }]
});

const tableBlock = (grid: Grid): MarkdownBlock => {
  const rows = grid.map((row) =>
    row.map((cell): ReadonlyArray<Inline> => [{ type: "text", text: onOneLine(cell) }])
  );
  const [first = [], ...rest] = rows;
  return hasHead(grid)
    ? { type: "table", head: first, rows: rest }
    : { type: "table", head: first.map(() => []), rows };
};

/** Text and Markdown of the same blocks. */
const pagesOf = (pages: ReadonlyArray<ReadonlyArray<PdfBlock>>): ReadonlyArray<DocumentPage> => {
  const all = pages.flat();
  const levelOf = headingLevels(all);
  const texts = all.filter((block) => block.type === "text");
  const whole = wholeWords(texts.map(({ lines }) => lines.join("\n")));
  const textOf = new Map(texts.map((block, index) => [block, onOneLine(whole[index] ?? "")]));
  return pages.map((blocks) => {
    const lines: Array<string> = [];
    const written: Array<MarkdownBlock> = [];
    const headings: Array<RankedHeading> = [];
    for (const block of blocks) {
      if (block.type === "table") {
        lines.push(...block.grid.map((row) => onOneLine(row.join(" "))));
        written.push(tableBlock(block.grid));
        continue;
      }
      const text = textOf.get(block) ?? "";
      const level = levelOf(block);
      if (text === "") continue;
      lines.push(text);
      written.push(level === null ? paragraph(text) : { ...paragraph(text), type: "heading", level });
      if (level !== null) headings.push({ level, text });
    }
    return {
      text: lines.join("\n"),
      markdown: writeMarkdown(withTypedLists(written)),
      links: [],
      heading: highest(headings)
    };
  });
};

/** What the library fails with for a file that wants a password. */
const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException";

export const readPdf = async (bytes: Uint8Array): Promise<DocumentOutcome> => {
  if (!areStreamsWithinLimits(bytes)) return { refused: "too_large" };
  const { getDocumentProxy } = await import("unpdf");
  try {
    // The library takes the bytes over.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, verbosity: 0 });
    const info = Object.fromEntries(Object.entries((await pdf.getMetadata()).info));
    const pages: Array<ReadonlyArray<PdfLine>> = [];
    let chars = 0;
    if (pdf.numPages > PDF_PAGES_MAX) return { refused: "too_large" };
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const lines = linesOf(items.filter((item) => "str" in item));
      page.cleanup();
      pages.push(lines);
      chars += lines.reduce((sum, { text }) => sum + text.length, 0);
      if (chars > TREE_TEXT_CHARS_MAX) return { refused: "too_large" };
    }
    return {
      document: {
        pages: pagesOf(withoutRunningLines(pages).map(blocksOfPage)),
        isPaged: true,
        title: titleOf(written(info, "Title")),
        author: written(info, "Author"),
        date: dayOf(info)
      }
    };
  } catch (error) {
    return { refused: isEncrypted(error) ? "encrypted" : "damaged" };
  }
};
