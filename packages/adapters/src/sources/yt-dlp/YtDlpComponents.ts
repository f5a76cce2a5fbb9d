/**
 * The components of the yt-dlp in use: `winnow doctor --programs`. Imported as the fork server imports it, with the
 * same options, so that it is the same one.
 */
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { runBounded } from "../../programs/process/BoundedProcess.ts";
import type { ExternalPrograms } from "../../programs/sandbox/ExternalPrograms.ts";
import { makeRunFolder } from "../../programs/process/RunFolder.ts";
import { programEnvironment } from "../../programs/process/ProgramEnvironment.ts";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { readJson } from "../../programs/process/ProgramOutput.ts";
import { programFiles, userPackages } from "../../programs/sandbox/programFiles.ts";
import type { Sandbox } from "../../programs/sandbox/Sandbox.ts";
import { baseFlags, pathsIn } from "./YtDlpArgs.ts";
import { ageDays, ageProblem, missingSince, readYtDlpVersion } from "./YtDlpVersion.ts";

export interface YtDlpComponent {
  readonly name: string;
  /** Version, path or names; null if missing. */
  readonly found: string | null;
  /** What does not work without it. */
  readonly purpose: string;
  /** What to type or change; absent if only some sites need it. */
  readonly remedy?: string;
}

const WITHOUT_SCRIPTS = "without it, YouTube offers few formats or none";

/** Importing every extractor from a cold disk takes about 10 s. */
const REPORT_TIMEOUT_MS = 60_000;

const OUTPUT_MAX_BYTES = 65_536;

const REPORT_FILE = fileURLToPath(new URL("./component_report.py", import.meta.url));

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const listOf = (value: unknown): string | null =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join(", ") : null;

/** Where the report runs: as the fork server's children do. */
export interface ReportSettings {
  readonly programs: Pick<ExternalPrograms, "path" | "ytDlp" | "ytDlpPython">;
  readonly extraArgs: ReadonlyArray<string>;
  /** Null where programs run without one. */
  readonly sandbox: Sandbox | null;
}

const ask = Effect.fnUntraced(function* (
  { programs, extraArgs, sandbox }: ReportSettings,
  argv: ReadonlyArray<string>
) {
  const { path, ytDlp, ytDlpPython } = programs;
  if (ytDlpPython === null) return null;
  const { interpreter, importPath } = ytDlpPython;
  const { path: folder } = yield* makeRunFolder(tmpdir());
  const readable = [
    REPORT_FILE,
    ...[ytDlp, process.execPath].flatMap(programFiles),
    ...pathsIn(extraArgs),
    ...userPackages()
  ];
  const outcome = yield* Effect.option(
    runBounded({
      program: interpreter,
      args: [REPORT_FILE, importPath ?? "", ...argv],
      folder,
      confinement: sandbox === null ? null : { sandbox, proxySocket: null, readable },
      environment: programEnvironment({ path, folder, proxyUrl: null }),
      timeoutMs: REPORT_TIMEOUT_MS,
      stdoutMaxBytes: OUTPUT_MAX_BYTES
    })
  );
  const answer = outcome._tag === "Some" ? readJson(outcome.value.stdout) : null;
  return isJsonObject(answer) ? answer : null;
}, Effect.scoped);

/** Targets such as `chrome-152:macos-26`: how many, and the newest version of each browser. */
const browsersOf = (value: unknown): string | null => {
  const targets = Array.isArray(value) ? value.map(String) : [];
  const newest = new Map<string, number>();
  for (const target of targets) {
    const [, browser = target, version = "0"] = /^(\w+)-(\d+)/u.exec(target) ?? [];
    newest.set(browser, Math.max(newest.get(browser) ?? 0, Number(version)));
  }
  if (targets.length === 0) return null;
  return `${targets.length} targets, up to ${[...newest].map((each) => each.join(" ")).join(", ")}`;
};

const UPDATE = "winnow programs update";

/** Whether a script like YouTube's was solved. */
const solverOf = (components: Readonly<Record<string, unknown>>, sandbox: Sandbox | null): YtDlpComponent => {
  const name = "script solver";
  const problem = textOf(components["solver"]);
  if (problem === "") {
    const where = sandbox === null ? "without a sandbox" : "in the sandbox";
    return { name, found: `solves a script of YouTube's kind in Node, ${where}`, purpose: WITHOUT_SCRIPTS };
  }
  const lacksPackage = components["ejs"] === null || problem === null;
  return {
    name,
    found: null,
    purpose: `${WITHOUT_SCRIPTS}. ${problem ?? "This yt-dlp knows none"}`,
    remedy: lacksPackage
      ? UPDATE
      : "remove --no-js-runtimes and --js-runtimes from WINNOW_YTDLP_ARGS, or get a yt-dlp that fits its solver: " +
        UPDATE
  };
};

/** Most important first; for a standalone binary, only the version and its implications. */
export const ytDlpComponents = Effect.fn("YtDlpComponents.report")(function* (
  settings: ReportSettings
): Effect.fn.Return<ReadonlyArray<YtDlpComponent>> {
  const { extraArgs, programs, sandbox } = settings;
  const version = yield* readYtDlpVersion(programs);
  const components = yield* ask(settings, baseFlags({ version, node: process.execPath, extraArgs }));
  const nowMs = yield* Clock.currentTimeMillis;
  const days = version === null ? null : ageDays(version, nowMs);
  const fresh = days === null ? "age unknown" : `${days} days old; sites change every few weeks`;
  const aged = (version === null ? null : ageProblem(version, nowMs)) ?? fresh;
  const runsScripts = missingSince("--js-runtimes", version) === null;
  const own: ReadonlyArray<YtDlpComponent> = [
    { name: "yt-dlp version", found: version, purpose: aged },
    {
      name: "JavaScript",
      found: runsScripts ? `Node ${process.versions.node} (${process.execPath})` : null,
      purpose: `runs YouTube's player scripts; ${WITHOUT_SCRIPTS}`
    }
  ];
  if (components === null) return own;
  return [
    ...own,
    solverOf(components, sandbox),
    {
      name: "imported from",
      found: programs.ytDlpPython?.importPath ?? textOf(components["path"]),
      purpose: "the package that the fork server runs"
    },
    {
      name: "ejs",
      found: textOf(components["ejs"]),
      purpose: "solves the challenges in YouTube's player scripts"
    },
    {
      name: "curl_cffi",
      found: textOf(components["curl_cffi"]),
      purpose: "imitates a browser for sites that block other programs, such as TikTok and Vimeo"
    },
    {
      name: "impersonation",
      found: browsersOf(components["targets"]),
      purpose: "browsers that curl_cffi imitates"
    },
    {
      name: "PO tokens",
      found: listOf(components["providers"]),
      purpose: "plugins that generate the PO tokens with which YouTube checks for a browser"
    }
  ];
});
