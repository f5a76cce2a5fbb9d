/**
 * Finds the programs that the downloader runs, and reports what is missing and how to install it.
 *
 * Uses only explicit settings and PATH; never installs, updates or downloads anything. Tests: programs.test.ts.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { isExecutable, onPath, scriptOf } from "@winnow/isolation/sandbox/programFiles";

export type ProgramName = "yt-dlp" | "ffmpeg" | "ffprobe" | "gallery-dl" | "tesseract";

/** Explicit paths (WINNOW_YTDLP, WINNOW_FFMPEG, ...); others are looked up on PATH. */
export interface ProgramSettings {
  readonly ytDlp?: string | undefined;
  readonly ffmpeg?: string | undefined;
  readonly ffprobe?: string | undefined;
  readonly galleryDl?: string | undefined;
  /** Also `off`. */
  readonly tesseract?: string | undefined;
  /** Search path; default: that of this process. */
  readonly path?: string | undefined;
}

/** How the fork server can import yt-dlp. */
export interface YtDlpPython {
  readonly interpreter: string;
  /** What it imports from besides its own path: the program itself if it is a zip, or the folder of its packages. */
  readonly importPath: string | null;
}

/** Absolute paths of what converts media. */
export interface FfmpegPrograms {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly path: string;
}

/** Absolute paths. */
export interface ExternalPrograms extends FfmpegPrograms {
  readonly ytDlp: string;
  /** Null for a standalone binary, which can only be executed. */
  readonly ytDlpPython: YtDlpPython | null;
  /** Null if missing: only photo posts of some hosts need it. */
  readonly galleryDl: string | null;
  /** Null if missing or `off`: the words on slides are not read then. */
  readonly tesseract: string | null;
}

export class ProgramsMissing extends Schema.TaggedError<ProgramsMissing>()("ProgramsMissing", {
  missing: Schema.Array(Schema.String),
  /** Names every missing program and the command that installs it. */
  message: Schema.String
}) {}

const explicitOr = (setting: string | undefined, found: () => string | null): string | null =>
  setting === undefined || setting === "" ? found() : isExecutable(setting) ? setting : null;

/** Where packages lie beside `bin` if there is no virtual environment (DownloaderEnvironment). */
export const TARGET_FOLDER = join("lib", "python3");

/** The interpreter of yt_dlp, from the first lines of the `yt-dlp` program. */
export const pythonOf = (ytDlp: string, path: string): YtDlpPython | null => {
  const program = realpathSync(ytDlp);
  const script = scriptOf(program);
  if (script === null) return null;
  const {
    named: [first = "", second = ""],
    viaShell,
    rest
  } = script;
  const named = first.endsWith("/env") ? onPath(second, path) : first.endsWith("/sh") ? viaShell : first;
  if (named === undefined || named === null || !/python[\d.]*$/u.test(named) || !isExecutable(named)) {
    return null;
  }
  const packages = join(dirname(dirname(program)), TARGET_FOLDER);
  const folder = existsSync(join(packages, "yt_dlp")) ? packages : null;
  return { interpreter: named, importPath: rest.startsWith("PK") ? program : folder };
};

export const searchPath = (settings: ProgramSettings): string => settings.path ?? process.env["PATH"] ?? "";

/** Null for missing programs. */
export const locate = (settings: ProgramSettings): Readonly<Record<ProgramName, string | null>> => {
  const path = searchPath(settings);
  const ffmpeg = explicitOr(settings.ffmpeg, () => onPath("ffmpeg", path));
  const besideFfmpeg = ffmpeg === null ? null : join(dirname(ffmpeg), "ffprobe");
  return {
    "yt-dlp": explicitOr(settings.ytDlp, () => onPath("yt-dlp", path)),
    ffmpeg,
    ffprobe: explicitOr(settings.ffprobe, () =>
      besideFfmpeg !== null && isExecutable(besideFfmpeg) ? besideFfmpeg : onPath("ffprobe", path)
    ),
    "gallery-dl": explicitOr(settings.galleryDl, () => onPath("gallery-dl", path)),
    tesseract: explicitOr(settings.tesseract, () => onPath("tesseract", path))
  };
};

const FROM_SYSTEM: ReadonlyMap<ProgramName, string> = new Map([
  ["ffmpeg", "ffmpeg"],
  ["ffprobe", "ffmpeg"],
  ["tesseract", process.platform === "darwin" ? "tesseract" : "tesseract-ocr"]
]);

/** Installs the downloaders in the data folder: by default in that of the reader. */
export const updateCommand = (dataDir?: string): string =>
  `${dataDir === undefined ? "" : `WINNOW_DATA_DIR=${dataDir} `}winnow programs update`;

/** The command that installs a program on this system. */
export const remedyOf = (name: ProgramName): string => {
  const found = FROM_SYSTEM.get(name);
  if (found === undefined) return updateCommand();
  return process.platform === "darwin" ? `brew install ${found}` : `apt-get install -y ${found}`;
};

const FFMPEG = ["ffmpeg", "ffprobe"] as const;

const missingOf = (
  names: ReadonlyArray<ProgramName>,
  found: ReturnType<typeof locate>
): Effect.Effect<never, ProgramsMissing> => {
  const missing = names.filter((name) => found[name] === null);
  const message = missing.map((name) => `${name} was not found; install it with: ${remedyOf(name)}`);
  return Effect.fail(new ProgramsMissing({ missing, message: message.join("\n") }));
};

/** For those that only convert media. */
export const locateFfmpeg = (settings: ProgramSettings): Effect.Effect<FfmpegPrograms, ProgramsMissing> =>
  Effect.suspend(() => {
    const found = locate(settings);
    const { ffmpeg, ffprobe } = found;
    return ffmpeg === null || ffprobe === null
      ? missingOf(FFMPEG, found)
      : Effect.succeed({ ffmpeg, ffprobe, path: searchPath(settings) });
  });

/** Locates the programs without running any; fails if a required one is missing. */
export const locatePrograms = (settings: ProgramSettings): Effect.Effect<ExternalPrograms, ProgramsMissing> =>
  Effect.suspend(() => {
    const path = searchPath(settings);
    const found = locate(settings);
    const { "yt-dlp": ytDlp, ffmpeg, ffprobe, "gallery-dl": galleryDl, tesseract } = found;
    if (ytDlp === null || ffmpeg === null || ffprobe === null) return missingOf(["yt-dlp", ...FFMPEG], found);
    const ytDlpPython = pythonOf(ytDlp, path);
    return Effect.succeed({ ytDlp, ytDlpPython, ffmpeg, ffprobe, galleryDl, tesseract, path });
  });
