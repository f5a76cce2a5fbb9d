/** The audio of the files of a run, small enough for a speech model. Tests: MediaReader.test.ts. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { MediaUnreadable } from "../programs/LocalMedia.ts";
import type { SoundLevels } from "./SoundLevels.ts";

export interface SoundPiece extends Stretch {
  /** An mp3. */
  readonly read: Effect.Effect<Uint8Array<ArrayBuffer>, MediaUnreadable>;
}

export interface RecordedSound {
  readonly levels: SoundLevels;
  /**
   * Chunks of the audible parts, of the whole or a section; silence is left out. They can be read as long as it
   * exists.
   */
  readonly pieces: (
    secondsMax: number,
    stretch?: Stretch
  ) => Effect.Effect<ReadonlyArray<SoundPiece>, MediaUnreadable>;
}

export class SoundReader extends Context.Service<
  SoundReader,
  {
    /** The whole audio track, until the scope closes. Null if there is none. */
    readonly sound: (file: FetchedFile) => Effect.Effect<RecordedSound | null, MediaUnreadable, Scope.Scope>;
  }
>()("@winnow/adapters/speech/SoundReader") {}
