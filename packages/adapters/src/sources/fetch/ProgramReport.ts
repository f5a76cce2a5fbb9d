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
} from "@winnow/isolation/sandbox/ExternalPrograms";
import { tmpdir } from "node:os";
import { readableLanguages } from "../../programs/Tesseract.ts";
import { askVersion } from "@winnow/isolation/process/ProgramVersion";
import { type YtDlpComponent, ytDlpComponents } from "../yt-dlp/YtDlpComponents.ts";
import { ageProblem, readYtDlpVersion, supportProblem } from "../yt-dlp/YtDlpVersion.ts";

/** One program in the report of `winnow doctor`. */
export interface ProgramReport {
  readonly name: ProgramName;
  readonly path: string | null;
  /** Null if it cannot be used. */
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

/** The server starts without them. */
const OPTIONAL: ReadonlySet<ProgramName> = new Set(["gallery-dl", "tesseract"]);

const report = Effect.fnUntraced(function* (name: ProgramName, at: string | null, path: string) {
  const required = !OPTIONAL.has(name);
  const found = at === null ? null : yield* versionOf(name, at, path);
  const tooOld = name === "yt-dlp" ? supportProblem(found) : null;
  const version = tooOld === null ? found : null;
  const nowMs = yield* Clock.currentTimeMillis;
  const age = name === "yt-dlp" && version !== null ? ageProblem(version, nowMs) : null;
  const unusable = at === null ? "not found" : "found, but it does not run";
  const problem = version === null ? (tooOld ?? unusable) : age;
  const answer: ProgramReport = {
    name,
    path: at,
    version,
    required,
    problem,
    remedy: problem === null ? null : remedyOf(name)
  };
  return answer;
});

/** With the languages it reads, which are packages of their own. */
const reportTesseract = Effect.fnUntraced(function* (settings: ProgramSettings) {
  const name = "tesseract";
  const path = searchPath(settings);
  const program = locate(settings).tesseract;
  const found = yield* report(name, program, path);
  if (settings.tesseract === "off") return { ...found, version: "off", problem: null, remedy: null };
  if (program === null) return { ...found, problem: "not found; words on slides cannot be quoted" };
  if (found.version === null) return found;
  const languages = yield* readableLanguages({ program, path }, tmpdir());
  return languages.length === 0
    ? { ...found, problem: "found, but it has no language to read", remedy: remedyOf(name) }
    : { ...found, version: `${found.version} (${languages.join(", ")})` };
});

/** Every program with its path and version: what `winnow doctor` prints. */
export const reportPrograms = Effect.fn("ProgramReport.reportPrograms")(function* (
  settings: ProgramSettings
) {
  const found = locate(settings);
  const path = searchPath(settings);
  const names = ["yt-dlp", "ffmpeg", "ffprobe", "gallery-dl"] as const;
  const reports = Effect.forEach(names, (name) => report(name, found[name], path), {
    concurrency: names.length
  });
  const [programs, tesseract] = yield* Effect.all([reports, reportTesseract(settings)], { concurrency: 2 });
  return [...programs, tesseract];
});

/** Components of yt-dlp; empty without yt-dlp. */
export const reportYtDlp = (settings: ProgramSettings): Effect.Effect<ReadonlyArray<YtDlpComponent>> => {
  const { "yt-dlp": ytDlp } = locate(settings);
  const path = searchPath(settings);
  return ytDlp === null
    ? Effect.succeed([])
    : ytDlpComponents({ path, ytDlp, ytDlpPython: pythonOf(ytDlp, path) });
};
