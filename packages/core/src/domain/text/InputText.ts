/** The texts that a run reads, as quotable segments: cues of a transcript, comments, paragraphs, values. */
import * as Schema from "effect/Schema";
import { HEADING_CHARS_MAX } from "./CleanText.ts";

/**
 * Where a quote was found. `page` is the text of a webpage or of a photo post, `structured` its own structured data
 * (schema.org), `slides` the words on the pictures of a photo post.
 */
export const TextSource = Schema.Literals([
  "transcript",
  "comments",
  "page",
  "description",
  "structured",
  "slides"
]).annotate({
  identifier: "TextSource"
});
export type TextSource = typeof TextSource.Type;

/** Where a text stands in what was read. */
export const PLACE = {
  /** Number from 1; only for documents with pages. */
  page: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  /** The heading that it begins with, or else the nearest one above, on one line; absent if there is none. */
  heading: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(HEADING_CHARS_MAX))),
  /** Number of the slide, as in its file's name; only for words on slides. */
  slide: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
};

/** The text of one place: made with the content, so that nobody reads places from marks in a file. */
export const TextSection = Schema.Struct({
  ...PLACE,
  /** A program read it from the picture of a scanned page; absent for text of the document itself. */
  readBy: Schema.optionalKey(Schema.Literal("ocr")),
  /** Lines; empty if it has none. */
  text: Schema.String,
  /** The same as Markdown, block by block; empty lines are between them, and may be within. A block with headings in it is whole. */
  markdown: Schema.Array(Schema.String)
});
export type TextSection = typeof TextSection.Type;

export interface TextSegment extends Omit<TextSection, "markdown"> {
  /** From the start of the media; both null if the source has no timestamps. */
  readonly startSeconds: number | null;
  readonly endSeconds: number | null;
  /** Author of a comment; null otherwise. */
  readonly author: string | null;
  /** RFC 6901 pointer to the value in `metadata.json`; only for structured data. */
  readonly pointer?: string;
}

/** All segments of one source in order. Segments are not empty. */
export interface InputText {
  readonly source: TextSource;
  readonly segments: ReadonlyArray<TextSegment>;
  /** The segments are Markdown blocks separated by empty lines, not plain text. Default false. */
  readonly isMarkdown?: boolean;
}
