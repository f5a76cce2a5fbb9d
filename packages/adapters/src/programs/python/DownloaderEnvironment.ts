/**
 * Installs yt-dlp and gallery-dl in a Python environment of their own (VersionFile), from a lock file with hashes:
 * complete or not at all.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { ownedFolder } from "@winnow/isolation/runtime/OwnedFolder";
import { TARGET_FOLDER } from "../ExternalPrograms.ts";
import { explainPip, findPython, INSTALL_OPTIONS, InstallFailed, type Python, runPython } from "./Python.ts";
import {
  type DownloaderEnvironment,
  environmentIn,
  STAMP_FILE,
  stampOf,
  versionsFolder
} from "./VersionFile.ts";

/** A requirements file with hashes, and the version of yt-dlp that it pins. */
export interface Lock {
  readonly version: string;
  readonly text: string;
}

/** Python's package indexes write dates without leading zeros, and add a suffix to nightly versions. */
export const ytDlpVersionOf = (packageVersion: string): string =>
  packageVersion
    .replace(/\.dev0$/u, "")
    .split(".")
    .map((part) => part.padStart(2, "0"))
    .join(".");

/** Throws if it does not pin yt-dlp. */
export const lockOf = (text: string): Lock => {
  const pinned = /^yt-dlp==([\w.]+)/mu.exec(text)?.[1];
  if (pinned === undefined) throw new Error("The lock file pins no yt-dlp.");
  return { version: ytDlpVersionOf(pinned), text };
};

/** The versions that this release of Winnow was tested with. */
export const testedLock = (): Lock =>
  lockOf(readFileSync(fileURLToPath(new URL("./requirements.txt", import.meta.url)), "utf8"));

/** Set-up (scripts/setup/downloaders.mjs) compares it with the lock file. */
const hashOf = (lock: Lock): string => createHash("sha256").update(lock.text).digest("hex");

/**
 * pip's own launchers would name the folder in which it installed. Through `sh`, because a first line may neither have
 * spaces nor more than 127 characters.
 */
const launcher = (interpreter: string, target: string | null, module: string): string =>
  [
    "#!/bin/sh",
    `'''exec' "${interpreter}" "$0" "$@"`,
    "' '''",
    "import sys",
    ...(target === null ? [] : [`sys.path.insert(0, ${JSON.stringify(target)})`]),
    `from ${module} import main`,
    "sys.exit(main())",
    ""
  ].join("\n");

const MODULES = { "yt-dlp": "yt_dlp", "gallery-dl": "gallery_dl" } as const;

/** Writes to the data folder. */
const onDisk = (folder: string, write: () => void): Effect.Effect<void, InstallFailed> =>
  Effect.try({
    try: write,
    catch: (error) =>
      new InstallFailed({
        message: `${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`
      })
  });

const pipOf = Effect.fnUntraced(function* ({ program, hasVenv }: Python, folder: string) {
  if (!hasVenv) return { program, into: ["--target", join(folder, TARGET_FOLDER)] };
  const { exitCode, stderr } = yield* runPython(program, ["-m", "venv", folder]);
  if (exitCode === 0) return { program: join(folder, "bin", "python3"), into: [] };
  return yield* new InstallFailed({
    message: `No virtual environment could be created: ${explainPip(stderr)}.`
  });
});

const fill = Effect.fnUntraced(function* (python: Python, lock: Lock, part: string, folder: string) {
  const pip = yield* pipOf(python, part);
  const lockFile = join(part, "requirements.txt");
  yield* onDisk(part, () => writeFileSync(lockFile, lock.text));
  const options = [...INSTALL_OPTIONS, "--require-hashes", "--no-warn-script-location", "--retries", "2"];
  const args = ["-m", "pip", "install", ...options, ...pip.into, "--requirement", lockFile];
  const { exitCode, stderr } = yield* runPython(pip.program, args);
  if (exitCode !== 0) {
    const message = `yt-dlp ${lock.version} could not be installed: ${explainPip(stderr)}.`;
    return yield* new InstallFailed({ message });
  }
  const interpreter = python.hasVenv ? join(folder, "bin", "python3") : python.program;
  const target = python.hasVenv ? null : join(folder, TARGET_FOLDER);
  yield* onDisk(part, () => {
    mkdirSync(join(part, "bin"), { recursive: true });
    for (const [name, module] of Object.entries(MODULES)) {
      const file = join(part, "bin", name);
      writeFileSync(file, launcher(interpreter, target, module));
      chmodSync(file, 0o755);
    }
    writeFileSync(join(part, STAMP_FILE), JSON.stringify({ version: lock.version, lock: hashOf(lock) }));
  });
});

/** Another process may have installed the same meanwhile; both are complete, and the other goes with the part's folder. */
const moveInto = (part: string, folder: string): void => {
  if (existsSync(folder)) renameSync(folder, `${part}.old`);
  renameSync(part, folder);
};

/** Installs what the lock file pins, unless it is there; needs the network then. */
export const installEnvironment = Effect.fn("DownloaderEnvironment.install")(function* (
  dataDir: string,
  lock: Lock,
  withPython?: Python
): Effect.fn.Return<DownloaderEnvironment, InstallFailed, Scope.Scope> {
  const folder = join(versionsFolder(dataDir), lock.version);
  if (stampOf(folder)?.["lock"] === hashOf(lock)) return environmentIn(folder, lock.version);
  const python = withPython ?? (yield* findPython());
  const versions = versionsFolder(dataDir);
  yield* onDisk(versions, () => mkdirSync(versions, { recursive: true }));
  // What a killed installation leaves is 126 MB; another process may be installing meanwhile.
  const part = join(yield* ownedFolder("part", versions), lock.version);
  yield* onDisk(part, () => mkdirSync(part));
  yield* fill(python, lock, part, folder);
  yield* onDisk(folder, () => moveInto(part, folder));
  return environmentIn(folder, lock.version);
}, Effect.scoped);
