/**
 * Keeps a server running while this process uses it, and stops it when nobody else does.
 *
 * Uses Node's timers instead of Effect's clock, because servers run in real time, even under a test clock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import * as Scope from "effect/Scope";
import type { SqlError } from "effect/sql/SqlError";
import type { Binaries } from "./Binaries.ts";
import { attempt, type EmbeddedPostgresFailed, failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import { type ServerPaths, type Passwords, readPort, writePort } from "./ServerPaths.ts";
import { ANSWER_TIMEOUT_MS, type Lease, openLease } from "./Lease.ts";
import {
  findPostmaster,
  type Postmaster,
  startPostmaster,
  START_TIMEOUT_MS,
  stopPostmaster
} from "./Postmaster.ts";
import { createServer } from "node:net";

/** The preferred port if it is free, else another free one. Another program may take it before it is used. */
const choosePort = async (preferred: number | null): Promise<number> =>
  (preferred === null ? null : await tryPort(preferred)) ?? (await tryPort(0)) ?? Promise.reject(NO_PORT);

const NO_PORT = new Error("no free port on 127.0.0.1");

const tryPort = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });

export interface Supervised {
  readonly paths: ServerPaths;
  readonly binaries: Binaries;
  readonly passwords: Passwords;
  readonly settings: Readonly<Record<string, string>>;
  readonly abandonedAfterSeconds: number;
  /** A server started by this process on which it has no lease yet. */
  startedPid: number | null;
  held: { readonly lease: Lease; readonly scope: Scope.Closeable } | null;
}

/** Lock files are written at once: one that stays damaged this long really is. */
const DAMAGED_LOCK_TIMEOUT_MS = 1_000;
/**
 * Maximum starts that fail for transient reasons: another process was faster, the port was taken, old sessions were
 * ending.
 */
const STARTS_MAX = 10;
/** Poll interval while a server starts or stops. */
const RETRY_MS = 50;
/** Delay between attempts to restart a server that died. */
const RESTART_MS = 2_000;

const pause = (durationMs: number) => Effect.promise((signal) => sleep(durationMs, undefined, { signal }));

/**
 * Adopts a running server or starts one; succeeds with a lease on it. `requiredPort`: a URL with this port is already
 * in use; null for any port.
 */
export const acquireLease = Effect.fnUntraced(function* (
  supervised: Supervised,
  requiredPort: number | null
): Effect.fn.Return<Lease, EmbeddedPostgresFailed> {
  const { cluster } = supervised.paths;
  let startsLeft = STARTS_MAX;
  let observed = { pid: 0, sinceMs: 0 };
  while (true) {
    const found = yield* attempt("Looking for a running server", () => findPostmaster(cluster));
    if (found === null) {
      if (startsLeft-- === 0) {
        return yield* failed(
          `PostgreSQL stopped during its start ${STARTS_MAX} times; see ${supervised.paths.log}`,
          USE_YOUR_OWN
        );
      }
      if (yield* launch(supervised, requiredPort)) continue;
    } else {
      if (observed.pid !== found.pid) observed = { pid: found.pid, sinceMs: performance.now() };
      const refusal = yield* tryLease(supervised, found);
      const { held } = supervised;
      if (held !== null) {
        yield* attempt("Storing the port", () => writePort(supervised.paths, held.lease.port));
        return held.lease;
      }
      const unresponsiveMs = performance.now() - observed.sinceMs;
      if (unresponsiveMs > unresponsiveAfterMs(found, refusal))
        yield* stopUnresponsive(supervised, found, refusal);
    }
    yield* pause(RETRY_MS);
  }
});

/** Releases the lease, and stops the server if nobody else has one. Never fails, because it is a finalizer. */
export const releaseServer = Effect.fnUntraced(
  function* (supervised: Supervised) {
    const { held, paths, startedPid } = supervised;
    if (held !== null) {
      // Refused if another process is stopping it, or it has already ended.
      const wasLast = yield* held.lease.release.pipe(
        Effect.catch((error) =>
          Effect.as(Effect.logDebug("The database server ended the session", error), false)
        )
      );
      if (wasLast) yield* attempt("Stopping the server", () => stopAny(paths.cluster));
    } else if (startedPid !== null) {
      // A process that has just adopted it will start it again.
      yield* attempt("Stopping the server", () => stopPostmaster(startedPid, paths.cluster));
    }
  },
  Effect.catchCause((cause) => Effect.logWarning("The database server could not be stopped", cause)),
  (effect, supervised) => Effect.ensuring(effect, closeSession(supervised))
);

/** Restarts the server whenever it dies, on the same port. */
export const supervise = Effect.fnUntraced(function* (supervised: Supervised, port: number) {
  while (true) {
    if (supervised.held !== null) {
      yield* supervised.held.lease.lost;
      yield* Effect.logWarning("Lost the session with the database server; checking the server");
      yield* closeSession(supervised);
    }
    yield* acquireLease(supervised, port).pipe(
      Effect.flatMap((lease) =>
        lease.port === port
          ? Effect.logInfo("The database server is available again")
          : Effect.logError(`The database server moved to port ${lease.port}: restart this process`)
      ),
      Effect.catch((error) =>
        Effect.andThen(
          Effect.logError("The database server could not be restarted", error),
          pause(RESTART_MS)
        )
      )
    );
  }
});

const stopAny = async (cluster: string): Promise<void> => {
  const found = await findPostmaster(cluster);
  if (found !== null) await stopPostmaster(found.pid, cluster);
};

const closeSession = (supervised: Supervised): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { held } = supervised;
    supervised.held = null;
    return held === null ? Effect.void : Scope.close(held.scope, Exit.void);
  });

const launch = Effect.fnUntraced(function* (supervised: Supervised, requiredPort: number | null) {
  const { paths, binaries, settings, abandonedAfterSeconds } = supervised;
  const port = yield* attempt(
    "Choosing a port",
    async () => requiredPort ?? choosePort(await readPort(paths))
  );
  return yield* attempt("Starting PostgreSQL", (signal) =>
    startPostmaster(paths, binaries, { port, settings, abandonedAfterSeconds }, signal, (pid) => {
      supervised.startedPid = pid;
    })
  );
});

/** Sets `held` when the server grants a lease; else returns why it did not, or null if it was not asked. */
const tryLease = Effect.fnUntraced(function* (supervised: Supervised, { port, status }: Postmaster) {
  if (port === null || status !== "ready") return null;
  const scope = yield* Scope.make();
  const opened = yield* openLease(port, supervised.passwords).pipe(
    Scope.provide(scope),
    Effect.onExit((exit) => {
      if (Exit.isFailure(exit)) return Scope.close(scope, exit);
      supervised.held = { lease: exit.value, scope };
      supervised.startedPid = null;
      return Effect.void;
    }),
    Effect.result
  );
  return Result.isFailure(opened) ? opened.failure : null;
});

/** For a running server that grants no lease: stops it if it is unresponsive, reports it if it refuses. */
const stopUnresponsive = Effect.fnUntraced(function* (
  supervised: Supervised,
  { pid }: Postmaster,
  refusal: SqlError | null
) {
  const { folder, cluster } = supervised.paths;
  if (refusal !== null && refusal.reason._tag !== "ConnectionError") {
    return yield* failed(
      `The PostgreSQL server ${pid} on ${cluster} rejected the connection: ${refusal.message}.`,
      refusal.reason._tag === "AuthenticationError"
        ? `${folder}/pgpass does not match the database: restore it from your backup.`
        : `Its log: ${supervised.paths.log}`,
      USE_YOUR_OWN
    );
  }
  yield* attempt("Stopping a server that does not respond", () => stopPostmaster(pid, cluster));
});

/** When to stop waiting. Recovery and shutdown take their time; a rejected password will not change. */
const unresponsiveAfterMs = ({ port, status }: Postmaster, refusal: SqlError | null): number => {
  if (refusal?.reason._tag === "AuthenticationError") return 0;
  if (port === null) return DAMAGED_LOCK_TIMEOUT_MS;
  return status === "starting" || status === "stopping" ? START_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
};
