/**
 * The only error of reading a page. A plain error: it is thrown where Effect is not loaded, too.
 * Tests: the adapters' PageReader.test.ts.
 */
import { PAGE_BYTES_MAX, READING_PROCESSOR_MS_MAX, TREE_TEXT_CHARS_MAX } from "./PageLimits.ts";

const MESSAGES = {
  empty: "The page has no text, no title and no media.",
  no_text:
    "No text of the document can be read: its pages are drawings, small pictures, letters without meaning or empty, or stand for attached files or a form of Adobe's.",
  unsupported_type:
    "By its type or its bytes, the file is neither HTML, PDF, DOCX, PPTX, EPUB, Markdown nor plain text.",
  damaged: "The document is damaged: its parts cannot be read.",
  encrypted: "The document is encrypted: it requires a password.",
  too_large: `The page is larger than ${PAGE_BYTES_MAX / 1_000_000} MB, or its text than ${TREE_TEXT_CHARS_MAX / 1_000_000} million characters, or it takes too much memory.`,
  timeout: `The page could not be read within ${READING_PROCESSOR_MS_MAX / 1_000} seconds of processor time.`,
  crashed: "The page could not be read."
};

/**
 * `empty`: a page without text, title and media; `no_text`: a document without text of its own whose pages are no
 * scans; `too_large` and `timeout`: the page is larger, or took more memory or time, than a reading may; `crashed`: a
 * bug in an extractor.
 */
export class PageUnreadable extends Error {
  readonly _tag = "PageUnreadable";
  readonly reason: keyof typeof MESSAGES;

  constructor(reason: keyof typeof MESSAGES) {
    super(MESSAGES[reason]);
    this.name = "PageUnreadable";
    this.reason = reason;
  }
}
