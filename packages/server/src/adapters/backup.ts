/**
 * Backups of the database of the settings, with the files of the folder where they are wanted.
 */
import * as Backup from "@winnow/adapters/backup/Backup";
import * as PgConnection from "@winnow/adapters/postgres/PgConnection";
import * as Effect from "effect/Effect";
import type { Settings } from "../Config.ts";
import { StartFailed } from "../StartFailed.ts";
import { directUrlOf, openDatabase } from "./database.ts";

/** A large table takes its time, and so does a slow disk in between. */
const PATIENT = { idleInTransactionMs: 0, lockMs: 0, statementMs: 0 };

const placesOf = ({ artifacts, dataDir }: Settings, withArtifacts: boolean): Backup.BackupPlaces => ({
  dataDir,
  artifacts: withArtifacts && artifacts._tag === "Directory" ? artifacts.directory : null
});

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string") return `The file cannot be used (${error.code}).`;
  return error.message;
};

const onDatabase = (
  settings: Settings,
  work: ReturnType<typeof Backup.backup> | ReturnType<typeof Backup.restore>
) =>
  Effect.gen(function* () {
    const url = directUrlOf(settings) ?? (yield* openDatabase(settings));
    yield* Effect.provide(work, PgConnection.layer({ url, connectionsMax: 1, timeouts: PATIENT }));
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => new StartFailed({ message: messageOf(error) }))
  );

export const backup = (settings: Settings, path: string, withArtifacts: boolean) =>
  onDatabase(settings, Backup.backup(path, placesOf(settings, withArtifacts)));

export const restore = (settings: Settings, path: string, withArtifacts: boolean) =>
  onDatabase(settings, Backup.restore(path, placesOf(settings, withArtifacts)));
