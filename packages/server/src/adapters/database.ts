/** The ports backed by PostgreSQL: the operator's server, or the embedded one. Tests: serve.test.ts, dataFolder.test.ts. */
import { hostname } from "node:os";
import * as PgJobQueue from "@winnow/adapters/database/queue/PgJobQueue";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as Migrations from "@winnow/adapters/database/migrations/Migrations";
import * as PgConnection from "@winnow/adapters/database/store/PgConnection";
import * as PgRateLimits from "@winnow/adapters/database/store/PgRateLimits";
import * as PgRunFeed from "@winnow/adapters/database/store/PgRunFeed";
import * as PgSchemaLibrary from "@winnow/adapters/database/store/PgSchemaLibrary";
import * as PgSessions from "@winnow/adapters/database/store/PgSessions";
import * as PgStore from "@winnow/adapters/database/store/PgStore";
import * as PgWebhookEndpoints from "@winnow/adapters/database/store/PgWebhookEndpoints";
import * as PgWebhookOutbox from "@winnow/adapters/database/store/PgWebhookOutbox";
import {
  isDatabaseUnavailable,
  isUnavailable,
  refusalOf
} from "@winnow/adapters/database/store/StorageFault";
import { ownedFolder } from "@winnow/isolation/runtime/OwnedFolder";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import { readServerUrl } from "../DataDir.ts";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import type { DatabasePorts } from "../Ports.ts";
import { notStarted, StartFailed } from "../settings/StartFailed.ts";
import { sentenceOf, waitFor } from "./waiting.ts";

/** For a command: the configured database, or the embedded one, of a running server or started until the scope closes. */
export const openDatabase = ({ dataDir, databaseUrl }: Settings) =>
  databaseUrl === null
    ? Effect.map(EmbeddedPostgres.use({ dataDir }), ({ url }) => url)
    : Effect.succeed(databaseUrl);

/** Whether there is a database to open without creating one. */
export const hasDatabase = ({ dataDir, databaseUrl }: Settings): boolean =>
  databaseUrl !== null || EmbeddedPostgres.isCreated(dataDir);

/** An embedded database of its own, so that a look at an unused data folder leaves nothing there. */
const trialDatabase = Effect.gen(function* () {
  const folder = yield* ownedFolder("winnow-database");
  const { url } = yield* EmbeddedPostgres.use({ dataDir: folder });
  return url;
});

/** For a server: the configured database, or the embedded one, which then belongs to this process. */
const ownDatabase = ({ dataDir, databaseUrl }: Settings) =>
  databaseUrl === null
    ? Effect.map(EmbeddedPostgres.start({ dataDir }), ({ url }) => url)
    : Effect.succeed(databaseUrl);

const inUse = ({ dataDir }: Settings, { ownerHost, ownerPid }: EmbeddedPostgres.DataFolderInUse) => {
  const url = readServerUrl(dataDir, ownerPid);
  const owner = `process ${ownerPid}${ownerHost === hostname() ? "" : ` on "${ownerHost}"`}`;
  return notStarted<DatabasePorts>(
    told`${SETTINGS.dataDir} "${dataDir}" is in use by ${url === null ? owner : `the server at ${url} (${owner})`}. Stop it, set another ${SETTINGS.dataDir}, or set ${SETTINGS.databaseUrl} to a PostgreSQL server that several processes can use.`
  );
};

const NO_RESPONSE = "The database does not respond.";

/** Why the operator's database cannot be used, without its URL, which contains a password. */
const databaseRefused = (settings: Settings, message: string, cause?: unknown) =>
  notStarted<DatabasePorts>(
    settings.databaseUrl === null ? message : told`${SETTINGS.databaseUrl}: ${message}`,
    settings.databaseUrl !== null && isDatabaseUnavailable(cause)
  );

/** Null except behind a transaction pooler; the embedded database needs none. */
export const directUrlOf = ({ databaseUrl, databaseDirectUrl }: Settings) =>
  databaseUrl === null ? null : databaseDirectUrl;

/** All ports backed by the database, after migrations. `queue` replaces ours. */
const onUrl = (
  url: Redacted.Redacted,
  directUrl: Redacted.Redacted | null,
  queue: Layer.Layer<JobQueue> | null
) => {
  const connection = PgConnection.layer({ url, directUrl });
  const migrated = Layer.provideMerge(Migrations.layer, connection);
  return Layer.mergeAll(
    PgStore.layer,
    PgSessions.layer,
    PgRateLimits.layer,
    PgRunFeed.layer,
    PgSchemaLibrary.layer,
    PgWebhookEndpoints.layer,
    PgWebhookOutbox.layer
  ).pipe(Layer.provideMerge(queue ?? PgJobQueue.layer()), Layer.provide(migrated));
};

export const database = (settings: Settings, queue: Layer.Layer<JobQueue> | null) =>
  Layer.unwrap(Effect.map(ownDatabase(settings), (url) => onUrl(url, directUrlOf(settings), queue))).pipe(
    Layer.catchTag("MigrationFailed", ({ message, cause }) => databaseRefused(settings, message, cause)),
    Layer.catchTag("SqlError", (error) => databaseRefused(settings, refusalOf(error) ?? NO_RESPONSE, error)),
    Layer.catchTag("DataFolderInUse", (error) => inUse(settings, error)),
    Layer.catchTag("EmbeddedPostgresFailed", ({ message }) => notStarted<DatabasePorts>(message))
  );

const ask = (url: Redacted.Redacted, directUrl: Redacted.Redacted | null) =>
  Effect.scoped(
    Effect.flatMap(
      Layer.build(PgConnection.layer({ url, directUrl, connectionsMax: 1 })),
      (connection) => Context.get(connection, SqlClient.SqlClient)`select 1`
    )
  );

/** Waits for the operator's database without a time limit; we start the embedded one ourselves. */
export const awaitDatabase = ({ databaseUrl, databaseDirectUrl }: Settings): Effect.Effect<void> =>
  databaseUrl === null
    ? Effect.void
    : waitFor(
        sentenceOf(ask(databaseUrl, databaseDirectUrl), (error) =>
          isUnavailable(error)
            ? `${SETTINGS.databaseUrl.name}: The database does not respond; check its address and that it runs.`
            : null
        )
      );

/** Checks whether the database responds, and describes it. Read-only, because a server may be using it. */
export const pingDatabase = (settings: Settings): Effect.Effect<string, StartFailed> =>
  Effect.gen(function* () {
    const isThere = hasDatabase(settings);
    const url = yield* isThere ? openDatabase(settings) : trialDatabase;
    const connection = yield* Layer.build(PgConnection.layer({ url, directUrl: directUrlOf(settings) }));
    yield* Context.get(connection, SqlClient.SqlClient)`select 1`;
    return settings.databaseUrl === null
      ? `embedded PostgreSQL${isThere ? "" : ", tried in a temporary folder"}`
      : `PostgreSQL of ${SETTINGS.databaseUrl.name}`;
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      SqlError: (error) => new StartFailed(told`${refusalOf(error) ?? NO_RESPONSE}`),
      EmbeddedPostgresFailed: ({ message }) => new StartFailed(message)
    })
  );
