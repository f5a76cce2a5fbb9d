/**
 * The words that a run reads, in pieces that can be quoted: cues of a transcript, comments, paragraphs.
 */
import * as Schema from "effect/Schema";

/** Where a quote was found. `page` is the text of a webpage or of a photo post. */
export const TextSource = Schema.Literals(["transcript", "comments", "page", "description"]).annotate({
  identifier: "TextSource"
});
export type TextSource = typeof TextSource.Type;

/** Times are null where the source has none; they are seconds from the start of the media. */
export interface TextSegment {
  readonly text: string;
  readonly startSeconds: number | null;
  readonly endSeconds: number | null;
  /** Who said it, of a comment; null otherwise. */
  readonly author: string | null;
  /** From 1, of a document with pages; absent of everything else. */
  readonly page?: number;
}

/** All there is of one source, in its order. Segments are not empty. */
export interface InputText {
  readonly source: TextSource;
  readonly segments: ReadonlyArray<TextSegment>;
  /** The segments are blocks of Markdown that an empty line parts, and not text. Default false. */
  readonly isMarkdown?: boolean;
}
