/**
 * Checks the consistency of the configured database and files. Starts nothing except the embedded database, and
 * does not migrate.
 */
import { checkDatabase, repairCounts } from "@winnow/adapters/database/check/DatabaseCheck";
import { checkNamedFiles, checkUnnamedFiles, noteUnnamed } from "@winnow/adapters/database/check/FilesCheck";
import type { Inconsistency } from "@winnow/adapters/database/check/Inconsistency";
import * as PgConnection from "@winnow/adapters/database/store/PgConnection";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { adapterMessage } from "../settings/SettingsTable.ts";
import { StartFailed } from "../settings/StartFailed.ts";
import { artifacts } from "./artifacts.ts";
import { directUrlOf, openDatabase } from "./database.ts";

/** Reads whole tables. */
const NO_TIMEOUTS = { idleInTransactionMs: 0, statementMs: 0 };

/** An inconsistency, and whether it was repaired. */
export interface Examined extends Inconsistency {
  readonly isRepaired: boolean;
}

const repair = ({ id, kind }: Inconsistency) => {
  if (kind === "slots" || kind === "waiting") return Effect.as(repairCounts(id), true);
  if (kind === "unnamed_file") return Effect.as(noteUnnamed(id), true);
  return Effect.succeed(false);
};

const examine = (settings: Settings, isRepairing: boolean) =>
  Effect.gen(function* () {
    const [found] = yield* SqlClient.SqlClient.use(
      (sql) => sql<{ readonly isUsed: boolean; readonly isRecent: boolean }>`
        select to_regclass('winnow.migration') is not null as "isUsed",
          to_regprocedure('winnow.serves_files(json,text,integer)') is not null as "isRecent"`
    );
    // A database that no server has used yet is empty.
    if (found?.isUsed !== true) return [];
    if (!found.isRecent) {
      const message =
        "The database was created by an older version of Winnow: start the server once to migrate it.";
      return yield* new StartFailed({ why: adapterMessage(message) });
    }
    const { artifactsUrl: location } = settings;
    const inconsistencies = [
      ...(yield* checkDatabase),
      ...(yield* checkNamedFiles),
      ...(location._tag === "Directory" ? yield* checkUnnamedFiles(location.directory) : [])
    ];
    return yield* Effect.forEach(inconsistencies, (each) =>
      Effect.map(isRepairing ? repair(each) : Effect.succeed(false), (isRepaired): Examined => ({
        ...each,
        isRepaired
      }))
    );
  });

export const checkData = (
  settings: Settings,
  isRepairing: boolean
): Effect.Effect<ReadonlyArray<Examined>, StartFailed> =>
  Effect.gen(function* () {
    const url = directUrlOf(settings) ?? (yield* openDatabase(settings));
    const connection = PgConnection.layer({ url, connectionsMax: 1, timeouts: NO_TIMEOUTS });
    return yield* Effect.provide(
      examine(settings, isRepairing),
      Layer.merge(connection, artifacts(settings))
    );
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      SqlError: ({ message }) => Effect.fail(new StartFailed({ why: told`The database: ${message}` })),
      EmbeddedPostgresFailed: ({ message }) => Effect.fail(new StartFailed({ why: adapterMessage(message) }))
    })
  );
