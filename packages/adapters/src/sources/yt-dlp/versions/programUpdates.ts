/**
 * Looks for a newer yt-dlp in the Python package index twice a day (WINNOW_PROGRAM_UPDATES): `notify` says that there
 * is one, `auto` installs it after three days and puts it on probation. Tests: RunningVersions.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { installEnvironment, ytDlpVersionOf } from "../../../programs/python/DownloaderEnvironment.ts";
import { type ProgramSettings, updateCommand } from "../../../programs/ExternalPrograms.ts";
import { lockVersion, newestVersion, uploadedAtMs } from "../../../programs/python/Releases.ts";
import { programOnPath } from "../YtDlpVersion.ts";
import {
  changeVersionState,
  listEnvironments,
  pruneVersions,
  readVersionState
} from "../../../programs/python/VersionFile.ts";
import { isNewer, offer, provenPrograms, type YtDlpProgram } from "../../../programs/python/VersionState.ts";

export type ProgramUpdates = "off" | "notify" | "auto";

/** A server that is restarted often does not ask at every start. */
const FIRST_LOOK_AFTER = "5 minutes";

const LOOK_EVERY = "12 hours";

/** Within it, harmful uploads are mostly found and withdrawn. */
const SETTLED_AFTER_DAYS = 3;

/** Null while one of its files is new, or if the index does not say when it was uploaded. */
const settledLock = Effect.fnUntraced(function* (dataDir: string, packageVersion: string) {
  const lock = yield* lockVersion(dataDir, packageVersion);
  const uploaded = yield* uploadedAtMs(dataDir, lock);
  const age = uploaded === null ? 0 : (yield* Clock.currentTimeMillis) - uploaded;
  return age < Duration.toMillis(Duration.days(SETTLED_AFTER_DAYS)) ? null : lock;
});

/** Looks once; fails if pip does. */
export const lookForUpdate = Effect.fn("programUpdates.look")(function* (
  dataDir: string,
  updates: Exclude<ProgramUpdates, "off">,
  onPath: YtDlpProgram | null
) {
  const packageVersion = yield* newestVersion(dataDir, "stable");
  const version = ytDlpVersionOf(packageVersion);
  const state = readVersionState(dataDir);
  const [current] = provenPrograms(state, listEnvironments(dataDir), onPath);
  const isKnown = state.rejected.includes(version) || state.probation === version;
  const isUpdate = !isKnown && (current?.version == null || isNewer(version, current.version));
  yield* Effect.promise(() =>
    changeVersionState(dataDir, (before) => ({ ...before, available: isUpdate ? version : null }))
  );
  if (!isUpdate) return;
  const lock =
    updates === "auto" && state.pinned === null ? yield* settledLock(dataDir, packageVersion) : null;
  if (lock !== null) {
    yield* installEnvironment(dataDir, lock);
    yield* Effect.promise(() => changeVersionState(dataDir, (before) => offer(before, version)));
    yield* Effect.sync(() => pruneVersions(dataDir, onPath));
    yield* Effect.logInfo(
      `yt-dlp ${version} is installed and used without cookies, until it has proved itself.`
    );
  } else if (state.available !== version) {
    yield* Effect.logWarning(
      `yt-dlp ${version} is available; ${current?.version} is in use. Install it with: ${updateCommand(dataDir)}`
    );
  }
});

/** Looks again and again; what fails is tried again later. */
export const watchForUpdates = (
  dataDir: string,
  updates: Exclude<ProgramUpdates, "off">,
  programs: ProgramSettings
): Effect.Effect<void> =>
  Effect.flatMap(programOnPath(programs), (onPath) => lookForUpdate(dataDir, updates, onPath)).pipe(
    Effect.catchCause((cause) => Effect.logDebug("yt-dlp could not be updated.", cause)),
    Effect.repeat(Schedule.spaced(LOOK_EVERY)),
    Effect.delay(FIRST_LOOK_AFTER),
    Effect.asVoid
  );
