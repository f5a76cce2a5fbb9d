/** The part of `winnow doctor` about download programs: paths, versions and problems. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import {
  locate,
  type ProgramName,
  type ProgramSettings,
  pythonOf,
  remedyOf,
  searchPath
} from "../../programs/sandbox/ExternalPrograms.ts";
import { askVersion } from "../../programs/process/ProgramVersion.ts";
import { type YtDlpComponent, ytDlpComponents } from "../yt-dlp/YtDlpComponents.ts";
import { ageProblem, readYtDlpVersion } from "../yt-dlp/YtDlpVersion.ts";

/** One program in the report of `winnow doctor`. */
export interface ProgramReport {
  readonly name: ProgramName;
  readonly path: string | null;
  readonly version: string | null;
  /** False if the server can start without it. */
  readonly required: boolean;
  /** Null if there is no problem. */
  readonly problem: string | null;
  /** A command that fixes the problem; null without a problem. */
  readonly remedy: string | null;
}

/** Version of the yt-dlp that the fork server imports; PATH may have another. */
const versionOf = (name: ProgramName, at: string, path: string) =>
  name === "yt-dlp"
    ? readYtDlpVersion({ path, ytDlp: at, ytDlpPython: pythonOf(at, path) })
    : askVersion(at, [name.startsWith("ff") ? "-version" : "--version"], path);

const report = Effect.fnUntraced(function* (name: ProgramName, at: string | null, path: string) {
  const required = name !== "gallery-dl";
  const version = at === null ? null : yield* versionOf(name, at, path);
  const nowMs = yield* Clock.currentTimeMillis;
  const age = name === "yt-dlp" && version !== null ? ageProblem(version, nowMs) : null;
  const problem = at === null ? "not found" : version === null ? "found, but it does not run" : age;
  const found: ProgramReport = {
    name,
    path: at,
    version,
    required,
    problem,
    remedy: problem === null ? null : remedyOf(name)
  };
  return found;
});

/** Every program with its path and version: what `winnow doctor` prints. */
export const reportPrograms = Effect.fn("ProgramReport.reportPrograms")(function* (
  settings: ProgramSettings
) {
  const found = locate(settings);
  const path = searchPath(settings);
  const names = ["yt-dlp", "ffmpeg", "ffprobe", "gallery-dl"] as const;
  return yield* Effect.forEach(names, (name) => report(name, found[name], path), {
    concurrency: names.length
  });
});

/** Components of yt-dlp; empty without yt-dlp. */
export const reportYtDlp = Effect.fn("ProgramReport.reportYtDlp")(function* (
  settings: ProgramSettings,
  extraArgs: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<YtDlpComponent>> {
  const { "yt-dlp": ytDlp } = locate(settings);
  const path = searchPath(settings);
  if (ytDlp === null) return [];
  return yield* ytDlpComponents({ path, ytDlp, ytDlpPython: pythonOf(ytDlp, path) }, extraArgs);
});
