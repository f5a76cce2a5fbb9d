/**
 * The versions of yt-dlp that are installed side by side, in `DATA_DIR/programs/yt-dlp/<version>/`, and their state in
 * `versions.json` there. Servers and commands of a data directory share the file: each change reads it anew and replaces
 * it.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { withLock } from "@winnow/isolation/runtime/FileLock";
import { readJson } from "@winnow/isolation/process/ProgramOutput";
import { isNewer, NOTHING_KNOWN, provenPrograms, VersionState, type YtDlpProgram } from "./VersionState.ts";

/** The folder of all versions. */
export const versionsFolder = (dataDir: string): string => join(dataDir, "programs", "yt-dlp");

/** An environment that was installed completely. */
export interface DownloaderEnvironment {
  /** As yt-dlp reports it. */
  readonly version: string;
  readonly ytDlp: string;
  readonly galleryDl: string;
}

/** Written last: an environment without it is not complete. */
export const STAMP_FILE = "environment.json";

export const stampOf = (folder: string): Readonly<Record<string, unknown>> | null => {
  try {
    const stamp = readJson(readFileSync(join(folder, STAMP_FILE), "utf8"));
    return isJsonObject(stamp) ? stamp : null;
  } catch {
    return null;
  }
};

export const environmentIn = (folder: string, version: string): DownloaderEnvironment => ({
  version,
  ytDlp: join(folder, "bin", "yt-dlp"),
  galleryDl: join(folder, "bin", "gallery-dl")
});

/** Null if that version is not installed. */
export const findEnvironment = (dataDir: string, version: string): DownloaderEnvironment | null => {
  const folder = join(versionsFolder(dataDir), version);
  return stampOf(folder) === null ? null : environmentIn(folder, version);
};

/** The installed versions, newest first. */
export const listEnvironments = (dataDir: string): ReadonlyArray<DownloaderEnvironment> => {
  const folder = versionsFolder(dataDir);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^[\d.]+$/u.test(name))
    .flatMap((name) => findEnvironment(dataDir, name) ?? [])
    .toSorted((a, b) => (isNewer(a.version, b.version) ? -1 : 1));
};

const FILE = "versions.json";

const decode = Schema.decodeUnknownOption(VersionState);

/** Without a readable file, nothing is known: the newest installed version is used. */
export const readVersionState = (dataDir: string): VersionState => {
  try {
    const text = readFileSync(join(versionsFolder(dataDir), FILE), "utf8");
    return Option.getOrElse(decode(readJson(text)), () => NOTHING_KNOWN);
  } catch {
    return NOTHING_KNOWN;
  }
};

/**
 * Writes the changed state, if it differs, while no other process changes it; rejects if the data directory cannot be
 * written.
 */
export const changeVersionState = async (
  dataDir: string,
  change: (state: VersionState) => VersionState
): Promise<void> => {
  const folder = versionsFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  return withLock(join(folder, "versions.lock"), () => {
    const before = readVersionState(dataDir);
    const after = change(before);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      const temporary = join(folder, `${FILE}.${process.pid}.new`);
      writeFileSync(temporary, `${JSON.stringify(after, null, 2)}\n`);
      renameSync(temporary, join(folder, FILE));
    }
  });
};

/** Versions that are kept besides those in use, to go back to. */
export const SPARE_MAX = 2;

/** Removes versions that are neither in use nor the newest others; rejected ones can be installed again. */
export const pruneVersions = (dataDir: string, onPath: YtDlpProgram | null): void => {
  const state = readVersionState(dataDir);
  const installed = listEnvironments(dataDir);
  const used = new Set([provenPrograms(state, installed, onPath)[0]?.version, state.probation]);
  const unused = installed.filter(({ version }) => !used.has(version));
  const spare = unused.filter(({ version }) => !state.rejected.includes(version));
  const kept = new Set(spare.slice(0, SPARE_MAX));
  for (const each of unused) {
    // Its programs may still run: they have loaded what they need, or start again in another version.
    if (!kept.has(each))
      rmSync(join(versionsFolder(dataDir), each.version), { recursive: true, force: true });
  }
};

export interface Versions {
  readonly state: VersionState;
  readonly installed: ReadonlyArray<DownloaderEnvironment>;
}

const changedAtMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** State and installed versions, read again when a command or another process has changed them. */
export const watchVersions = (dataDir: string): (() => Versions) => {
  const folder = versionsFolder(dataDir);
  let known: Versions | null = null;
  let seen = "";
  return () => {
    // A replaced file also changes its folder.
    const now = `${changedAtMs(folder)} ${changedAtMs(join(folder, FILE))}`;
    if (known === null || now !== seen) {
      known = { state: readVersionState(dataDir), installed: listEnvironments(dataDir) };
      seen = now;
    }
    return known;
  };
};
