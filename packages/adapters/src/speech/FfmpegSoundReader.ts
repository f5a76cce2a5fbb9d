/**
 * The audio of a file in the format of speech models (mp3, mono, 16 kHz), with its levels, and chunks of it small
 * enough for any server. Tests: MediaReader.test.ts, OpenAiTranscriber.test.ts.
 */
import { cutAtSilence, LEVEL_STEP_SECONDS, soundLevels } from "./SoundLevels.ts";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { options, type ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { type KeptFile, readKept } from "@winnow/isolation/process/RunFiles";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import type { ProgramsMissing } from "../programs/ExternalPrograms.ts";
import {
  type LocalMedia,
  type MediaProgram,
  type MediaProgramOptions,
  openMedia,
  openMediaProgram,
  unreadable
} from "../programs/LocalMedia.ts";
import { type RecordedSound, type SoundPiece, SoundReader } from "./SoundReader.ts";

/** Sample rate of speech models. */
const SAMPLE_HERTZ = 16_000;

const SOUND = "sound.mp3";
const LEVELS = "levels.txt";

/** An hour in steps has less than 4 MB. */
const LEVELS_BYTES_MAX = 32 * 2 ** 20;

const LEVEL_KEY = "lavfi.astats.Overall.RMS_level";

/** Gaps and a late start become silence, so that times match the media. */
const FILTERS = [
  `aresample=${SAMPLE_HERTZ}:async=1:first_pts=0`,
  "aformat=channel_layouts=mono",
  `asetnsamples=n=${SAMPLE_HERTZ * LEVEL_STEP_SECONDS}:p=0`,
  "astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level",
  `ametadata=mode=print:key=${LEVEL_KEY}:file=${LEVELS}`
].join();

/**
 * 32 kbit/s is understood as well as uncompressed audio, but speech over music not with the fastest encoding (level 9);
 * level 5 takes 7 s an hour. Frames are independent, so that it can be cut.
 */
const ENCODED = options(
  `-c:a libmp3lame -compression_level 5 -b:a 32k -reservoir 0 -write_xing 0 -map_metadata -1 ${SOUND}`
);

const pieceOf = (stretch: Stretch, { path, sizeBytes }: KeptFile): SoundPiece => ({
  ...stretch,
  read: Effect.flatMap(readKept(path, sizeBytes), (bytes) =>
    bytes === null ? Effect.fail(unreadable) : Effect.succeed(new Uint8Array(bytes))
  )
});

const readLevels = (text: string): ReadonlyArray<number> =>
  text
    .split("\n")
    .filter((line) => line.startsWith(LEVEL_KEY))
    .map((line) => Number(line.slice(LEVEL_KEY.length + 1)))
    // "-inf" is digital silence.
    .map((level) => (Number.isFinite(level) ? level : Number.NEGATIVE_INFINITY));

/** All boundaries except the first. */
const bordersOf = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<number> =>
  [...new Set(stretches.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]))]
    .filter((border) => border > 0)
    .toSorted((left, right) => left - right);

/** Null if ffmpeg fails, because partial audio would look complete. */
const recordSound = Effect.fnUntraced(function* ({
  ffmpeg,
  folder,
  path
}: LocalMedia): Effect.fn.Return<RecordedSound | null, ProcessFailed, Scope.Scope> {
  const { isWhole, read, take } = yield* ffmpeg.convert(
    folder,
    [path],
    [...options("-vn -map 0:a:0 -af"), FILTERS, ...ENCODED]
  );
  const sound = isWhole ? yield* take(SOUND) : null;
  const levelsText = yield* read(LEVELS, LEVELS_BYTES_MAX);
  if (sound === null || levelsText === null) return null;
  const levels = soundLevels(readLevels(levelsText.toString("utf8")));
  let cuts = 0;
  const pieces = Effect.fnUntraced(
    function* (secondsMax: number, stretch?: Stretch) {
      const stretches = cutAtSilence(levels, secondsMax, stretch);
      const borders = bordersOf(stretches);
      if (borders.length === 0) return [];
      const prefix = `piece_${cuts++}_`;
      const cut = yield* ffmpeg.convert(
        folder,
        [sound.path],
        [
          ...options("-c copy -f segment -segment_format_options write_xing=0 -reset_timestamps 1"),
          "-segment_times",
          borders.join(),
          `${prefix}%04d.mp3`
        ]
      );
      if (!cut.isWhole) return yield* unreadable;
      return yield* Effect.forEach(
        stretches,
        Effect.fnUntraced(function* (each) {
          const place = each.startSeconds === 0 ? 0 : borders.indexOf(each.startSeconds) + 1;
          const piece = yield* cut.take(`${prefix}${String(place).padStart(4, "0")}.mp3`);
          return piece === null ? yield* unreadable : pieceOf(each, piece);
        })
      );
    },
    Effect.scoped,
    Effect.catchTag("ProcessFailed", () => unreadable)
  );
  return { levels, pieces };
});

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
