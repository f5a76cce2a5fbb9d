/**
 * Text and properties of a PDF, read offline, page by page, without fonts, images or scripts. A hostile file
 * costs at most its worker: time and memory are limited there.
 */
import { cleanText } from "@winnow/core/domain/CleanText";
import { plainMarkdown } from "../markdown/PageMarkdown.ts";
import { PDF_PAGES_MAX, TREE_TEXT_CHARS_MAX } from "../PageLimits.ts";
import { pageDate } from "../PageDate.ts";
import { tidyLines } from "../PlainText.ts";
import { wholeWords } from "./DividedWords.ts";
import type { DocumentOutcome } from "./Document.ts";
import { linesOfPage, type PdfPiece } from "./PdfLayout.ts";
import { areStreamsWithinLimits } from "./PdfStreams.ts";
import { withoutRunningLines } from "./RunningLines.ts";

/** What programs put where a title belongs. */
const NO_TITLE =
  /^(untitled|document\d*|microsoft word|powerpoint|slide \d|.{0,80}\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf|qxd))\b/i;

const written = (info: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = info[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
};

/** `D:20250304…`: the day as written, whatever its zone. */
const dayOf = (info: Readonly<Record<string, unknown>>): string | null => {
  const date = written(info, "CreationDate") ?? written(info, "ModDate");
  return pageDate(/^(?:D:)?(\d{8})/.exec(date ?? "")?.[1]);
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
const linesOf = (items: ReadonlyArray<Item>): ReadonlyArray<string> => {
  // Blanks are made up by the library of gaps, also of those between columns.
  const pieces = items.filter(({ str }) => str.trim() !== "").map(pieceOf);
  const upright = pieces.filter((piece) => piece !== null);
  if (2 * upright.length > pieces.length) return linesOfPage(upright);
  return items
    .map(({ hasEOL, str }) => str + (hasEOL ? "\n" : ""))
    .join("")
    .split("\n");
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
    const pages: Array<ReadonlyArray<string>> = [];
    let chars = 0;
    if (pdf.numPages > PDF_PAGES_MAX) return { refused: "too_large" };
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const lines = linesOf(items.filter((item) => "str" in item));
      page.cleanup();
      pages.push(lines);
      chars += lines.reduce((sum, line) => sum + line.length, 0);
      if (chars > TREE_TEXT_CHARS_MAX) return { refused: "too_large" };
    }
    const texts = wholeWords(withoutRunningLines(pages).map((lines) => lines.join("\n"))).map((text) =>
      tidyLines(cleanText(text))
    );
    const title = written(info, "Title");
    return {
      document: {
        pages: texts.map((text) => ({ text, markdown: plainMarkdown(text), links: [] })),
        isPaged: true,
        title: title !== null && NO_TITLE.test(title) ? null : title,
        author: written(info, "Author"),
        date: dayOf(info)
      }
    };
  } catch (error) {
    return { refused: isEncrypted(error) ? "encrypted" : "damaged" };
  }
};
