/**
 * A real PostgreSQL server in the data folder: the database that needs no set-up.
 *
 * - Durable: fsync is on; the folder is created completely or not at all.
 * - Shared: processes on one folder share one server. The last one to exit stops it. A killed process leaves the
 *   server running, and the next one adopts it; a server that dies is restarted. An unused server stops by itself
 *   after five minutes.
 * - Private: on 127.0.0.1 only, with passwords (scram) stored in `pgpass` with mode 0600. The role `winnow` of the
 *   URL owns the database `winnow`; it is not a superuser.
 * - If Winnow runs as root, the server runs as another user (embedded/ServerUser.ts, embedded/ServerPaths.ts).
 */
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import type * as Scope from "effect/Scope";
import { findBinaries } from "./Binaries.ts";
import { ensureCluster } from "./Cluster.ts";
import { attempt, EmbeddedPostgresFailed, failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import { APP_DATABASE, APP_ROLE, openServerFolder, readPasswords, SYSTEM_FOLDER } from "./ServerPaths.ts";
import { ABANDONED_AFTER_SECONDS } from "./Watchdog.ts";
import { acquireLease, releaseServer, type Supervised, supervise } from "./Supervisor.ts";

export { EmbeddedPostgresFailed };

export interface EmbeddedPostgresOptions {
  /** WINNOW_DATA_DIR; the server is in its folder `postgres`. */
  readonly dataDir: string;
  /** Root only: the preferred account, default `postgres`. If it does not exist, an unused user id. */
  readonly serverUser?: string;
  /** Root only: the folder of data and programs if that user cannot access dataDir or node_modules. */
  readonly systemFolder?: string;
  /** Server settings that override embedded/Settings.ts, if this process launches the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** An unused server stops after this time. Default: five minutes. */
  readonly abandonedAfterSeconds?: number;
}

/** The database `winnow`, until the scope closes. The URL remains valid if the server restarts. */
export const start = Effect.fn("EmbeddedPostgres.start")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<{ readonly url: Redacted.Redacted }, EmbeddedPostgresFailed, Scope.Scope> {
  const supervised = yield* prepare(options);
  yield* Effect.addFinalizer(() => releaseServer(supervised));
  const { port } = yield* acquireLease(supervised, null);
  yield* Effect.forkScoped(supervise(supervised, port));
  const { app } = supervised.passwords;
  return { url: Redacted.make(`postgres://${APP_ROLE}:${app}@127.0.0.1:${port}/${APP_DATABASE}`) };
});

const prepare = Effect.fnUntraced(function* (options: EmbeddedPostgresOptions) {
  if (process.platform === "win32") {
    return yield* failed("The PostgreSQL of Winnow does not run on Windows, only in WSL.", USE_YOUR_OWN);
  }
  const { dataDir, serverUser = "postgres", systemFolder = SYSTEM_FOLDER, settings = {} } = options;
  const paths = yield* attempt("Opening the database's folder", () =>
    openServerFolder(dataDir, { serverUser, systemFolder })
  );
  const copies = paths.users.server === null ? `${paths.folder}/programs` : systemFolder;
  const binaries = yield* attempt("Finding PostgreSQL's programs", () =>
    findBinaries(paths.users.server, copies)
  );
  const passwords = yield* attempt("Reading the database's passwords", () => readPasswords(paths.folder));
  yield* ensureCluster(paths, binaries, passwords.admin);
  return {
    paths,
    binaries,
    passwords,
    settings,
    abandonedAfterSeconds: options.abandonedAfterSeconds ?? ABANDONED_AFTER_SECONDS,
    startedPid: null,
    held: null
  } satisfies Supervised as Supervised;
});
