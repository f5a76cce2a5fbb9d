/**
 * The texts of a run, in quotable segments: its sections where they are known, else its files line by line. The files
 * are untrusted: this never throws, skips what it cannot parse, and stops at the limits below.
 */
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import {
  COMMENTS_FILE,
  DESCRIPTION_FILE,
  PAGE_MARKDOWN_FILE,
  SLIDES_TEXT_FILE,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE
} from "./ArtifactName.ts";
import type { InputText, TextSection, TextSegment, TextSource } from "../text/InputText.ts";
import type { QuotableText } from "../evidence/QuoteSearch.ts";
import type { SourceFacts, SourceKind } from "../source/SourceFacts.ts";
import { readTranscript } from "../transcript/Transcript.ts";

/** Maximum bytes read from one file. An hour of speech has 100 KB, or 500 KB with timestamps. */
export const TEXT_BYTES_MAX = 8 * 1_024 * 1_024;

/** Maximum characters of one source that are sent to the model and searched for quotes. */
const TEXT_CHARS_MAX = 1_000_000;

const segment = (text: string, overrides: Partial<TextSegment> = {}): TextSegment => ({
  text,
  startSeconds: null,
  endSeconds: null,
  author: null,
  ...overrides
});

/** One segment per non-blank line. */
const linesOf = (text: string, overrides: Partial<TextSegment> = {}): ReadonlyArray<TextSegment> =>
  text
    .split(/\r\n|\n|\r/u)
    .filter((line) => line.trim() !== "")
    .map((line) => segment(line, overrides));

const decodeComments = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)));

/** Limits the list; the rest is only counted. */
const commentsOf = (text: string): ReadonlyArray<TextSegment> => {
  const shortened: Array<TextSegment> = [];
  let chars = 0;
  for (const comment of Option.getOrElse(decodeComments(text), () => [])) {
    if (typeof comment !== "object" || comment === null || chars > TEXT_CHARS_MAX) continue;
    const { text: words, author } = comment as { readonly text?: unknown; readonly author?: unknown };
    if (typeof words !== "string" || words.trim() === "") continue;
    shortened.push(segment(words, { author: typeof author === "string" && author !== "" ? author : null }));
    chars += words.length;
  }
  return shortened;
};

const spokenOf = (files: ReadonlyMap<string, string>): ReadonlyArray<TextSegment> => {
  const timed = Option.getOrElse(readTranscript(files.get(TRANSCRIPT_SEGMENTS_FILE) ?? ""), () => []);
  return timed.length > 0
    ? timed.map(({ text, startSeconds, endSeconds }) => segment(text, { startSeconds, endSeconds }))
    : linesOf(files.get(TRANSCRIPT_FILE) ?? "");
};

/** Markdown longer than this multiple of the plain text is mostly markup and is not used. */
const MARKDOWN_SHARE_MAX = 2;

/** In one piece, without places, if its sections are not known. */
const markdownOf = (
  files: ReadonlyMap<string, string>,
  blocks: ReadonlyArray<TextSegment>
): ReadonlyArray<TextSegment> => {
  const markdown = (files.get(PAGE_MARKDOWN_FILE) ?? "").trim();
  const text = (files.get(TRANSCRIPT_FILE) ?? "").trim();
  const charsMax = Math.min(TEXT_CHARS_MAX, MARKDOWN_SHARE_MAX * text.length);
  if (markdown === "" || markdown.length >= charsMax) return [];
  return blocks.length > 0 ? blocks : [segment(markdown)];
};

/** Keeps whole segments while they fit, and cuts the first one that does not. */
const bounded = (segments: ReadonlyArray<TextSegment>): ReadonlyArray<TextSegment> => {
  const shortened: Array<TextSegment> = [];
  let room = TEXT_CHARS_MAX;
  for (const each of segments) {
    if (room <= 0) break;
    shortened.push(each.text.length <= room ? each : { ...each, text: each.text.slice(0, room) });
    room -= each.text.length;
  }
  return shortened;
};

export interface ArtifactTexts {
  readonly texts: ReadonlyArray<InputText>;
  /** The files to read as Markdown, which has the same text with its structure; null if there are none. */
  readonly markdown: InputText | null;
  /** Sources longer than {@link TEXT_CHARS_MAX}: the texts contain only their beginning. */
  readonly cut: ReadonlyArray<TextSource>;
}

const segmentsOf = ({ text, markdown, ...place }: TextSection) => ({
  lines: linesOf(text, place),
  blocks: markdown.map((block) => segment(block, place))
});

/**
 * `files` maps the names of text files (domain/result/ArtifactName) to their content; `sections` are those of a webpage's
 * text or of the words on slides, and may be missing.
 */
export const artifactTexts = (
  { kind }: Pick<SourceFacts, "kind">,
  files: ReadonlyMap<string, string>,
  sections: ReadonlyArray<TextSection>
): ArtifactTexts => {
  const placed = sections.map(segmentsOf);
  const lines = placed.flatMap((each) => each.lines);
  const blocks = placed.flatMap((each) => each.blocks);
  const placedOr = (of: SourceKind, otherwise: ReadonlyArray<TextSegment>) =>
    kind === of && lines.length > 0 ? lines : otherwise;
  const all: ReadonlyArray<InputText> = [
    { source: kind === "video" ? "transcript" : "page", segments: placedOr("webpage", spokenOf(files)) },
    { source: "comments", segments: commentsOf(files.get(COMMENTS_FILE) ?? "") },
    { source: "description", segments: linesOf(files.get(DESCRIPTION_FILE) ?? "") },
    { source: "slides", segments: placedOr("photos", linesOf(files.get(SLIDES_TEXT_FILE) ?? "")) }
  ];
  const texts = all
    .map(({ source, segments }): InputText => ({ source, segments: bounded(segments) }))
    .filter(({ segments }) => segments.length > 0);
  const isCut = ({ segments }: InputText): boolean =>
    segments.reduce((sum, { text }) => sum + text.length, 0) > TEXT_CHARS_MAX;
  const markdown: InputText = {
    source: "page",
    segments: kind === "webpage" ? markdownOf(files, blocks) : [],
    isMarkdown: true
  };
  return {
    texts,
    markdown: markdown.segments.length === 0 ? null : markdown,
    cut: all.filter(isCut).map(({ source }) => source)
  };
};

/** Title and publisher: taken from the facts, and quotable although no file contains them. */
export const metadataText = ({ title, uploader }: SourceFacts): QuotableText => ({
  source: "metadata",
  segments: [title, uploader].flatMap((text) => (text === null || text.trim() === "" ? [] : [segment(text)]))
});
