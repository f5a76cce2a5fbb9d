/**
 * yt-dlp versions, which are dates: their age, the options they know, and how to determine the installed one,
 * those of its packages and that of PATH. Pure except for the last three. Tests: YtDlpFlags.test.ts.
 */
import { DAY_MS } from "@winnow/core/domain/Durations";
import * as Effect from "effect/Effect";
import { askVersion } from "@winnow/isolation/process/ProgramVersion";
import {
  type ExternalPrograms,
  locate,
  type ProgramSettings,
  pythonOf,
  searchPath,
  type YtDlpPython
} from "../../programs/ExternalPrograms.ts";
import type { YtDlpProgram } from "../../programs/python/VersionState.ts";

/** An older version probably fails on large platforms, which change every few weeks. */
const YTDLP_AGE_MAX_DAYS = 90;

/** First version that runs YouTube's scripts in a JavaScript runtime, without which YouTube fails. */
const JS_RUNTIMES_SINCE = "2025.11.12";

/** The oldest version that is supported: that of Debian 13. A test runs it. */
export const OLDEST_SUPPORTED = "2025.04.30";

/** Options that older versions reject, with the first version that knows them. */
const SINCE: ReadonlyMap<string, string> = new Map([
  ["--js-runtimes", JS_RUNTIMES_SINCE],
  ["--no-js-runtimes", JS_RUNTIMES_SINCE],
  ["--remote-components", JS_RUNTIMES_SINCE],
  ["--no-remote-components", JS_RUNTIMES_SINCE]
]);

/** YYYY.MM.DD, as unix milliseconds; null for anything else. */
const releasedAtMs = (version: string): number | null => {
  const match = /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?:\D|$)/u.exec(version);
  return match === null ? null : Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
};

/** Null for a version that is not a date. */
export const ageDays = (version: string, nowMs: number): number | null => {
  const atMs = releasedAtMs(version);
  return atMs === null ? null : Math.floor((nowMs - atMs) / DAY_MS);
};

/** First version with an option that `version` lacks; null if it has it, as an unknown version is assumed to. */
export const missingSince = (option: string, version: string | null): string | null => {
  const since = SINCE.get(option.replace(/=.*$/su, ""));
  const atMs = version === null ? null : releasedAtMs(version);
  if (since === undefined || atMs === null) return null;
  return atMs < (releasedAtMs(since) ?? 0) ? since : null;
};

/** Null if the version is supported, as one that is not a date is assumed to be. */
export const supportProblem = (version: string | null): string | null => {
  const atMs = version === null ? null : releasedAtMs(version);
  if (atMs === null || atMs >= (releasedAtMs(OLDEST_SUPPORTED) ?? 0)) return null;
  return `${version} is older than ${OLDEST_SUPPORTED}, the oldest version that Winnow supports`;
};

/** The consequence of its age for the operator; null if it is recent. */
export const ageProblem = (version: string, nowMs: number): string | null => {
  const age = ageDays(version, nowMs);
  if (age === null || age <= YTDLP_AGE_MAX_DAYS) return null;
  const youtube =
    missingSince("--js-runtimes", version) === null
      ? ""
      : `; YouTube needs ${JS_RUNTIMES_SINCE} or newer, which runs its scripts in Node`;
  return `${age} days old; large platforms probably fail${youtube}`;
};

/** Prints the version without importing the package, which would take ten times as long. */
const READ_VERSION = `
import importlib.util, os, sys
sys.path[:0] = sys.argv[1:]
spec = importlib.util.find_spec("yt_dlp")
scope = {}
exec(spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), "version.py")), scope)
print(scope["__version__"])
`;

const PACKAGE_VERSION =
  "import sys; from importlib.metadata import version; sys.path[:0] = sys.argv[2:]; print(version(sys.argv[1]))";

const pathsOf = ({ importPath }: YtDlpPython) => (importPath === null ? [] : [importPath]);

/** Version of a Python package where yt-dlp is imported; null if it is not installed there. */
export const readPackageVersion = (python: YtDlpPython, name: string, path: string) =>
  askVersion(python.interpreter, ["-c", PACKAGE_VERSION, name, ...pathsOf(python)], path);

/** Version of the yt-dlp in use; null if it does not report one. */
export const readYtDlpVersion = Effect.fn("YtDlpVersion.read")(function* ({
  path,
  ytDlp,
  ytDlpPython: python
}: Pick<ExternalPrograms, "path" | "ytDlp" | "ytDlpPython">) {
  if (python !== null) {
    const read = yield* askVersion(python.interpreter, ["-c", READ_VERSION, ...pathsOf(python)], path);
    if (read !== null) return read;
  }
  return yield* askVersion(ytDlp, ["--version"], path);
});

/** The yt-dlp on PATH. */
export const programOnPath = Effect.fnUntraced(function* (
  settings: ProgramSettings
): Effect.fn.Return<YtDlpProgram | null> {
  const { "yt-dlp": ytDlp } = locate({ path: settings.path });
  if (ytDlp === null) return null;
  const path = searchPath(settings);
  return { version: yield* readYtDlpVersion({ path, ytDlp, ytDlpPython: pythonOf(ytDlp, path) }), ytDlp };
});
