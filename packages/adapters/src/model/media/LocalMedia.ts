/** A file of a run for ffmpeg, probed, with a folder for its output. */
import { basename, resolve } from "node:path";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import type { Ffmpeg } from "../../programs/Ffmpeg.ts";
import { keepFile } from "@winnow/isolation/process/RunFiles";
import { makeRunFolder, type RunFolder } from "@winnow/isolation/process/RunFolder";

/** The file has no such stream, or could not be read within the limits. */
export class MediaUnreadable extends Schema.TaggedError<MediaUnreadable>()("MediaUnreadable", {
  message: Schema.String
}) {}

export interface LocalMedia {
  readonly ffmpeg: Ffmpeg;
  readonly folder: RunFolder;
  /** Absolute. */
  readonly path: string;
  readonly durationSeconds: number;
  readonly hasPicture: boolean;
  readonly hasSound: boolean;
}

export const unreadable = new MediaUnreadable({ message: "The media could not be read." });

/** The folder lives until the scope closes. */
export const openMedia = Effect.fnUntraced(function* (
  ffmpeg: Ffmpeg,
  workDir: string,
  { name, source }: FetchedFile
): Effect.fn.Return<LocalMedia, MediaUnreadable, Scope.Scope> {
  const folder = yield* makeRunFolder(workDir);
  const path =
    source._tag === "LocalFile"
      ? resolve(source.path)
      : (yield* keepFile(folder, basename(name), source.bytes)).path;
  const probe = yield* Effect.mapError(ffmpeg.probe(folder, path), () => unreadable);
  if (probe === null || probe.durationSeconds === null) return yield* unreadable;
  const kinds = new Set(probe.streams.map(({ kind }) => kind));
  return {
    ffmpeg,
    folder,
    path,
    durationSeconds: probe.durationSeconds,
    hasPicture: kinds.has("video"),
    hasSound: kinds.has("audio")
  };
});
