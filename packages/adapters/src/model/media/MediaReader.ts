/**
 * Images and audio from the files of a run, small enough for a model: video frames, audio chunks, slides. ffmpeg
 * runs within the limits below in a separate folder, without network access.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { resolve } from "node:path";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { FFMPEG_MEMORY_BYTES, type FfmpegLimits, makeFfmpeg } from "../../programs/Ffmpeg.ts";
import { makeJpeg } from "../../programs/images/Images.ts";
import { readKept } from "@winnow/isolation/process/RunFiles";
import { sweepWorkDir } from "@winnow/isolation/process/RunFolder";
import {
  locateFfmpeg,
  type ProgramSettings,
  type ProgramsMissing
} from "@winnow/isolation/sandbox/ExternalPrograms";
import { extractFrames, type Frame } from "./extractFrames.ts";
import { type MediaUnreadable, openMedia, unreadable } from "./LocalMedia.ts";
import { type RecordedSound, recordSound } from "./RecordedSound.ts";
import { openSandbox, type SandboxMissing, type SandboxSetting } from "@winnow/isolation/sandbox/Sandbox";

/** One pass over an hour takes some seconds by key frames, or a minute if everything is decoded. */
const PASS_TIMEOUT_MS = 180_000;

/** Maximum size of a file written by a pass; the audio of an hour has 14 MB. */
const OUTPUT_MAX_BYTES = 32 * 2 ** 20;

const LIMITS: FfmpegLimits = {
  ffmpegMemoryBytes: FFMPEG_MEMORY_BYTES,
  fetchTimeoutMs: PASS_TIMEOUT_MS,
  maxDownloadBytes: OUTPUT_MAX_BYTES
};

/** JPEG quality at which text on a slide stays sharp. */
const PICTURE_QUALITY = 80;

export class MediaReader extends Context.Service<
  MediaReader,
  {
    /** At most `framesMax`, in order of time. */
    readonly frames: (
      file: FetchedFile,
      framesMax: number
    ) => Effect.Effect<ReadonlyArray<Frame>, MediaUnreadable>;

    /** The whole audio track; its files exist until the scope closes. Null if there is none. */
    readonly sound: (file: FetchedFile) => Effect.Effect<RecordedSound | null, MediaUnreadable, Scope.Scope>;

    /** A JPEG, scaled down to the maximum side length; waits for the account's turn. */
    readonly picture: (
      accountId: string,
      file: FetchedFile,
      sideMaxPixels: number
    ) => Effect.Effect<Uint8Array, MediaUnreadable>;
  }
>()("./MediaReader.ts") {}

export interface MediaReaderOptions {
  /** Parent of all runs' working folders, as for the downloader; created if missing. */
  readonly workDir: string;
  readonly programs?: ProgramSettings;
  /** Default `auto`. */
  readonly sandbox?: SandboxSetting;
}

/** Larger than any image of a run, which are JPEGs of ours or frames of ffmpeg. */
const PICTURE_BYTES_MAX = 64 * 2 ** 20;

const bytesOf = ({ source }: FetchedFile): Effect.Effect<Uint8Array, MediaUnreadable> =>
  source._tag === "Bytes"
    ? Effect.succeed(source.bytes)
    : Effect.flatMap(readKept(source.path, PICTURE_BYTES_MAX), (bytes) =>
        bytes === null ? Effect.fail(unreadable) : Effect.succeed(bytes)
      );

export const layer = (
  options: MediaReaderOptions
): Layer.Layer<MediaReader, ProgramsMissing | SandboxMissing> =>
  Layer.effect(
    MediaReader,
    Effect.gen(function* () {
      const workDir = resolve(options.workDir);
      const sandbox = yield* openSandbox(options.sandbox ?? "auto");
      const ffmpeg = makeFfmpeg({
        programs: yield* locateFfmpeg(options.programs ?? {}),
        limits: LIMITS,
        sandbox,
        proxySocket: null
      });
      yield* sweepWorkDir(workDir);
      return MediaReader.of({
        frames: Effect.fn("MediaReader.frames")(
          function* (file: FetchedFile, framesMax: number) {
            const media = yield* openMedia(ffmpeg, workDir, file);
            if (!media.hasPicture) return yield* unreadable;
            return yield* extractFrames(media, framesMax);
          },
          Effect.scoped,
          Effect.catchTag("ProcessFailed", () => unreadable)
        ),
        sound: Effect.fn("MediaReader.sound")(
          function* (file: FetchedFile) {
            const media = yield* openMedia(ffmpeg, workDir, file);
            if (!media.hasSound) return null;
            return (yield* recordSound(media)) ?? (yield* unreadable);
          },
          Effect.catchTag("ProcessFailed", () => unreadable)
        ),
        picture: Effect.fn("MediaReader.picture")(
          (accountId: string, file: FetchedFile, sideMaxPixels: number) =>
            Effect.flatMap(bytesOf(file), (bytes) =>
              makeJpeg({ accountId, sandbox }, bytes, { sideMaxPixels, quality: PICTURE_QUALITY })
            ).pipe(Effect.mapError(() => unreadable))
        )
      });
    })
  );
