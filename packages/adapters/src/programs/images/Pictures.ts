/** A port of this adapter: makes plain JPEGs without metadata of strangers' pictures. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { PackageMissing } from "../../runtime/OptionalPackage.ts";

/** Above this an image is a decompression bomb: 8K has 33 million. */
export const PIXELS_MAX = 64_000_000;

export class NotAnImage extends Schema.TaggedError<NotAnImage>()("NotAnImage", { message: Schema.String }) {}

export interface JpegSize {
  /** Maximum side length; smaller images are not enlarged. */
  readonly sideMaxPixels: number;
  /** 1 to 100. */
  readonly quality: number;
}

export class Pictures extends Context.Service<
  Pictures,
  {
    /** Waits for the turn of the run's account. Interruption ends the conversion at once. */
    readonly makeJpeg: (
      bytes: Uint8Array,
      size: JpegSize
    ) => Effect.Effect<Uint8Array, NotAnImage | PackageMissing>;
  }
>()("@winnow/adapters/programs/images/Pictures") {}
