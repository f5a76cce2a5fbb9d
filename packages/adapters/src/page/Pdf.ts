/**
 * Text and properties of a PDF, read offline, page by page, without fonts, images or scripts. A hostile file
 * costs at most its worker: time and memory are limited there.
 */
import { PDF_PAGES_MAX, TREE_TEXT_CHARS_MAX } from "./PageLimits.ts";
import { pageDate } from "./PageDate.ts";
import { areStreamsWithinLimits } from "./PdfStreams.ts";

export interface PdfText {
  readonly text: string;
  readonly title: string | null;
  readonly author: string | null;
  /** YYYYMMDD */
  readonly date: string | null;
  /** There is more in it than the limits allow. */
  readonly truncated: boolean;
}

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

/** A word divided at the end of a line is one word. */
const DIVIDED = /(\p{L})[-\u00ad]\n(?=\p{Ll})/gu;

const TOO_LARGE: PdfText = { text: "", title: null, author: null, date: null, truncated: true };

/** Null for what is no PDF, is damaged or is encrypted. */
export const readPdf = async (bytes: Uint8Array): Promise<PdfText | null> => {
  if (!areStreamsWithinLimits(bytes)) return TOO_LARGE;
  const { getDocumentProxy } = await import("unpdf");
  try {
    // The library takes the bytes over.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, verbosity: 0 });
    const info = Object.fromEntries(Object.entries((await pdf.getMetadata()).info));
    const pages: Array<string> = [];
    const pageCount = Math.min(pdf.numPages, PDF_PAGES_MAX);
    let chars = 0;
    for (let number = 1; number <= pageCount && chars <= TREE_TEXT_CHARS_MAX; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
      page.cleanup();
      pages.push(text);
      chars += text.length;
    }
    const title = written(info, "Title");
    return {
      text: pages.join("\n").replace(DIVIDED, "$1"),
      title: title !== null && NO_TITLE.test(title) ? null : title,
      author: written(info, "Author"),
      date: dayOf(info),
      truncated: chars > TREE_TEXT_CHARS_MAX || pdf.numPages > pageCount
    };
  } catch {
    return null;
  }
};
