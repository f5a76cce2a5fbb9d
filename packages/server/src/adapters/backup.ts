/** Backs up the configured database, with the files of the artifacts folder if requested. Tests: the CLI's backup.test.ts. */
import * as Backup from "@winnow/adapters/database/backup/Backup";
import * as PgConnection from "@winnow/adapters/database/store/PgConnection";
import { refusalOf } from "@winnow/adapters/database/store/StorageFault";
import * as Effect from "effect/Effect";
import { isSqlError } from "effect/sql/SqlError";
import type { Settings } from "../settings/Config.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { StartFailed } from "../settings/StartFailed.ts";
import { directUrlOf, hasDatabase, openDatabase } from "./database.ts";

export { hasDatabase };

/** Large tables and slow disks take time. */
const NO_TIMEOUTS = { idleInTransactionMs: 0, lockMs: 0, statementMs: 0 };

const placesOf = (
  { artifactsUrl: location, dataDir }: Settings,
  withArtifacts: boolean
): Backup.BackupPlaces => ({
  dataDir,
  artifacts: withArtifacts && location._tag === "Directory" ? location.directory : null
});

const FULL_CODE = "ENOSPC";

/** The backup grows under a temporary name. */
const failedPath = (error: Error, path: string): string =>
  "path" in error && typeof error.path === "string" && !error.path.startsWith(path) ? error.path : path;

const messageOf = (error: unknown, settings: Settings, path: string): string => {
  if (!(error instanceof Error)) return String(error);
  if (isSqlError(error)) {
    const refusal = refusalOf(error) ?? error.message;
    return settings.databaseUrl === null ? refusal : `${SETTINGS.databaseUrl.name}: ${refusal}`;
  }
  if (!("code" in error) || typeof error.code !== "string") return error.message;
  const remedy = error.code === FULL_CODE ? " Its disk is full: free up space, or choose another place." : "";
  return `"${failedPath(error, path)}" cannot be used (${error.code}).${remedy}`;
};

const onDatabase = (
  settings: Settings,
  path: string,
  work: ReturnType<typeof Backup.backup> | ReturnType<typeof Backup.restore>
) =>
  Effect.gen(function* () {
    const url = directUrlOf(settings) ?? (yield* openDatabase(settings));
    return yield* Effect.provide(work, PgConnection.layer({ url, connectionsMax: 1, timeouts: NO_TIMEOUTS }));
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => new StartFailed(messageOf(error, settings, path)))
  );

export const backup = (settings: Settings, path: string, withArtifacts: boolean) =>
  onDatabase(settings, path, Backup.backup(path, placesOf(settings, withArtifacts)));

export const restore = (settings: Settings, path: string, withArtifacts: boolean) =>
  onDatabase(settings, path, Backup.restore(path, placesOf(settings, withArtifacts)));
