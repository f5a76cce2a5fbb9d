/** The part of `winnow doctor` about download programs: paths, versions and problems. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import {
  type ExternalPrograms,
  locate,
  type ProgramName,
  type ProgramSettings,
  pythonOf,
  remedyOf,
  searchPath
} from "../programs/ExternalPrograms.ts";
import { tmpdir } from "node:os";
import { readableLanguages } from "../programs/Tesseract.ts";
import { askVersion } from "@winnow/isolation/process/ProgramVersion";
import { programFiles, userPackages } from "@winnow/isolation/sandbox/programFiles";
import type { Sandbox } from "@winnow/isolation/sandbox/Sandbox";
import { ownedFolder } from "@winnow/isolation/runtime/OwnedFolder";
import { makeYtDlpServer } from "./yt-dlp/YtDlpServer.ts";
import {
  ageDays,
  ageProblem,
  missingSince,
  readPackageVersion,
  readYtDlpVersion,
  supportProblem
} from "./yt-dlp/YtDlpVersion.ts";

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
  if (program === null) return { ...found, problem: "not found; slides and scanned pages are not read" };
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

type YtDlpPrograms = Pick<ExternalPrograms, "path" | "ytDlp" | "ytDlpPython">;

// What the yt-dlp in use needs besides itself: `winnow doctor --programs`. Versions only; `winnow probe` tries sites.

export interface YtDlpComponent {
  readonly name: string;
  /** Version; null if missing. */
  readonly found: string | null;
  /** What does not work without it. */
  readonly purpose: string;
  /** What to type; null if only some sites need it. */
  readonly remedy: string | null;
}

const WITHOUT_SCRIPTS = "without it, YouTube offers few formats or none";

const COMMAND_COST = "without it, yt-dlp is started anew for each inspection, which takes ten times as long";

const UPDATE = "winnow programs update";

/** How this yt-dlp is run, and if not by the fork server, why. */
const reportForkServer = Effect.fnUntraced(
  function* ({ path, ytDlp, ytDlpPython: python }: YtDlpPrograms, sandbox: Sandbox | null) {
    if (python === null) return "it is a standalone binary";
    const confinement =
      sandbox === null
        ? null
        : { sandbox, proxySocket: null, readable: [...programFiles(ytDlp), ...userPackages()] };
    const folder = yield* ownedFolder("winnow-doctor");
    const server = yield* makeYtDlpServer({ python, path, argv: [], folder, confinement });
    return yield* server.start.pipe(
      Effect.as(null),
      Effect.catchTags({
        ServerRefused: ({ why }) => Effect.succeed(why),
        ProcessFailed: ({ message }) => Effect.succeed(message)
      })
    );
  },
  Effect.scoped,
  Effect.map((why): YtDlpComponent => ({
    name: "fork server",
    found: why === null ? "runs this version" : null,
    purpose: why === null ? COMMAND_COST : `${why}; ${COMMAND_COST}`,
    remedy: why === null ? null : UPDATE
  }))
);

/** Most important first; the packages of a standalone binary cannot be seen. */
const ytDlpComponents = Effect.fnUntraced(function* (programs: YtDlpPrograms, sandbox: Sandbox | null) {
  const version = yield* readYtDlpVersion(programs);
  const nowMs = yield* Clock.currentTimeMillis;
  const days = version === null ? null : ageDays(version, nowMs);
  const fresh = `${days === null ? "age unknown" : `${days} days old`}; whether a site works: winnow probe URL`;
  const runsScripts = missingSince("--js-runtimes", version) === null;
  const own: ReadonlyArray<YtDlpComponent> = [
    yield* reportForkServer(programs, sandbox),
    {
      name: "yt-dlp version",
      found: version,
      purpose: (version === null ? null : ageProblem(version, nowMs)) ?? fresh,
      remedy: version === null ? UPDATE : null
    },
    {
      name: "JavaScript",
      found: runsScripts ? `Node ${process.versions.node} (${process.execPath})` : null,
      purpose: `runs YouTube's player scripts; ${WITHOUT_SCRIPTS}`,
      remedy: runsScripts ? null : UPDATE
    }
  ];
  const { path, ytDlpPython } = programs;
  if (ytDlpPython === null) return own;
  const [solver, browsers] = yield* Effect.all(
    [readPackageVersion(ytDlpPython, "yt-dlp-ejs", path), readPackageVersion(ytDlpPython, "curl_cffi", path)],
    { concurrency: "unbounded" }
  );
  return [
    ...own,
    {
      name: "yt-dlp-ejs",
      found: solver,
      purpose: `solves the challenges in YouTube's player scripts; ${WITHOUT_SCRIPTS}`,
      remedy: solver === null ? UPDATE : null
    },
    {
      name: "curl_cffi",
      found: browsers,
      purpose: "imitates a browser for sites that block other programs, such as TikTok and Vimeo",
      remedy: null
    }
  ];
});

/** Components of yt-dlp; empty without yt-dlp. */
export const reportYtDlp = (
  settings: ProgramSettings,
  sandbox: Sandbox | null
): Effect.Effect<ReadonlyArray<YtDlpComponent>> => {
  const { "yt-dlp": ytDlp } = locate(settings);
  const path = searchPath(settings);
  return ytDlp === null
    ? Effect.succeed([])
    : ytDlpComponents({ path, ytDlp, ytDlpPython: pythonOf(ytDlp, path) }, sandbox);
};
