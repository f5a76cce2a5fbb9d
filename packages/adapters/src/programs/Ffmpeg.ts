/**
 * ffmpeg and ffprobe for files of a run, and ffprobe for remote media through the egress proxy.
 *
 * Files are untrusted: only real media containers are opened, never playlists, and no file can make ffmpeg open
 * another one or the network.
 */
import { isRecord } from "./ProgramOutput.ts";
import { isAbsolute, join } from "node:path";
import * as Effect from "effect/Effect";
import { type BoundedCommand, options, type ProcessFailed, runBounded } from "./BoundedProcess.ts";
import type { ProxySocket } from "../egress/Egress.ts";
import { programFiles } from "./sandbox/programFiles.ts";
import type { Confinement, Sandbox } from "./sandbox/Sandbox.ts";
import { programEnvironment } from "./ProgramEnvironment.ts";
import type { ExternalPrograms } from "./ExternalPrograms.ts";

export interface MediaStream {
  readonly kind: "video" | "audio";
  readonly codec: string;
  readonly pixelFormat: string | null;
}

export interface MediaProbe {
  /** Null if the file does not state it. */
  readonly durationSeconds: number | null;
  /** Cover pictures of music are excluded. */
  readonly streams: ReadonlyArray<MediaStream>;
}

/** Address space for decoding and encoding 4K. */
export const FFMPEG_MEMORY_BYTES = 4_096 * 2 ** 20;

export interface FfmpegLimits {
  /** Time limit of one conversion. */
  readonly fetchTimeoutMs: number;
  /** Maximum size of any file it writes. */
  readonly maxDownloadBytes: number;
  /** Address space, in bytes. */
  readonly ffmpegMemoryBytes: number;
}

export interface Ffmpeg {
  /** Null if it is not media. */
  readonly probe: (folder: string, file: string) => Effect.Effect<MediaProbe | null, ProcessFailed>;
  readonly probeUrl: (
    url: string,
    place: { readonly folder: string; readonly proxyUrl: string }
  ) => Effect.Effect<MediaProbe | null, ProcessFailed>;
  /** Arguments after the safety options of the inputs, and before each input; false if ffmpeg fails. */
  readonly convert: (
    folder: string,
    inputs: ReadonlyArray<string>,
    outputArgs: ReadonlyArray<string>,
    inputArgs?: ReadonlyArray<string>
  ) => Effect.Effect<boolean, ProcessFailed>;
}

/** Demuxers of real containers. Excludes `hls`, `dash`, `concat` and `image2`, which open other files. */
const CONTAINERS = "mov,mp4,matroska,webm,mp3,aac,mpegts,mpeg,ogg,wav,flac,flv,avi,asf,amr,caf";

const LOCAL_INPUT = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS] as const;

const REMOTE_INPUT = [
  "-protocol_whitelist",
  "http,https,httpproxy,tcp,tls",
  "-format_whitelist",
  CONTAINERS
] as const;

const PROBE_ARGS = [
  "-v",
  "error",
  "-show_entries",
  "format=duration:stream=codec_type,codec_name,pix_fmt,duration:stream_disposition=attached_pic",
  "-of",
  "json"
] as const;

/** Time limit of a local probe, which reads headers and trailers only; generous for a stalled disk. */
const PROBE_TIMEOUT_MS = 60_000;

/** Time limit of a remote probe, which is part of an inspection. */
const PROBE_URL_TIMEOUT_MS = 8_000;

const PROBE_OUTPUT_MAX_BYTES = 2 ** 20;

const seconds = (value: unknown): number | null => {
  const found = typeof value === "string" ? Number.parseFloat(value) : Number.NaN;
  return Number.isFinite(found) && found > 0 ? found : null;
};

const readStreams = (raw: unknown): ReadonlyArray<MediaStream> =>
  (Array.isArray(raw) ? raw : []).filter(isRecord).flatMap((stream) => {
    const kind = stream["codec_type"];
    const disposition = stream["disposition"];
    const picture = isRecord(disposition) && disposition["attached_pic"] === 1;
    if ((kind !== "video" && kind !== "audio") || picture) return [];
    const pixelFormat = stream["pix_fmt"];
    return [
      {
        kind,
        codec: String(stream["codec_name"] ?? "unknown"),
        pixelFormat: typeof pixelFormat === "string" ? pixelFormat : null
      }
    ];
  });

/** ffprobe's JSON; null if it has neither video nor audio. */
export const readProbe = (text: string): MediaProbe | null => {
  const raw: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  })();
  if (!isRecord(raw)) return null;
  const streams = readStreams(raw["streams"]);
  if (streams.length === 0) return null;
  const format = raw["format"];
  return { durationSeconds: seconds(isRecord(format) ? format["duration"] : null), streams };
};

export interface FfmpegSettings {
  readonly programs: ExternalPrograms;
  readonly limits: FfmpegLimits;
  /** Null where programs run without a sandbox. */
  readonly sandbox: Sandbox | null;
  /** For remote probes; nothing else gets network access. */
  readonly proxySocket: ProxySocket | null;
}

export const makeFfmpeg = ({ programs, limits, sandbox, proxySocket }: FfmpegSettings): Ffmpeg => {
  const files = [...programFiles(programs.ffmpeg), ...programFiles(programs.ffprobe)];
  const confined = (
    more: Pick<Confinement, "proxySocket" | "readOnly">,
    readable: ReadonlyArray<string> = []
  ): Confinement | null =>
    sandbox === null ? null : { sandbox, readable: [...files, ...readable], ...more };
  const command = (
    program: string,
    args: ReadonlyArray<string>,
    folder: string,
    timeoutMs: number,
    proxyUrl: string | null,
    confinement: Confinement | null
  ): BoundedCommand => ({
    confinement,
    program,
    args,
    folder,
    environment: programEnvironment({ path: programs.path, folder, proxyUrl }),
    timeoutMs,
    stdoutMaxBytes: PROBE_OUTPUT_MAX_BYTES,
    memoryMaxBytes: limits.ffmpegMemoryBytes,
    fileMaxBytes: limits.maxDownloadBytes
  });
  const probed = (bounded: BoundedCommand) =>
    Effect.map(runBounded(bounded), ({ exitCode, stdout }) => (exitCode === 0 ? readProbe(stdout) : null));

  return {
    probe: (folder, file) =>
      probed(
        command(
          programs.ffprobe,
          [...LOCAL_INPUT, ...PROBE_ARGS, "-i", join(folder, file)],
          folder,
          PROBE_TIMEOUT_MS,
          null,
          confined({ proxySocket: null, readOnly: true })
        )
      ),
    probeUrl: (url, { folder, proxyUrl }) =>
      probed(
        command(
          programs.ffprobe,
          [...REMOTE_INPUT, ...PROBE_ARGS, "-i", url],
          folder,
          PROBE_URL_TIMEOUT_MS,
          proxyUrl,
          confined({ proxySocket, readOnly: true })
        )
      ),
    convert: (folder, inputs, outputArgs, inputArgs = []) =>
      Effect.map(
        runBounded(
          command(
            programs.ffmpeg,
            [
              ...options("-nostdin -hide_banner -v error -y"),
              ...inputs.flatMap((file) => [...LOCAL_INPUT, ...inputArgs, "-i", file]),
              ...outputArgs
            ],
            folder,
            limits.fetchTimeoutMs,
            null,
            confined({ proxySocket: null }, inputs.filter(isAbsolute))
          )
        ),
        ({ exitCode }) => exitCode === 0
      )
  };
};
