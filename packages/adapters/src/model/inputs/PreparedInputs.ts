/** The fetched inputs prepared for a model: texts that can be split and quoted, and media as parts. */
import type { InputText } from "@winnow/core/domain/text/InputText";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { MediaItem } from "./InputItem.ts";

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
