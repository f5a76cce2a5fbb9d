/**
 * Finds a Python that can install packages, and runs its pip, which asks the index of the operator's pip settings
 * (`PIP_INDEX_URL`, pip.conf). Tests: DownloaderEnvironment.test.ts.
 */
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { runBounded } from "@winnow/isolation/process/BoundedProcess";
import { readJson } from "@winnow/isolation/process/ProgramOutput";
import { isExecutable } from "@winnow/isolation/sandbox/programFiles";

/** Packages could not be found or installed; one sentence with the remedy. */
export class InstallFailed extends Schema.TaggedError<InstallFailed>()("InstallFailed", {
  message: Schema.String
}) {}

export interface Python {
  /** Absolute path of the interpreter. */
  readonly program: string;
  /** Whether it can create virtual environments with pip; otherwise its own pip installs into a folder. */
  readonly hasVenv: boolean;
  readonly hasPip: boolean;
}

/** Oldest Python that the lock file is made for, and that the current yt-dlp runs on. */
const PYTHON_MINOR_MIN = 11;

const PROBE = `
import importlib.util, json, sys
has = lambda name: importlib.util.find_spec(name) is not None
print(json.dumps({"minor": sys.version_info[1], "venv": has("venv") and has("ensurepip"), "pip": has("pip")}))
`;

const PROBE_TIMEOUT_MS = 15_000;

/** A slow line and a slow disk; 30 MB are downloaded and 130 MB written. */
const PIP_TIMEOUT_MS = 600_000;

const OUTPUT_MAX_BYTES = 4 * 2 ** 20;

const INSTALL = "apt-get install -y python3 python3-venv";

/** What venv, pip and the operator's settings of pip need. Not keys and the database's URL: pip runs others' code. */
const NEEDED =
  /^(?:PATH|HOME|TMPDIR|NETRC|XDG_CONFIG_(?:HOME|DIRS)|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|PIP_\w+|(?:https?|all|no)_proxy)$/iu;

const environment = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && NEEDED.test(name) ? [[name, value]] : []
    )
  ),
  LANG: "C.UTF-8",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1"
});

/** Options of each installation: a wheel is unpacked, whereas a source archive runs a build script of its own. */
export const INSTALL_OPTIONS = ["--quiet", "--only-binary", ":all:"];

/** Runs Python, with the operator's proxies and settings of pip. */
export const runPython = (program: string, args: ReadonlyArray<string>, timeoutMs = PIP_TIMEOUT_MS) =>
  runBounded({
    program,
    args,
    folder: tmpdir(),
    environment: environment(),
    timeoutMs,
    stdoutMaxBytes: OUTPUT_MAX_BYTES
  }).pipe(
    Effect.catchTag("ProcessFailed", ({ reason }) =>
      Effect.succeed({ exitCode: null, stdout: "", stderr: `ERROR: Python ended (${reason}).` })
    )
  );

const candidates = (path: string): ReadonlyArray<string> =>
  [...new Set(path.split(delimiter))]
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, "python3"))
    .filter(isExecutable);

/** The first of PATH that can create virtual environments, else the first with pip. */
export const findPython = Effect.fn("Python.find")(function* (
  path = [process.env["PATH"] ?? "", "/usr/bin", "/usr/local/bin"].join(delimiter)
): Effect.fn.Return<Python, InstallFailed> {
  let withPip: Python | null = null;
  let tooOld = true;
  for (const program of candidates(path)) {
    const { stdout } = yield* runPython(program, ["-c", PROBE], PROBE_TIMEOUT_MS);
    const found = readJson(stdout);
    if (!isJsonObject(found) || Number(found["minor"]) < PYTHON_MINOR_MIN) continue;
    tooOld = false;
    const python = { program, hasVenv: found["venv"] === true, hasPip: found["pip"] === true };
    if (python.hasVenv) return python;
    if (python.hasPip) withPip ??= python;
  }
  if (withPip !== null) return withPip;
  const problem = tooOld
    ? `Python 3.${PYTHON_MINOR_MIN} or newer was not found as python3`
    : "python3 has neither venv nor pip";
  return yield* new InstallFailed({ message: `${problem}; install it with: ${INSTALL}` });
});

const UNREACHABLE =
  /Retry\(total=|NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|ProxyError|SSLError/u;

const COMPLAINT_CHARS_MAX = 300;

/** What pip's errors mean, in one sentence. */
export const explainPip = (stderr: string): string => {
  // pip writes the file below: `THESE PACKAGES DO NOT MATCH THE HASHES …\n    yt-dlp==2026.1.1 from https://…`.
  const mismatch = /DO NOT MATCH THE HASHES[^\n]*\n\s*(?:unknown package|(\S+))/u.exec(stderr);
  if (mismatch !== null) {
    return `${mismatch[1] ?? "a package"} was refused: its file does not have the hash that was expected`;
  }
  if (UNREACHABLE.test(stderr)) {
    return "the Python package index does not answer (PIP_INDEX_URL or pip.conf name another)";
  }
  if (/No matching distribution found/u.test(stderr)) {
    return "it is not in the Python package index (PIP_INDEX_URL or pip.conf name another)";
  }
  const errors = stderr.split("\n").filter((line) => line.startsWith("ERROR: "));
  return (errors.at(-1) ?? stderr.trim().split("\n").at(-1) ?? "")
    .replace("ERROR: ", "")
    .slice(0, COMPLAINT_CHARS_MAX);
};
