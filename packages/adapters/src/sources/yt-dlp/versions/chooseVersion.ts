/** An operator's choice of yt-dlp's version: `winnow programs`. Running servers notice. Tests: the CLI's programCommands.test.ts. */
import * as Effect from "effect/Effect";
import { installEnvironment } from "../../../programs/python/DownloaderEnvironment.ts";
import { InstallFailed } from "../../../programs/python/Python.ts";
import { type Channel, lockOfChannel, lockVersion } from "../../../programs/python/Releases.ts";
import { programOnPath, supportProblem } from "../YtDlpVersion.ts";
import {
  changeVersionState,
  findEnvironment,
  listEnvironments,
  pruneVersions,
  readVersionState,
  versionsFolder
} from "../../../programs/python/VersionFile.ts";
import {
  provenPrograms,
  reject,
  use as chosen,
  usedPrograms,
  type VersionState
} from "../../../programs/python/VersionState.ts";

const failed = (message: string) => new InstallFailed({ message });

const change = (dataDir: string, by: (state: VersionState) => VersionState) =>
  Effect.tryPromise({
    try: () => changeVersionState(dataDir, by),
    catch: () => failed(`${versionsFolder(dataDir)} cannot be written.`)
  });

const noteOf = (version: string, current: string | null, state: VersionState): string => {
  const words = [
    version === current ? (version === state.pinned ? "in use, chosen" : "in use") : null,
    version === state.probation ? "on probation" : null,
    state.rejected.includes(version) ? "rejected" : null
  ];
  return words.filter((word) => word !== null).join(", ");
};

export const versionsOf = (dataDir: string) => {
  const inUse = Effect.map(programOnPath({}), (onPath) => ({
    onPath,
    current: provenPrograms(readVersionState(dataDir), listEnvironments(dataDir), onPath)[0] ?? null
  }));

  /** All versions, newest first, with PATH's if it is in use, and the one in the index that is newer. */
  const describe = Effect.gen(function* () {
    const { current } = yield* inUse;
    const state = readVersionState(dataDir);
    const installed = listEnvironments(dataDir);
    const isInstalled = installed.some(({ ytDlp }) => ytDlp === current?.ytDlp);
    return [
      ...(state.available === null ? [] : [{ version: state.available, note: "available", ytDlp: "" }]),
      ...(current === null || isInstalled
        ? []
        : [{ version: current.version ?? "unknown", note: "in use, from PATH", ytDlp: current.ytDlp }]),
      ...installed.map(({ version, ytDlp }) => ({
        version,
        note: noteOf(version, isInstalled ? (current?.version ?? null) : null, state),
        ytDlp
      }))
    ];
  });

  const update = Effect.fnUntraced(function* (channel: Channel) {
    const lock = yield* lockOfChannel(dataDir, channel);
    const installed = yield* installEnvironment(dataDir, lock);
    // Set-up installs the tested version, whatever the operator chose.
    if (channel !== "tested") yield* change(dataDir, (state) => chosen(state, null, installed.version));
    const { onPath } = yield* inUse;
    yield* Effect.try({
      try: () => pruneVersions(dataDir, onPath),
      catch: () => failed("Old versions cannot be removed.")
    });
    return installed;
  });

  const use = Effect.fnUntraced(function* (version: string) {
    const problem = supportProblem(version);
    if (problem !== null) return yield* failed(`yt-dlp ${problem}.`);
    if (!/^\d{4}\.\d\d\.\d\d(?:\.\d+)?$/u.test(version)) {
      return yield* failed(`"${version}" is no version of yt-dlp, such as 2026.10.26.`);
    }
    // Nightly versions also have a time, and are development versions in the index.
    const packageVersion = version.split(".").length > 3 ? `${version}.dev0` : version;
    const program =
      findEnvironment(dataDir, version) ??
      (yield* installEnvironment(dataDir, yield* lockVersion(dataDir, packageVersion)));
    yield* change(dataDir, (state) => chosen(state, version));
    return program;
  });

  const rollback = Effect.gen(function* () {
    const onPath = yield* programOnPath({});
    const usedIn = (state: VersionState) => usedPrograms(state, listEnvironments(dataDir), onPath)[0];
    const state = readVersionState(dataDir);
    const current = usedIn(state);
    const from = current?.version ?? null;
    if (from === null || findEnvironment(dataDir, from)?.ytDlp !== current?.ytDlp) {
      return yield* failed("The yt-dlp in use is PATH's: `winnow programs use VERSION` chooses another.");
    }
    const next = usedIn(reject(state, from));
    if (next === undefined || next.version === from) {
      return yield* failed("No other version is installed: `winnow programs use VERSION` installs one.");
    }
    yield* change(dataDir, (before) => reject(before, from));
    return { from, to: next.version ?? next.ytDlp };
  });

  return { describe, update, use, rollback };
};
