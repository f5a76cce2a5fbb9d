/**
 * ffmpeg for the files of runs, without network access, and a file for it: probed, with a folder for its output. Tests:
 * MediaReader.test.ts.
 */
import { basename, resolve } from "node:path";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import { type Ffmpeg, FFMPEG_MEMORY_BYTES, type FfmpegLimits, makeFfmpeg } from "./Ffmpeg.ts";
import { keepFile } from "@winnow/isolation/process/RunFiles";
import { makeRunFolder, makeWorkDir, type RunFolder } from "@winnow/isolation/process/RunFolder";
import { locateFfmpeg, type ProgramSettings, type ProgramsMissing } from "./ExternalPrograms.ts";
import {
  openSandbox,
  type Sandbox,
  type SandboxMissing,
  type SandboxSetting
} from "@winnow/isolation/sandbox/Sandbox";

/** The file has no such stream, or could not be read within the limits. */
export class MediaUnreadable extends Schema.TaggedError<MediaUnreadable>()("MediaUnreadable", {
  message: Schema.String
}) {}

/** One pass over an hour takes some seconds by key frames, or a minute if everything is decoded. */
const PASS_TIMEOUT_MS = 180_000;

/** Maximum size of a file written by a pass; the audio of an hour has 14 MB. */
const OUTPUT_MAX_BYTES = 32 * 2 ** 20;

const PASS_LIMITS = { fetchTimeoutMs: PASS_TIMEOUT_MS, maxDownloadBytes: OUTPUT_MAX_BYTES };

export interface MediaProgramOptions {
  /** Parent of all runs' working folders, as for the downloader; created if missing. */
  readonly workDir: string;
  readonly programs?: ProgramSettings;
  /** Default `auto`. */
  readonly sandbox?: SandboxSetting;
}

export interface MediaProgram {
  readonly ffmpeg: Ffmpeg;
  /** Absolute. */
  readonly workDir: string;
  readonly sandbox: Sandbox | null;
}

/** Fails if ffmpeg is missing, or if the sandbox is required but does not work. */
export const openMediaProgram = Effect.fnUntraced(function* (
  { programs = {}, sandbox: setting = "auto", ...options }: MediaProgramOptions,
  limits: Omit<FfmpegLimits, "ffmpegMemoryBytes"> = PASS_LIMITS
): Effect.fn.Return<MediaProgram, ProgramsMissing | SandboxMissing, Scope.Scope> {
  const sandbox = yield* openSandbox(setting);
  const ffmpeg = makeFfmpeg({
    programs: yield* locateFfmpeg(programs),
    limits: { ...limits, ffmpegMemoryBytes: FFMPEG_MEMORY_BYTES },
    sandbox,
    proxySocket: null
  });
  return { ffmpeg, workDir: yield* makeWorkDir(resolve(options.workDir)), sandbox };
});

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
  { ffmpeg, workDir }: Pick<MediaProgram, "ffmpeg" | "workDir">,
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
