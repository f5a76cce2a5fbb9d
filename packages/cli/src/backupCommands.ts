/**
 * `winnow backup` and `winnow restore`: everything a server keeps, in one file.
 */
import { resolve } from "node:path";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import type { BackupCounts } from "@winnow/adapters/database/backup/Backup";
import type { Settings } from "@winnow/server/settings/Config";
import { makeDataDir } from "@winnow/server/DataDir";
import { CliFailed, settingsFromEnvironment } from "./Inputs.ts";
import { asJson, printResult } from "./Output.ts";

const input = {
  file: Argument.String("file").pipe(Argument.withDescription("Path of the backup")),
  artifacts: Flag.Boolean("artifacts").pipe(
    Flag.withDescription(
      "Include the files of runs, if they are in a folder; copy a bucket with its own tools"
    ),
    Flag.withDefault(false)
  ),
  json: asJson
};

const checkArtifacts = ({ artifactsUrl }: Settings, isWanted: boolean): Effect.Effect<void, CliFailed> =>
  isWanted && artifactsUrl._tag !== "Directory"
    ? new CliFailed({
        message: "The artifacts are in a bucket: omit --artifacts and copy the bucket itself."
      })
    : Effect.void;

const prepare = Effect.fnUntraced(function* (isWanted: boolean) {
  const settings = yield* settingsFromEnvironment;
  yield* checkArtifacts(settings, isWanted);
  return { settings, ...(yield* Effect.promise(() => import("@winnow/server/adapters/backup"))) };
});

const makeFolder = ({ dataDir }: Settings) =>
  Effect.try({
    try: () => makeDataDir(dataDir),
    catch: () =>
      new CliFailed({ message: `WINNOW_DATA_DIR is "${dataDir}", but must be a writable directory.` })
  });

const asCliFailure = Effect.mapError(
  ({ message }: { readonly message: string }) => new CliFailed({ message })
);

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

export const backup = Command.make(
  "backup",
  input,
  Effect.fnUntraced(function* ({ artifacts, file, json }) {
    const { settings, ...adapter } = yield* prepare(artifacts);
    const path = resolve(file);
    if (!adapter.hasDatabase(settings)) {
      const message = `There is no database in ${settings.dataDir}. Set WINNOW_DATA_DIR and WINNOW_DATABASE_URL as for the server.`;
      return yield* new CliFailed({ message });
    }
    const saved = countsOf(yield* asCliFailure(adapter.backup(settings, path, artifacts)));
    yield* printResult(json, { file: path, ...saved }, `Backed up ${countsText(saved)} to ${path}`);
  })
).pipe(
  Command.withShortDescription("Back up all data of a server to one file"),
  Command.withDescription(
    "Write a consistent snapshot of accounts, ledger, results, keys and schemas to one file, with a checksum. " +
      "The server may be running. The file contains secrets: protect it like the database."
  )
);

export const restore = Command.make(
  "restore",
  input,
  Effect.fnUntraced(function* ({ artifacts, file, json }) {
    const { settings, ...adapter } = yield* prepare(artifacts);
    const path = resolve(file);
    yield* makeFolder(settings);
    const restored = countsOf(yield* asCliFailure(adapter.restore(settings, path, artifacts)));
    const next = "Start the server; runs that were in progress will start again.";
    yield* printResult(json, { file: path, ...restored }, `Restored ${countsText(restored)}. ${next}`);
  })
).pipe(
  Command.withShortDescription("Restore a backup into an empty database"),
  Command.withDescription(
    "Restore a backup into the configured database, embedded or your own, whichever the backup is from. The database " +
      "and, with --artifacts, the folder must be empty. Everything is restored, or nothing. The backup's admin token " +
      "and API keys are valid afterwards: restore only one that you trust."
  )
);
