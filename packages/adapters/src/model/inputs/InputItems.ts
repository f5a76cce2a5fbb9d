/**
 * The parts of one question to the model, and the units that the prepared inputs are split into: a cue, a comment, a
 * paragraph, an image, a section of audio. Items are never split further. Pure and lossless: joined, the items of a
 * text are the text. Tests: splitInputs.test.ts.
 */
import type { TextSegment, TextSource, InputText } from "@winnow/core/domain/text/InputText";
import type { Modality } from "@winnow/core/domain/source/Modality";
import { textTokens } from "../provider/TokenCount.ts";

/** Text; the label names it to the model ("transcript", "comments", "page"). */
export interface TextPart {
  readonly _tag: "Text";
  readonly label: string;
  readonly text: string;
}

/** `base64` holds the bytes of the picture. */
interface ImagePart {
  readonly _tag: "Image";
  readonly label: string;
  readonly mediaType: "image/jpeg" | "image/png" | "image/webp";
  readonly base64: string;
}

/** `format` is what chat completions take as `input_audio`. */
interface AudioPart {
  readonly _tag: "Audio";
  readonly label: string;
  readonly format: "mp3" | "wav";
  readonly base64: string;
}

export type InputPart = TextPart | ImagePart | AudioPart;

/** `label` as in {@link TextPart}. */
export interface LabelledText extends InputText {
  readonly label: string;
}

/** Texts that can be split and quoted, and media as parts. */
export interface PreparedInputs {
  /** The fetched texts, then the transcribed one. */
  readonly texts: ReadonlyArray<LabelledText>;
  /** The texts that were transcribed here, which the engine does not have (`Analysis.texts`). */
  readonly transcribed: ReadonlyArray<InputText>;
  readonly media: ReadonlyArray<MediaItem>;
  /** Selected inputs that the model does not support. */
  readonly unavailable: ReadonlyArray<Modality>;
  /** Slides of a photo post that the model does not get. */
  readonly unreadSlides: number;
  readonly warnings: ReadonlyArray<string>;
}

export interface TextItem {
  readonly _tag: "Text";
  readonly source: TextSource;
  /** Of the text it belongs to; two may have the same source, such as subtitles and a transcription. */
  readonly label: string;
  /** Position within its text, from 0; items of a split segment share it. */
  readonly position: number;
  readonly segment: TextSegment;
  readonly tokens: number;
  readonly mediaBytes: 0;
}

export interface MediaItem {
  readonly _tag: "Media";
  readonly part: ImagePart | AudioPart;
  /** Position in the media; null for images without a time, such as slides. */
  readonly startSeconds: number | null;
  readonly tokens: number;
  /** Size as base64. */
  readonly mediaBytes: number;
}

export type InputItem = TextItem | MediaItem;

/** Tokens of each line mark and each author. */
const MARK_TOKENS = 4;

/** Minimum share of an item that is filled when cutting at the end of a sentence. */
const PIECE_SHARE_MIN = 0.5;

const ENDS: ReadonlyArray<RegExp> = [/\n\s*\n/gu, /[.!?…](?=\s)|[。！？]/gu, /\s/gu];

const isLowSurrogate = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
};

/** Searched backwards in growing windows, because a text may consist of nothing but sentence ends. */
const WINDOW_CHARS = 1_000;
const WINDOW_GROWTH = 8;

/** Position after the last match in a text; 0 if there is none. */
const lastEnd = (head: string, end: RegExp): number => {
  for (let size = WINDOW_CHARS; ; size *= WINDOW_GROWTH) {
    const from = Math.max(0, head.length - size);
    const last = [...head.slice(from).matchAll(end)].at(-1);
    if (last !== undefined) return from + last.index + last[0].length;
    if (from === 0) return 0;
  }
};

/** Where to cut the text, within `maxChars`: after a paragraph, a sentence, a word, or anywhere. */
const cutAt = (text: string, maxChars: number): number => {
  const head = text.slice(0, maxChars);
  for (const end of ENDS) {
    const at = lastEnd(head, end);
    if (at >= maxChars * PIECE_SHARE_MIN) return at;
  }
  return maxChars > 1 && isLowSurrogate(text, maxChars) ? maxChars - 1 : maxChars;
};

/** Pieces that join to the text again. */
export const cutText = (text: string, maxChars: number): ReadonlyArray<string> => {
  const pieces: Array<string> = [];
  let rest = text;
  while (rest.length > maxChars) {
    const at = cutAt(rest, maxChars);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...pieces, rest];
};

/** Minimum item size: a surrogate pair must fit. */
const PIECE_CHARS_MIN = 2;

const segmentTokens = ({ text, author }: TextSegment): number =>
  textTokens(text) + (author === null ? 0 : textTokens(author)) + MARK_TOKENS;

/** `maxTokens`: maximum size of an item, without marks. */
export const textItems = (texts: ReadonlyArray<LabelledText>, maxTokens: number): ReadonlyArray<TextItem> =>
  texts.flatMap(({ label, source, segments }) =>
    segments.flatMap((segment, position) => {
      const tokens = segmentTokens(segment);
      // One UTF-16 code unit takes at most 3 bytes of UTF-8, which is less than a token.
      const maxChars = Math.max(PIECE_CHARS_MIN, Math.floor(maxTokens));
      const pieces = tokens <= maxTokens ? [segment.text] : cutText(segment.text, maxChars);
      return pieces.map((text): TextItem => {
        const piece = { ...segment, text };
        return {
          _tag: "Text",
          source,
          label,
          position,
          segment: piece,
          tokens: segmentTokens(piece),
          mediaBytes: 0
        };
      });
    })
  );
