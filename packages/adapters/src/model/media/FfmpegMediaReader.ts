/** Images and sound by ffmpeg, which runs within its limits in a separate folder, without network access. Tests: MediaReader.test.ts. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { makePictures } from "../../programs/images/PooledPictures.ts";
import { readKept } from "@winnow/isolation/process/RunFiles";
import type { ProgramsMissing } from "../../programs/ExternalPrograms.ts";
import { extractFrames } from "./extractFrames.ts";
import { MediaReader } from "./MediaReader.ts";
import {
  type MediaProgramOptions,
  type MediaUnreadable,
  openMedia,
  openMediaProgram,
  unreadable
} from "../../programs/LocalMedia.ts";
import { soundReaderOf } from "../../speech/FfmpegSoundReader.ts";
import { SoundReader } from "../../speech/SoundReader.ts";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";

/** JPEG quality at which text on a slide stays sharp. */
const PICTURE_QUALITY = 80;

/** Larger than any image of a run, which are JPEGs of ours or frames of ffmpeg. */
const PICTURE_BYTES_MAX = 64 * 2 ** 20;

const bytesOf = ({ source }: FetchedFile): Effect.Effect<Uint8Array, MediaUnreadable> =>
  source._tag === "Bytes"
    ? Effect.succeed(source.bytes)
    : Effect.flatMap(readKept(source.path, PICTURE_BYTES_MAX), (bytes) =>
        bytes === null ? Effect.fail(unreadable) : Effect.succeed(bytes)
      );

/** With the sound of the same files. */
export const layer = (
  options: MediaProgramOptions
): Layer.Layer<MediaReader | SoundReader, ProgramsMissing | SandboxMissing> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const program = yield* openMediaProgram(options);
      const { makeJpeg } = yield* makePictures(program.sandbox);
      const reader = MediaReader.of({
        frames: Effect.fn("MediaReader.frames")(
          function* (file: FetchedFile, framesMax: number) {
            const media = yield* openMedia(program, file);
            if (!media.hasPicture) return yield* unreadable;
            return yield* extractFrames(media, framesMax);
          },
          Effect.scoped,
          Effect.catchTag("ProcessFailed", () => unreadable)
        ),
        picture: Effect.fn("MediaReader.picture")((file: FetchedFile, sideMaxPixels: number) =>
          Effect.flatMap(bytesOf(file), (bytes) =>
            makeJpeg(bytes, { sideMaxPixels, quality: PICTURE_QUALITY })
          ).pipe(Effect.mapError(() => unreadable))
        )
      });
      return Context.add(Context.make(MediaReader, reader), SoundReader, soundReaderOf(program));
    })
  );
