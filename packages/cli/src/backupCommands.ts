/** `winnow backup` and `winnow restore`: everything a server keeps, in one file. Tests: backup.test.ts. */
import { resolve } from "node:path";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import type { BackupCounts } from "@winnow/adapters/database/backup/Backup";
import type { Settings } from "@winnow/server/settings/Config";
import { argument, toggle } from "./flags.ts";
import { asCliFailure, CliFailed, makeDataFolder, settingsFromEnvironment } from "./Inputs.ts";
import { row } from "./row.ts";

const fields = {
  file: argument("file", "Path of the backup"),
  artifacts: toggle(
    "artifacts",
    "Include the files of runs, if they are in a folder; copy a bucket with its own tools"
  )
};

const checkArtifacts = ({ artifactsUrl }: Settings, isWanted: boolean): Effect.Effect<void, CliFailed> =>
  isWanted && artifactsUrl._tag !== "Directory"
    ? new CliFailed("The artifacts are in a bucket: omit --artifacts and copy the bucket itself.")
    : Effect.void;

const prepare = Effect.fnUntraced(function* (isWanted: boolean) {
  const settings = yield* settingsFromEnvironment;
  yield* checkArtifacts(settings, isWanted);
  return { settings, ...(yield* Effect.promise(() => import("@winnow/server/adapters/backup"))) };
});

/** What people count; the backup also holds everything else. */
const countsOf = ({ files, rows }: BackupCounts) => ({
  accounts: rows["account"] ?? 0,
  extractions: rows["extraction"] ?? 0,
  ledgerEntries: rows["ledger"] ?? 0,
  files
});

const countText = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const countsText = ({ accounts, extractions, files, ledgerEntries }: ReturnType<typeof countsOf>): string =>
  [
    countText(accounts, "account", "accounts"),
    countText(extractions, "run", "runs"),
    `${countText(ledgerEntries, "ledger entry", "ledger entries")} and ${countText(files, "file", "files")}`
  ].join(", ");

export const backup = row({
  word: "backup",
  about:
    "Write a consistent snapshot of accounts, ledger, results, keys and schemas to one file, with a checksum. " +
    "The server may be running. The file contains secrets: protect it like the database.",
  fields,
  call: ({ artifacts, file: name }) =>
    Effect.gen(function* () {
      const { settings, ...adapter } = yield* prepare(artifacts);
      const file = resolve(name);
      if (!adapter.hasDatabase(settings)) {
        const message = `There is no database in ${settings.dataDir}. Set WINNOW_DATA_DIR and WINNOW_DATABASE_URL as for the server.`;
        return yield* new CliFailed(message);
      }
      return { file, ...countsOf(yield* asCliFailure(adapter.backup(settings, file, artifacts))) };
    }),
  words: ({ file, ...saved }) => `Backed up ${countsText(saved)} to ${file}`
}).pipe(Command.withShortDescription("Back up all data of a server to one file"));

export const restore = row({
  word: "restore",
  about:
    "Restore a backup into the configured database, embedded or your own, whichever the backup is from. The database " +
    "and, with --artifacts, the folder must be empty. Everything is restored, or nothing. The backup's admin token " +
    "and API keys are valid afterwards: restore only one that you trust.",
  fields,
  call: ({ artifacts, file: name }) =>
    Effect.gen(function* () {
      const { settings, ...adapter } = yield* prepare(artifacts);
      const file = resolve(name);
      yield* makeDataFolder(settings);
      return { file, ...countsOf(yield* asCliFailure(adapter.restore(settings, file, artifacts))) };
    }),
  words: (restored) =>
    `Restored ${countsText(restored)}. Start the server; runs that were in progress will start again.`
}).pipe(Command.withShortDescription("Restore a backup into an empty database"));
