/**
 * The sandbox of child programs: bubblewrap, whether it works here, and the operator's setting (WINNOW_SANDBOX). Tests:
 * openSandbox.test.ts, rogue.test.ts.
 */
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { bubblewrapped, type Confined } from "./bubblewrap.ts";
import { onPath, programFiles } from "./programFiles.ts";

/** `auto`: if it works; `required`: programs never run without it. */
export type SandboxSetting = "auto" | "required" | "off";

/** The sandbox is required but does not work; the message says why and what to do. */
export class SandboxMissing extends Schema.TaggedError<SandboxMissing>()("SandboxMissing", {
  message: Schema.String
}) {}

export interface Sandbox {
  /** The command line that runs `command` in its own namespaces. */
  readonly confine: (confined: Confined, command: ReadonlyArray<string>) => ReadonlyArray<string>;
}

/** The sandbox of one program; its working folder is given when it runs. */
export interface Confinement extends Omit<Confined, "folder"> {
  readonly sandbox: Sandbox;
}

/** Whether it works, and if not, why and what to do. */
export type SandboxReport =
  | { readonly works: true; readonly version: string; readonly sandbox: Sandbox }
  | { readonly works: false; readonly problem: string; readonly remedy: string };

/** Starting an empty sandbox takes 10 ms; a busy machine may delay it for seconds. */
const TRIAL_TIMEOUT_MS = 20_000;

/** A trial that takes too long says nothing about the machine; this many in a row do. */
const TRIALS_MAX = 5;

const run = promisify(execFile);

const INSTALL = "apt-get install -y bubblewrap python3";

const NAMESPACES =
  "allow user namespaces: run as root or set kernel.unprivileged_userns_clone=1, and in a container give " +
  "it `seccomp=unconfined`, `apparmor=unconfined` and an unmasked /proc (docs/deploy)";

/** The first version with `--disable-userns`, of December 2022. */
const SINCE = [0, 8] as const;

const isBefore = (version: string, [major, minor]: readonly [number, number]): boolean => {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
};

const COMPLAINT_CHARS_MAX = 200;

const complaintOf = (error: unknown): string => {
  const stderr = (error as { readonly stderr?: unknown }).stderr;
  const text = typeof stderr === "string" && stderr.trim() !== "" ? stderr : String(error);
  return (text.trim().split("\n")[0] ?? "").slice(0, COMPLAINT_CHARS_MAX);
};

/** Whether it was ended at its time limit. */
const isOverdue = (error: unknown): boolean => (error as { readonly killed?: unknown }).killed === true;

const runWithin = async (program: string, args: ReadonlyArray<string>, path: string, timeoutMs: number) => {
  for (let trial = 1; ; trial += 1) {
    try {
      return await run(program, args, { timeout: timeoutMs, killSignal: "SIGKILL", env: { PATH: path } });
    } catch (error) {
      if (!isOverdue(error) || trial === TRIALS_MAX) throw error;
    }
  }
};

const examine = async (path: string, timeoutMs: number): Promise<SandboxReport> => {
  const missing = (problem: string, remedy: string): SandboxReport => ({ works: false, problem, remedy });
  if (process.platform !== "linux") {
    return missing(`${process.platform} has no namespaces`, "run the server on Linux");
  }
  const bubblewrap = onPath("bwrap", path);
  const python = onPath("python3", `/usr/bin:/usr/local/bin:${path}`);
  if (bubblewrap === null) return missing("bubblewrap was not found", INSTALL);
  if (python === null) return missing("python3, which runs its relay, was not found", INSTALL);
  const sandbox: Sandbox = {
    confine: ({ readable, ...confined }, command) =>
      bubblewrapped(
        bubblewrap,
        python,
        { ...confined, readable: [...readable, ...programFiles(python)] },
        command
      )
  };
  const empty = { folder: tmpdir(), readOnly: true, readable: [], proxySocket: null };
  const [program = "", ...args] = sandbox.confine(empty, [python, "-I", "-S", "-c", ""]);
  try {
    const { stdout } = await runWithin(bubblewrap, ["--version"], path, timeoutMs);
    const version = /\d[\d.]*/u.exec(stdout)?.[0] ?? "";
    if (isBefore(version, SINCE))
      return missing(`bubblewrap ${version} is too old`, `install bubblewrap ${SINCE.join(".")} or newer`);
    await runWithin(program, args, path, timeoutMs);
    return { works: true, version, sandbox };
  } catch (error) {
    if (isOverdue(error)) {
      const waited = `${TRIALS_MAX} times ${timeoutMs / 1_000} s`;
      return missing(`bubblewrap did not start in ${waited}`, "restart the server on a less busy machine");
    }
    return missing(`bubblewrap cannot create namespaces here (${complaintOf(error)})`, NAMESPACES);
  }
};

const reports = new Map<string, Promise<SandboxReport>>();

/** Tested once per search path. */
export const examineSandbox = (
  path = process.env["PATH"] ?? "",
  trialTimeoutMs = TRIAL_TIMEOUT_MS
): Promise<SandboxReport> => {
  const known = reports.get(path) ?? examine(path, trialTimeoutMs);
  reports.set(path, known);
  return known;
};

/** Those that were logged. */
const warned = new WeakSet<SandboxReport>();

/** Null if the programs run without a sandbox, which is logged once per search path. */
export const openSandbox = Effect.fnUntraced(function* (
  setting: SandboxSetting,
  path?: string
): Effect.fn.Return<Sandbox | null, SandboxMissing> {
  if (setting === "off") return null;
  const report = yield* Effect.promise(() => examineSandbox(path));
  if (report.works) return report.sandbox;
  const { problem, remedy } = report;
  if (setting === "required") {
    return yield* new SandboxMissing({
      message: `The sandbox does not work: ${problem}. To fix it: ${remedy}.`
    });
  }
  if (!warned.has(report))
    yield* Effect.logWarning(`Programs run without a sandbox: ${problem}. To enable it: ${remedy}.`);
  warned.add(report);
  return null;
});
