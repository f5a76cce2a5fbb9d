/**
 * The pool of connections to PostgreSQL that the store, the rate limits and the queue share.
 *
 * Columns keep their SQL names: statements are written by hand and rows are read in one place each.
 */
import * as PgClient from "@effect/sql-pg/PgClient";
import type * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import type * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";

/** Connections of one process. A decision holds one for some milliseconds, and nothing waits in between. */
export const CONNECTIONS_MAX_DEFAULT = 10;

/** On top: the run feed keeps one for itself once somebody watches. */
const LISTENING_CONNECTIONS = 1;

export interface PgConnectionOptions {
  /** `postgres://user:password@host:port/database`; `?host=/folder` names a unix socket. */
  readonly url: Redacted.Redacted;
  readonly connectionsMax?: number;
}

/** Connects at first use. */
export const layer = (
  options: PgConnectionOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> =>
  PgClient.layer({
    url: options.url,
    applicationName: "winnow",
    // Single statements of many requests share a connection and travel in one write and one read, which
    // spares a fifth of what a read costs. Transactions still have one to themselves; so what may wait for a
    // lock, or takes long, is one too, or everybody's reads would wait behind it.
    multiplex: true,
    maxConnections: (options.connectionsMax ?? CONNECTIONS_MAX_DEFAULT) + LISTENING_CONNECTIONS
  });
