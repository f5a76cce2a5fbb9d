/**
 * The sound of a file as speech models take it: mp3, mono, 16 kHz, in stretches that no server finds too large.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { options, type ProcessFailed } from "../../programs/BoundedProcess.ts";
import type { LocalMedia } from "./LocalMedia.ts";

export interface SoundChunk {
  /** Absolute; an mp3. */
  readonly path: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly sizeBytes: number;
}

/** Ten minutes are 2.4 MB: far below the 20 MB and more that servers take, and transcribed side by side. */
const CHUNK_SECONDS = 600;

/** A last stretch shorter than this holds no word; ffmpeg leaves such crumbs. */
const CHUNK_SECONDS_MIN = 0.1;

/** Speech models hear 16 kHz; at 32 kbit/s they understand as well as without compression. */
const SPEECH = options("-vn -map 0:a:0 -ac 1 -ar 16000 -c:a libmp3lame -b:a 32k -map_metadata -1");

const PREFIX = "sound_";

/** None when ffmpeg fails: half of the sound would pass for all of it. */
export const cutSound = Effect.fnUntraced(function* ({
  ffmpeg,
  folder,
  path,
  durationSeconds
}: LocalMedia): Effect.fn.Return<ReadonlyArray<SoundChunk>, ProcessFailed> {
  const isWhole = yield* ffmpeg.convert(
    folder,
    [path],
    [...SPEECH, ...options(`-f segment -segment_time ${CHUNK_SECONDS} -reset_timestamps 1 ${PREFIX}%03d.mp3`)]
  );
  if (!isWhole) return [];
  const names = (yield* Effect.promise(() => readdir(folder))).filter((name) => name.startsWith(PREFIX));
  const chunks = yield* Effect.forEach(names.toSorted(), (name, index) =>
    Effect.promise(async (): Promise<SoundChunk> => {
      const file = join(folder, name);
      const startSeconds = index * CHUNK_SECONDS;
      const endSeconds = Math.max(startSeconds, Math.min(startSeconds + CHUNK_SECONDS, durationSeconds));
      return { path: file, startSeconds, endSeconds, sizeBytes: (await stat(file)).size };
    })
  );
  return chunks.filter(
    ({ startSeconds, endSeconds, sizeBytes }) =>
      sizeBytes > 0 && endSeconds - startSeconds >= CHUNK_SECONDS_MIN
  );
});
