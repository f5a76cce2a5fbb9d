/** The texts that a run reads, as quotable segments: cues of a transcript, comments, paragraphs, values. */
import * as Schema from "effect/Schema";

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

/** Seconds from the start of the media; null if the source has no timestamps. */
export interface TextSegment {
  readonly text: string;
  readonly startSeconds: number | null;
  readonly endSeconds: number | null;
  /** Author of a comment; null otherwise. */
  readonly author: string | null;
  /** Page number from 1; only for documents with pages. */
  readonly page?: number;
  /** Number of the slide, as in its file's name; only for words on slides. */
  readonly slide?: number;
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
