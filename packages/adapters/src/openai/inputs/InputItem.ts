/**
 * The smallest pieces that inputs are parted into: a cue, a comment, a paragraph, a picture, a stretch of
 * sound. A piece is never parted further once it is one.
 */
import type { TextSegment, TextSource } from "@winnow/core/domain/InputText";
import type { AudioPart, ImagePart } from "../InputPart.ts";

export interface TextItem {
  readonly _tag: "Text";
  readonly source: TextSource;
  /** The text that it belongs to: two texts may have one source, as subtitles and what was heard. */
  readonly textNumber: number;
  /** Place within its text, from 0; pieces of a cut segment share it. */
  readonly position: number;
  readonly segment: TextSegment;
  readonly tokens: number;
  readonly mediaBytes: 0;
}

export interface MediaItem {
  readonly _tag: "Media";
  readonly part: ImagePart | AudioPart;
  /** Of the media; null where a picture has no time, as a slide. */
  readonly startSeconds: number | null;
  readonly tokens: number;
  /** As sent, in base64. */
  readonly mediaBytes: number;
}

export type InputItem = TextItem | MediaItem;
