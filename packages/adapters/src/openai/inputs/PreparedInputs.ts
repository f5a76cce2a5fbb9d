/**
 * What a run fetched, made ready for a model: texts that can be parted and quoted, and media as parts.
 */
import type { InputText } from "@winnow/core/domain/InputText";
import type { Modality } from "@winnow/core/domain/Modality";
import type { MediaItem } from "./InputItem.ts";

export interface PreparedInputs {
  /** Those of the material, then what was heard. */
  readonly texts: ReadonlyArray<InputText>;
  /** What the model is told each of `texts` is. */
  readonly labels: ReadonlyArray<string>;
  /** Of `texts`, those that were heard here: the engine does not have them (`Analysis.texts`). */
  readonly heard: ReadonlyArray<InputText>;
  readonly media: ReadonlyArray<MediaItem>;
  /** Selected inputs that the model cannot take. */
  readonly unavailable: ReadonlyArray<Modality>;
  /** Slides of a photo post that the model does not get. */
  readonly unreadSlides: number;
  /** Sentences for the caller. */
  readonly warnings: ReadonlyArray<string>;
}
