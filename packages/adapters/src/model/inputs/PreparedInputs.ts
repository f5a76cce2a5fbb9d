/**
 * The fetched inputs prepared for a model, and the units that they are split into: a cue, a comment, a paragraph, an
 * image, a section of audio. Items are never split further.
 */
import type { TextSegment, TextSource } from "@winnow/core/domain/text/InputText";
import type { AudioPart, ImagePart } from "../prompt/InputPart.ts";
import type { InputText } from "@winnow/core/domain/text/InputText";
import type { Modality } from "@winnow/core/domain/source/Modality";

/** Texts that can be split and quoted, and media as parts. */
export interface PreparedInputs {
  /** The fetched texts, then the transcribed one. */
  readonly texts: ReadonlyArray<InputText>;
  /** Label of each text for the model. */
  readonly labels: ReadonlyArray<string>;
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
  /** The text it belongs to; two texts may have the same source, such as subtitles and a transcription. */
  readonly textNumber: number;
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
