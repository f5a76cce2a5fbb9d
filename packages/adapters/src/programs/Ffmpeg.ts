/**
 * ffmpeg and ffprobe for files of a run, and, through the egress proxy, for what remote media say of themselves and for a
 * stretch of them.
 *
 * Files are untrusted: only real media containers are opened, never playlists, and no file can make ffmpeg open
 * another one or the network. Tests: copyStretch.test.ts, childAnswers.test.ts.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { options, type ProcessFailed, runBounded } from "@winnow/isolation/process/BoundedProcess";
import type { ProxySocket } from "@winnow/isolation/network/Egress";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import type { Confinement, Sandbox } from "@winnow/isolation/sandbox/Sandbox";
import { authorityFiles, programEnvironment } from "@winnow/isolation/process/ProgramEnvironment";
import { type KeptFile, readOutput, takeOutput } from "@winnow/isolation/process/RunFiles";
import { makeProgramFolder, type RunFolder } from "@winnow/isolation/process/RunFolder";
import type { FfmpegPrograms } from "./ExternalPrograms.ts";

export interface MediaStream {
  readonly kind: "video" | "audio";
  readonly codec: string;
  readonly pixelFormat: string | null;
}

export interface MediaProbe {
  /** Null if the file does not state it. */
  readonly durationSeconds: number | null;
  /** Time of its first frame, on its own clock. */
  readonly startSeconds: number;
  /** Sound before its first picture, in seconds; absent for none. */
  readonly leadSeconds?: number;
  /** Whether a seek ends at a key frame; in an MPEG stream, it ends anywhere. */
  readonly hasIndex: boolean;
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

/** What one start of ffmpeg has written. */
export interface Conversion {
  /** False if ffmpeg failed; what it had written until then can still be read. */
  readonly isWhole: boolean;
  /** Null if it wrote no such file, or a larger one. */
  readonly read: (name: string, maxBytes: number) => Effect.Effect<Buffer | null>;
  /** Moves the file to the run's own folder; null if it wrote no such file. */
  readonly take: (name: string) => Effect.Effect<KeptFile | null>;
}

/** Where a child's connections go, and the folder of its run. */
interface RemotePlace {
  readonly folder: RunFolder;
  readonly proxyUrl: string;
}

/** A section of a remote file, in seconds of it. */
export interface RemoteStretch {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly startSeconds: number;
  /** Null: to its end. */
  readonly lengthSeconds: number | null;
}

export interface Ffmpeg {
  /** Path of a file in the run's own folder. Null if it is not media. */
  readonly probe: (run: RunFolder, path: string) => Effect.Effect<MediaProbe | null, ProcessFailed>;
  readonly probeUrl: (url: string, place: RemotePlace) => Effect.Effect<MediaProbe | null, ProcessFailed>;
  /**
   * Copies a stretch, from the key frame before it, to a file of this name in the run's own folder, and keeps its times.
   * Requests only the bytes that it needs, if container and server allow, else all of those before its end. Null if any
   * of them could not be had.
   */
  readonly copyStretch: (
    stretch: RemoteStretch,
    name: string,
    place: RemotePlace
  ) => Effect.Effect<KeptFile | null, ProcessFailed>;
  /**
   * Inputs are paths of files in the run's own folder. `inputArgs` stand before each of them, after the options that
   * make it safe; `outputArgs` stand behind them and name files, which exist until the scope closes.
   */
  readonly convert: (
    run: RunFolder,
    inputs: ReadonlyArray<string>,
    outputArgs: ReadonlyArray<string>,
    inputArgs?: (input: string) => ReadonlyArray<string>
  ) => Effect.Effect<Conversion, ProcessFailed, Scope.Scope>;
}

/** Demuxers of real containers. Excludes `hls`, `dash`, `concat` and `image2`, which open other files. */
const CONTAINERS = "mov,mp4,matroska,webm,mp3,aac,mpegts,mpeg,ogg,wav,flac,flv,avi,asf,amr,caf";

const LOCAL_INPUT = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS] as const;

/** Of {@link CONTAINERS}, those in which a place is found without a search, which would request much of the file. */
const CONTAINERS_WITH_PLACES = "mov,mp4,matroska,webm,mp3,wav";

/** `httpproxy` is how they reach https through the egress proxy; of these containers, none names an address. */
const remoteInput = (containers: string): ReadonlyArray<string> => [
  "-protocol_whitelist",
  "http,https,httpproxy,tcp,tls",
  "-format_whitelist",
  containers
];

const QUIET = options("-nostdin -hide_banner -v error -y");

/** ffmpeg checks no certificate unless it is told to; yt-dlp does, which downloads what this cannot. */
const trustArgs = (url: string): ReadonlyArray<string> => {
  if (!/^https:/iu.test(url)) return [];
  const { SSL_CERT_FILE: authorities } = authorityFiles();
  return ["-tls_verify", "1", ...(authorities === undefined ? [] : ["-ca_file", authorities])];
};

/** A read that fails ends it (`-xerror`), and is not taken for the end. Matroska takes almost every codec. */
const stretchArgs = ({ url, headers, startSeconds, lengthSeconds }: RemoteStretch): ReadonlyArray<string> => [
  ...options("-xerror -copyts -start_at_zero"),
  ...remoteInput(CONTAINERS_WITH_PLACES),
  ...trustArgs(url),
  "-headers",
  Object.entries(headers)
    .map(([header, value]) => `${header}: ${value}\r\n`)
    .join(""),
  "-ss",
  String(startSeconds),
  ...(lengthSeconds === null ? [] : ["-t", String(lengthSeconds)]),
  "-i",
  url,
  ...options("-map 0:V:0? -map 0:a:0? -c copy -f matroska")
];

const PROBE_ARGS = [
  "-v",
  "error",
  "-show_entries",
  "format=duration,start_time,format_name:stream=codec_type,codec_name,pix_fmt,duration,start_time:stream_disposition=attached_pic",
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

/** Names of ffmpeg for containers without an index. */
const MPEG_STREAMS: ReadonlySet<unknown> = new Set(["mpegts", "mpeg"]);

const readStreams = (raw: unknown): ReadonlyArray<MediaStream> =>
  (Array.isArray(raw) ? raw : []).filter(isJsonObject).flatMap((stream) => {
    const kind = stream["codec_type"];
    const disposition = stream["disposition"];
    const picture = isJsonObject(disposition) && disposition["attached_pic"] === 1;
    if ((kind !== "video" && kind !== "audio") || picture) return [];
    const { codec_name: codec, pix_fmt: pixelFormat } = stream;
    return [
      {
        kind,
        codec: typeof codec === "string" ? codec : "unknown",
        pixelFormat: typeof pixelFormat === "string" ? pixelFormat : null
      }
    ];
  });

/** Of the first picture; 0 without one. */
const pictureSeconds = (raw: unknown): number => {
  const streams = (Array.isArray(raw) ? raw : []).filter(isJsonObject);
  return seconds(streams.find((stream) => stream["codec_type"] === "video")?.["start_time"]) ?? 0;
};

/** ffprobe's JSON; null if it has neither video nor audio. */
export const readProbe = (text: string): MediaProbe | null => {
  const raw: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  })();
  if (!isJsonObject(raw)) return null;
  const streams = readStreams(raw["streams"]);
  if (streams.length === 0) return null;
  const format = isJsonObject(raw["format"]) ? raw["format"] : {};
  const startSeconds = seconds(format["start_time"]) ?? 0;
  const leadSeconds = pictureSeconds(raw["streams"]) - startSeconds;
  return {
    durationSeconds: seconds(format["duration"]),
    startSeconds,
    ...(leadSeconds > 0 ? { leadSeconds } : {}),
    hasIndex: !MPEG_STREAMS.has(format["format_name"]),
    streams
  };
};

export interface FfmpegSettings {
  readonly programs: FfmpegPrograms;
  readonly limits: FfmpegLimits;
  /** Null where programs run without a sandbox. */
  readonly sandbox: Sandbox | null;
  /** For what is remote; nothing else gets network access. */
  readonly proxySocket: ProxySocket | null;
}

const conversionIn = (
  folder: string,
  run: RunFolder,
  { isWhole, maxBytes }: { readonly isWhole: boolean; readonly maxBytes: number }
): Conversion => ({
  isWhole,
  read: (name, readMaxBytes) =>
    Effect.map(readOutput(folder, name, readMaxBytes), (bytes) => (typeof bytes === "string" ? null : bytes)),
  take: (name) => takeOutput(folder, name, run, maxBytes)
});

/** How both programs are started. */
const starting = ({ programs, limits, sandbox }: FfmpegSettings) => {
  const files = [...programFiles(programs.ffmpeg), ...programFiles(programs.ffprobe)];
  const confined = (
    more: Pick<Confinement, "proxySocket" | "readOnly">,
    readable: ReadonlyArray<string> = []
  ): Confinement | null =>
    sandbox === null ? null : { sandbox, readable: [...files, ...readable], ...more };
  const started = (
    program: string,
    args: ReadonlyArray<string>,
    folder: string,
    { timeoutMs, proxyUrl = null }: { readonly timeoutMs: number; readonly proxyUrl?: string | null },
    confinement: Confinement | null
  ) =>
    runBounded({
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
  return { confined, started };
};

export const makeFfmpeg = (settings: FfmpegSettings): Ffmpeg => {
  const { programs, limits, proxySocket } = settings;
  const { confined, started } = starting(settings);
  const probed = Effect.fnUntraced(function* (
    run: RunFolder,
    input: readonly [options: ReadonlyArray<string>, path: string],
    limited: { readonly timeoutMs: number; readonly proxyUrl?: string },
    confinement: Confinement | null
  ) {
    const folder = yield* makeProgramFolder(run);
    const [inputOptions, path] = input;
    const args = [...inputOptions, ...PROBE_ARGS, "-i", path];
    const { exitCode, stdout } = yield* started(programs.ffprobe, args, folder, limited, confinement);
    return exitCode === 0 ? readProbe(stdout) : null;
  }, Effect.scoped);

  return {
    probe: (run, path) =>
      probed(
        run,
        [LOCAL_INPUT, path],
        { timeoutMs: PROBE_TIMEOUT_MS },
        confined({ proxySocket: null, readOnly: true }, [path])
      ),
    probeUrl: (url, { folder: run, proxyUrl }) =>
      probed(
        run,
        [remoteInput(CONTAINERS), url],
        { timeoutMs: PROBE_URL_TIMEOUT_MS, proxyUrl },
        confined({ proxySocket, readOnly: true })
      ),
    copyStretch: Effect.fnUntraced(function* (stretch, name, { folder: run, proxyUrl }) {
      const folder = yield* makeProgramFolder(run);
      const args = [...QUIET, ...stretchArgs(stretch), name];
      const limited = { timeoutMs: limits.fetchTimeoutMs, proxyUrl };
      const confinement = confined({ proxySocket }, Object.values(authorityFiles()));
      const { exitCode } = yield* started(programs.ffmpeg, args, folder, limited, confinement);
      return exitCode === 0 ? yield* takeOutput(folder, name, run, limits.maxDownloadBytes) : null;
    }, Effect.scoped),
    convert: Effect.fnUntraced(function* (run, inputs, outputArgs, inputArgs = () => []) {
      const folder = yield* makeProgramFolder(run);
      const args = [
        ...QUIET,
        ...inputs.flatMap((path) => [...LOCAL_INPUT, ...inputArgs(path), "-i", path]),
        ...outputArgs
      ];
      const limited = { timeoutMs: limits.fetchTimeoutMs };
      const confinement = confined({ proxySocket: null }, inputs);
      const { exitCode } = yield* started(programs.ffmpeg, args, folder, limited, confinement);
      return conversionIn(folder, run, { isWhole: exitCode === 0, maxBytes: limits.maxDownloadBytes });
    })
  };
};
