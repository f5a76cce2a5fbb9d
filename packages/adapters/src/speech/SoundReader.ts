/** The audio of the files of a run, small enough for a speech model. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import type { ProgramsMissing } from "../programs/ExternalPrograms.ts";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import {
  type MediaProgram,
  type MediaProgramOptions,
  type MediaUnreadable,
  openMedia,
  openMediaProgram,
  unreadable
} from "../programs/LocalMedia.ts";
import { type RecordedSound, recordSound } from "./RecordedSound.ts";

export class SoundReader extends Context.Service<
  SoundReader,
  {
    /** The whole audio track; its files exist until the scope closes. Null if there is none. */
    readonly sound: (file: FetchedFile) => Effect.Effect<RecordedSound | null, MediaUnreadable, Scope.Scope>;
  }
>()("@winnow/adapters/speech/SoundReader") {}

export const soundReaderOf = (program: MediaProgram): SoundReader["Service"] =>
  SoundReader.of({
    sound: Effect.fn("SoundReader.sound")(
      function* (file: FetchedFile) {
        const media = yield* openMedia(program, file);
        if (!media.hasSound) return null;
        return (yield* recordSound(media)) ?? (yield* unreadable);
      },
      Effect.catchTag("ProcessFailed", () => unreadable)
    )
  });

export const layer = (
  options: MediaProgramOptions
): Layer.Layer<SoundReader, ProgramsMissing | SandboxMissing> =>
  Layer.effect(SoundReader, Effect.map(openMediaProgram(options), soundReaderOf));
