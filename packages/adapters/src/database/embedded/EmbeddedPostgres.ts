/**
 * A real PostgreSQL server in the data folder: the database that needs no set-up.
 *
 * - Durable: fsync is on; the folder is created completely or not at all.
 * - Owned: the process that starts it owns the folder (embedded/FolderOwner.ts). The server ends with its owner, also
 *   with a killed one, and is restarted if it dies. Another process is refused, or uses the server as long as its
 *   owner runs.
 * - Private: on 127.0.0.1 only, with passwords (scram) stored in `pgpass` with mode 0600. The role `winnow` of the
 *   URL owns the database `winnow`; it is not a superuser.
 * - If Winnow runs as root, the server runs as another user (embedded/ServerUser.ts, embedded/ServerPaths.ts).
 *
 * Uses Node's timers instead of Effect's clock, because servers run in real time, even under a test clock.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as PgConnection from "@effect/sql-pg/PgConnection";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import type * as Scope from "effect/Scope";
import type { SqlError } from "effect/sql/SqlError";
import { type Binaries, findBinaries, SYSTEM_FOLDER } from "./Binaries.ts";
import { ensureCluster } from "./Cluster.ts";
import {
  attempt,
  DataFolderInUse,
  EmbeddedPostgresFailed,
  failed,
  USE_YOUR_OWN
} from "./EmbeddedPostgresFailed.ts";
import { sharesLoopback, takeFolder } from "./FolderOwner.ts";
import { findPort, startPostmaster, stopPostmaster } from "./Postmaster.ts";
import {
  ADMIN_ROLE,
  APP_DATABASE,
  APP_ROLE,
  openServerFolder,
  type Passwords,
  readPasswords,
  type ServerPaths
} from "./ServerPaths.ts";

export { DataFolderInUse, EmbeddedPostgresFailed };

export interface EmbeddedPostgresOptions {
  /** WINNOW_DATA_DIR; the server is in its folder `postgres`. */
  readonly dataDir: string;
  /** Server settings that override those of embedded/Postmaster.ts. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Whether a server of this data folder was started before. */
export const isCreated = (dataDir: string): boolean => existsSync(join(dataDir, "postgres", "cluster"));

export interface RunningDatabase {
  /** Remains valid if the server restarts. */
  readonly url: Redacted.Redacted;
}

/** A server of this process. */
interface OwnServer {
  readonly paths: ServerPaths;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  /** Null until its first start. */
  child: ChildProcess | null;
}

/** Maximum starts that fail for transient reasons: the port was taken, old sessions were ending. */
const STARTS_MAX = 10;
/** Poll interval while the server of another process starts or stops. */
const RETRY_MS = 50;
/** Longer than its owner takes to start or restart it. */
const OWNER_TIMEOUT_MS = 150_000;
/** Delay between attempts to restart a server that died. */
const RESTART_MS = 2_000;

const pause = (durationMs: number) => Effect.promise((signal) => sleep(durationMs, undefined, { signal }));

const openFolder = ({ dataDir }: EmbeddedPostgresOptions) =>
  attempt("Opening the database's folder", () => openServerFolder(dataDir));

const passwordsOf = ({ folder }: ServerPaths) =>
  attempt("Reading the database's passwords", () => readPasswords(folder));

const databaseAt = (port: number, { app }: Passwords): RunningDatabase => ({
  url: Redacted.make(`postgres://${APP_ROLE}:${app}@127.0.0.1:${port}/${APP_DATABASE}`)
});

/** The database `winnow`, owned by this process until the scope closes. */
export const start = Effect.fn("EmbeddedPostgres.start")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<RunningDatabase, EmbeddedPostgresFailed | DataFolderInUse, Scope.Scope> {
  if (process.platform === "win32") {
    return yield* failed("The PostgreSQL of Winnow does not run on Windows, only in WSL.", USE_YOUR_OWN);
  }
  const paths = yield* openFolder(options);
  const { server: user } = paths.users;
  const copies = user === null ? `${paths.folder}/programs` : SYSTEM_FOLDER;
  const binaries = yield* attempt("Finding PostgreSQL's programs", () => findBinaries(user, copies));
  yield* own(paths);
  const passwords = yield* passwordsOf(paths);
  yield* ensureCluster(paths, binaries, passwords.admin);
  const server: OwnServer = { paths, binaries, settings: options.settings ?? {}, child: null };
  yield* Effect.addFinalizer(() => stop(server));
  const port = yield* launch(server, null);
  yield* Effect.mapError(ensureDatabase(port, passwords), (error) => rejected(paths, error));
  yield* Effect.forkScoped(supervise(server, port));
  return databaseAt(port, passwords);
});

/** For a command: the database of the process that owns the folder; without one, as `start`. */
export const use = (
  options: EmbeddedPostgresOptions
): Effect.Effect<RunningDatabase, EmbeddedPostgresFailed, Scope.Scope> =>
  start(options).pipe(
    Effect.catchTag("DataFolderInUse", ({ message, port }) =>
      port === null
        ? Effect.fail(failed(message, "That is another container: run the command there, or stop it."))
        : Effect.map(Effect.flatMap(openFolder(options), passwordsOf), (passwords) =>
            databaseAt(port, passwords)
          )
    )
  );

/** Until the scope closes. Fails with the owner if there is one; waits while its server starts. */
const own = Effect.fnUntraced(function* ({ cluster, folder }: ServerPaths) {
  const take = attempt("Taking the database's folder", () => takeFolder(folder)).pipe(
    Effect.tap((taken) => ("leave" in taken ? Effect.addFinalizer(() => leave(taken.leave)) : Effect.void)),
    Effect.uninterruptible
  );
  const deadline = performance.now() + OWNER_TIMEOUT_MS;
  for (;;) {
    const taken = yield* take;
    if ("leave" in taken) return;
    const { owner } = taken;
    const isNear = owner === null || sharesLoopback(owner);
    const port = isNear ? yield* attempt("Looking for a running server", () => findPort(cluster)) : null;
    if (owner !== null && (port !== null || !isNear)) {
      return yield* new DataFolderInUse({ ownerPid: owner.pid, ownerHost: owner.host, port });
    }
    if (performance.now() > deadline) {
      return yield* failed(
        `${folder} belongs to the running process ${owner?.pid}, whose database server does not start.`,
        USE_YOUR_OWN
      );
    }
    yield* pause(RETRY_MS);
  }
});

const leave = (how: () => Promise<void>): Effect.Effect<void> =>
  Effect.ignore(attempt("Leaving the database's folder", how));

/** Succeeds with the port. `requiredPort`: a URL with this port is already in use; null for any port. */
const launch = Effect.fnUntraced(function* (server: OwnServer, requiredPort: number | null) {
  const { binaries, paths, settings } = server;
  for (let starts = 1; starts <= STARTS_MAX; starts += 1) {
    const port = yield* attempt("Starting PostgreSQL", (signal) =>
      startPostmaster(paths, binaries, { requiredPort, settings }, signal, (child) => {
        server.child = child;
      })
    );
    if (port !== null) return port;
    yield* pause(RETRY_MS);
  }
  return yield* failed(
    `PostgreSQL stopped during its start ${STARTS_MAX} times; see ${paths.log}`,
    USE_YOUR_OWN
  );
});

/** Creates the application's role and database if they are missing. */
const ensureDatabase = Effect.fnUntraced(function* (port: number, { admin, app }: Passwords) {
  const session = yield* PgConnection.make({
    host: "127.0.0.1",
    port,
    database: "postgres",
    username: ADMIN_ROLE,
    password: Redacted.make(admin)
  });
  const { rows } = yield* session.query(
    `SELECT (SELECT count(*)::int FROM pg_roles WHERE rolname = '${APP_ROLE}') AS roles,
            (SELECT count(*)::int FROM pg_database WHERE datname = '${APP_DATABASE}') AS databases`,
    [],
    false
  );
  // The password is base64url and needs no quoting. CREATEDB lets tests create a database each.
  if (rows[0]?.["roles"] === 0) {
    yield* session.query(`CREATE ROLE ${APP_ROLE} LOGIN CREATEDB PASSWORD '${app}'`, [], false);
  }
  if (rows[0]?.["databases"] === 0) {
    yield* session.query(`CREATE DATABASE ${APP_DATABASE} OWNER ${APP_ROLE}`, [], false);
  }
}, Effect.scoped);

const rejected = ({ folder, log }: ServerPaths, { message, reason }: SqlError): EmbeddedPostgresFailed =>
  failed(
    `The PostgreSQL server of ${folder} rejected the connection: ${message}.`,
    reason._tag === "AuthenticationError"
      ? `${folder}/pgpass does not match the database: restore it from your backup.`
      : `Its log: ${log}`,
    USE_YOUR_OWN
  );

/** Starts it again, on the same port, until that succeeds. */
const relaunch = (server: OwnServer, port: number): Effect.Effect<unknown> =>
  launch(server, port).pipe(
    Effect.catch((error) =>
      Effect.logError("The database server could not be restarted", error).pipe(
        Effect.andThen(pause(RESTART_MS)),
        Effect.andThen(Effect.suspend(() => relaunch(server, port)))
      )
    )
  );

/** Restarts the server whenever it dies. */
const supervise = Effect.fnUntraced(function* (server: OwnServer, port: number) {
  while (true) {
    yield* Effect.promise((signal) => untilEnded(server.child, signal));
    yield* Effect.logWarning("The database server ended; starting it again");
    yield* relaunch(server, port);
    yield* Effect.logInfo("The database server is available again");
  }
});

const hasEnded = (child: ChildProcess | null): boolean =>
  child === null || child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

const untilEnded = (child: ChildProcess | null, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (hasEnded(child)) return resolve();
    child?.once("exit", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Never fails, because it is a finalizer. */
const stop = ({ child, paths }: OwnServer): Effect.Effect<void> =>
  child?.pid === undefined || hasEnded(child)
    ? Effect.void
    : attempt("Stopping the server", () => stopPostmaster(child.pid ?? 0, paths.cluster)).pipe(
        Effect.catch((error) => Effect.logWarning("The database server could not be stopped", error))
      );
