/**
 * The pool of connections to PostgreSQL that the store, the rate limits and the queue share.
 *
 * Columns keep their SQL names: statements are written by hand and rows are read in one place each.
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

/** Connections of one process. A decision holds one for some milliseconds, and nothing waits in between. */
export const CONNECTIONS_MAX_DEFAULT = 10;

/** On top: the DatabaseChannel keeps one for itself once somebody listens. */
const LISTENING_CONNECTIONS = 1;

/** How long the server lets one of our connections block others, in milliseconds; 0 is for ever. */
export interface ConnectionTimeouts {
  /** Nothing is asked in a transaction: its process is frozen or gone. The server ends the session. */
  readonly idleInTransactionMs: number;
  /** A statement waits for a lock. */
  readonly lockMs: number;
  /** A statement takes as long in all. */
  readonly statementMs: number;
}

/** A decision takes milliseconds, so these only ever meet what is stuck. */
export const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  idleInTransactionMs: 10_000,
  lockMs: 3_000,
  statementMs: 30_000
};

export interface PgConnectionOptions {
  /** `postgres://user:password@host:port/database`; `?host=/folder` names a unix socket. */
  readonly url: Redacted.Redacted;
  /**
   * The same database without the pooler of transactions that `url` then names: for what listens. Through the pooler
   * no statement is prepared under a name, and the timeouts are those of the role.
   */
  readonly directUrl?: Redacted.Redacted | null;
  readonly connectionsMax?: number;
  readonly timeouts?: Partial<ConnectionTimeouts>;
}

/** What a broken network swallows is noticed by the system after so long, and its connection replaced. */
const KEEP_ALIVE_SECONDS = 10;

const sessionParameters = (timeouts: ConnectionTimeouts): Record<string, string> => ({
  idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
  lock_timeout: String(timeouts.lockMs),
  statement_timeout: String(timeouts.statementMs)
});

const APPLICATION_NAME = "winnow";

/** Connections of the one who listens. */
const directClient = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(
      PgClient.layer({
        url,
        applicationName: APPLICATION_NAME,
        keepAlive: KEEP_ALIVE_SECONDS * 1_000,
        maxConnections: LISTENING_CONNECTIONS
      })
    ),
    Context.get(PgClient.PgClient)
  );

const channel = (directUrl: Redacted.Redacted | null) =>
  directUrl === null
    ? DatabaseChannel.layer()
    : Layer.unwrap(Effect.map(directClient(directUrl), DatabaseChannel.layer));

/** Connects at first use. */
export const layer = ({
  url,
  directUrl = null,
  connectionsMax = CONNECTIONS_MAX_DEFAULT,
  timeouts
}: PgConnectionOptions): Layer.Layer<
  PgClient.PgClient | SqlClient.SqlClient | AccountTransactions | DatabaseChannel.DatabaseChannel,
  SqlError
> =>
  Layer.provideMerge(
    Layer.merge(AccountTransactions.layer(connectionsMax), channel(directUrl)),
    PgClient.layer({
      url,
      applicationName: APPLICATION_NAME,
      // A pooler hands out sessions that others have used: it takes neither parameters nor names of statements.
      ...(directUrl === null
        ? { startupParameters: sessionParameters({ ...CONNECTION_TIMEOUTS, ...timeouts }) }
        : { prepare: false }),
      keepAlive: KEEP_ALIVE_SECONDS * 1_000,
      // Single statements of many requests share a connection and travel in one write and one read, which
      // spares a fifth of what a read costs. Transactions still have one to themselves; so what may wait for a
      // lock, or takes long, is one too, or everybody's reads would wait behind it.
      multiplex: directUrl === null,
      maxConnections: connectionsMax + LISTENING_CONNECTIONS
    })
  );
