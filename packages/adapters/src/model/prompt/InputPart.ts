/** The parts of one question to the model. Content only; the task is in Prompts.ts. */

/** Text; the label names it to the model ("transcript", "comments", "page"). */
export interface TextPart {
  readonly _tag: "Text";
  readonly label: string;
  readonly text: string;
}

/** `base64` holds the bytes of the picture. */
export interface ImagePart {
  readonly _tag: "Image";
  readonly label: string;
  readonly mediaType: "image/jpeg" | "image/png" | "image/webp";
  readonly base64: string;
}

/** `format` is what chat completions take as `input_audio`. */
export interface AudioPart {
  readonly _tag: "Audio";
  readonly label: string;
  readonly format: "mp3" | "wav";
  readonly base64: string;
}

export type InputPart = TextPart | ImagePart | AudioPart;
