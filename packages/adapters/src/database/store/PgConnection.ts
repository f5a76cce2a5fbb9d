/**
 * The connection pool of the store and the rate limits; workers take their jobs over connections of their own.
 *
 * Columns keep their SQL names: statements are hand-written, and rows are decoded in one place each. Tests: PgBusy.test.ts.
 */
import * as PgClient from "@effect/sql-pg/PgClient";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import type * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { AccountTransactions } from "./AccountTransactions.ts";
import * as DatabaseChannel from "./DatabaseChannel.ts";

/** Connections per process. A decision holds one for some milliseconds without waiting. */
export const CONNECTIONS_MAX_DEFAULT = 10;

/** Additionally, the DatabaseChannel holds one while somebody listens. */
const LISTENING_CONNECTIONS = 1;

/** Additionally, those of the workers; an idle process has one of them. */
const WORKER_CONNECTIONS_MAX = 4;

/** How long one of our connections may block others on the server, in milliseconds; 0 is unlimited. */
export interface ConnectionTimeouts {
  /** Idle in a transaction: its process is frozen or gone. The server ends the session. */
  readonly idleInTransactionMs: number;
  /** Waiting for a lock. */
  readonly lockMs: number;
  /** Total duration of a statement. */
  readonly statementMs: number;
}

/** Decisions take milliseconds, so these only affect what is stuck. */
const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  idleInTransactionMs: 10_000,
  lockMs: 3_000,
  statementMs: 30_000
};

export interface PgConnectionOptions {
  /** `postgres://user:password@host:port/database`; `?host=/folder` names a unix socket. */
  readonly url: Redacted.Redacted;
  /**
   * The same database without the transaction pooler of `url`, for listening. Through the pooler, statements are
   * not prepared by name, and the role's timeouts apply.
   */
  readonly directUrl?: Redacted.Redacted | null;
  readonly connectionsMax?: number;
  readonly timeouts?: Partial<ConnectionTimeouts>;
}

/** After this time, the system notices a broken network, and the connection is replaced. */
const KEEP_ALIVE_SECONDS = 10;

const sessionParameters = (timeouts: ConnectionTimeouts): Record<string, string> => ({
  idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
  lock_timeout: String(timeouts.lockMs),
  statement_timeout: String(timeouts.statementMs)
});

const APPLICATION_NAME = "winnow";

const clientOf = (options: PgClient.PgPoolConfig) =>
  Effect.map(
    Layer.build(
      PgClient.layer({
        applicationName: APPLICATION_NAME,
        keepAlive: KEEP_ALIVE_SECONDS * 1_000,
        ...options
      })
    ),
    Context.get(PgClient.PgClient)
  );

/**
 * Connections through which workers claim jobs and renew their leases, each with one statement at a time: one that
 * gets no response is interrupted and its connection replaced. In the other pool it would share a broken connection
 * with many others until the system gives up, a quarter of an hour later.
 */
export class WorkerConnections extends Context.Service<WorkerConnections, PgClient.PgClient>()(
  "@winnow/adapters/database/store/WorkerConnections"
) {}

const channel = (directUrl: Redacted.Redacted | null) =>
  directUrl === null
    ? DatabaseChannel.layer()
    : Layer.unwrap(
        Effect.map(clientOf({ url: directUrl, maxConnections: LISTENING_CONNECTIONS }), DatabaseChannel.layer)
      );

/** Connects at first use. */
export const layer = ({
  url,
  directUrl = null,
  connectionsMax = CONNECTIONS_MAX_DEFAULT,
  timeouts
}: PgConnectionOptions): Layer.Layer<
  | PgClient.PgClient
  | SqlClient.SqlClient
  | AccountTransactions
  | DatabaseChannel.DatabaseChannel
  | WorkerConnections,
  SqlError
> => {
  // A pooler shares sessions: it accepts neither session parameters nor named statements.
  const session =
    directUrl === null
      ? { startupParameters: sessionParameters({ ...CONNECTION_TIMEOUTS, ...timeouts }) }
      : { prepare: false };
  const ofWorkers = clientOf({
    url,
    ...session,
    // A plan that was made while no job waited would read the whole table once thousands do, until the next analyze.
    ...(session.startupParameters === undefined
      ? {}
      : { startupParameters: { ...session.startupParameters, enable_seqscan: "off" } }),
    maxConnections: WORKER_CONNECTIONS_MAX
  });
  return Layer.provideMerge(
    Layer.mergeAll(
      AccountTransactions.layer(connectionsMax),
      channel(directUrl),
      Layer.effect(WorkerConnections, ofWorkers)
    ),
    PgClient.layer({
      url,
      applicationName: APPLICATION_NAME,
      ...session,
      keepAlive: KEEP_ALIVE_SECONDS * 1_000,
      // Single statements of many requests share a connection and are pipelined, which saves a fifth of a read's
      // cost. Transactions have their own connection; so statements that may wait for a lock or take long are
      // transactions too, since they would block everybody's reads.
      multiplex: directUrl === null,
      maxConnections: connectionsMax + LISTENING_CONNECTIONS
    })
  );
};
