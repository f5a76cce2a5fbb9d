/** Images from the files of a run, small enough for a model: video frames, slides. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { MediaUnreadable } from "../../programs/LocalMedia.ts";

/** Maximum side length of a frame; models see no more in their cheapest setting. */
export const FRAME_SIDE_PIXELS = 512;

export interface Frame {
  readonly atSeconds: number;
  readonly jpeg: Uint8Array;
}

export class MediaReader extends Context.Service<
  MediaReader,
  {
    /** At most `framesMax`, in order of time. */
    readonly frames: (
      file: FetchedFile,
      framesMax: number
    ) => Effect.Effect<ReadonlyArray<Frame>, MediaUnreadable>;

    /** A JPEG, scaled down to the maximum side length; waits for the turn of the run's account. */
    readonly picture: (
      file: FetchedFile,
      sideMaxPixels: number
    ) => Effect.Effect<Uint8Array, MediaUnreadable>;
  }
>()("@winnow/adapters/model/media/MediaReader") {}
