/**
 * A database session that marks the server as in use by this process.
 *
 * It holds a shared advisory lock. The process that can make it exclusive is the last user and may stop the server.
 * New users wait for that lock and are disconnected with the server, so that no process adopts a server that is about
 * to stop. The lock ends with the process that holds it, even if that is killed.
 */
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as PgConnection from "@effect/sql-pg/PgConnection";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Queue from "effect/Queue";
import * as Redacted from "effect/Redacted";
import * as Scope from "effect/Scope";
import type { SqlError } from "effect/sql/SqlError";
import { ADMIN_ROLE, APP_DATABASE, APP_ROLE, type Passwords } from "./ServerPaths.ts";

export interface Lease {
  readonly port: number;
  /** Succeeds when the session ends on the server's side. */
  readonly lost: Effect.Effect<void>;
  /**
   * Releases the lease; true if it was the last one, in which case no other process gets one until the session closes.
   */
  readonly release: Effect.Effect<boolean, SqlError>;
}

/** Keys of advisory locks in the database `postgres`: the bytes of "winnow" and a number. */
const IN_USE = "0x77696e6e6f7701::bigint";
const SETTING_UP = "0x77696e6e6f7702::bigint";
/** A local server responds in milliseconds; a new user also waits for one that is stopping. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** The server may need a moment to notice that a process was killed: half a second at most. */
const EXCLUSIVE_TRIES = 10;
const EXCLUSIVE_RETRY_MS = 50;

export const openLease = (
  port: number,
  passwords: Passwords
): Effect.Effect<Lease, SqlError, Scope.Scope> => {
  const sockets: Array<Socket> = [];
  const connect = () => {
    const socket = createConnection({ host: "127.0.0.1", port, noDelay: true });
    sockets.push(socket);
    return socket;
  };
  /** Disconnects if the server hangs: an interrupted query would wait for its response too. */
  const bounded = <A, E, R>(queries: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => setTimeout(() => sockets.forEach((socket) => socket.destroy()), ANSWER_TIMEOUT_MS)),
      () => queries,
      (timer) => Effect.sync(() => clearTimeout(timer))
    );
  const open = Effect.gen(function* () {
    const session = yield* PgConnection.make({
      stream: connect,
      database: "postgres",
      username: ADMIN_ROLE,
      password: Redacted.make(passwords.admin),
      applicationName: "winnow lease"
    });
    yield* session.query(`SELECT pg_advisory_lock_shared(${IN_USE})`, [], false);
    yield* createDatabase(session, passwords.app);
    // Nothing is ever sent: listening is the way to notice a broken session.
    const listening = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void));
    const notifications = yield* Scope.provide(session.listen("winnow_lease"), listening);
    const release = Effect.gen(function* () {
      yield* Scope.close(listening, Exit.void);
      yield* session.query(`SELECT pg_advisory_unlock_shared(${IN_USE})`, [], false);
      for (let tries = 1; tries <= EXCLUSIVE_TRIES; tries += 1) {
        const { rows } = yield* session.query(`SELECT pg_try_advisory_lock(${IN_USE}) AS is_last`, [], false);
        if (rows[0]?.["is_last"] === true) return true;
        yield* Effect.promise((signal) => sleep(EXCLUSIVE_RETRY_MS, undefined, { signal }));
      }
      return false;
    });
    return { port, lost: Effect.asVoid(Effect.exit(Queue.take(notifications))), release: bounded(release) };
  });
  return bounded(open);
};

/** Creates the application's role and database if they are missing; one process at a time. */
const createDatabase = Effect.fnUntraced(function* (session: PgConnection.PgConnection, password: string) {
  yield* session.query(`SELECT pg_advisory_lock(${SETTING_UP})`, [], false);
  const { rows } = yield* session.query(
    `SELECT (SELECT count(*)::int FROM pg_roles WHERE rolname = '${APP_ROLE}') AS roles,
            (SELECT count(*)::int FROM pg_database WHERE datname = '${APP_DATABASE}') AS databases`,
    [],
    false
  );
  // The password is base64url and needs no quoting. CREATEDB lets tests create a database each.
  if (rows[0]?.["roles"] === 0) {
    yield* session.query(`CREATE ROLE ${APP_ROLE} LOGIN CREATEDB PASSWORD '${password}'`, [], false);
  }
  if (rows[0]?.["databases"] === 0) {
    yield* session.query(`CREATE DATABASE ${APP_DATABASE} OWNER ${APP_ROLE}`, [], false);
  }
  yield* session.query(`SELECT pg_advisory_unlock(${SETTING_UP})`, [], false);
});
