/**
 * Transactions of accounts. They wait for the account's row, so they must not occupy every connection: one account
 * gets at most half of the connections for transactions, accounts take turns (runtime/FairPermits), and a
 * transaction that waits too long fails with a busy database. Tests: PgBusy.test.ts.
 */
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { makeFairPermits, type Restore } from "@winnow/isolation/runtime/FairPermits";
import { BUSY_RETRY_SECONDS } from "./StorageFault.ts";

/** Connections reserved for single statements, which share them. */
const CONNECTIONS_OF_STATEMENTS = 2;

/** Maximum wait for a permit; after that, PgConnection limits the wait for the row. */
const TURN_WAIT_MS_MAX = 10_000;

const tooBusy = Effect.suspend(() =>
  Effect.die(
    new Unavailable({
      what: "database",
      reason: "busy",
      message: "Too many transactions are waiting for the account.",
      retryAfterSeconds: BUSY_RETRY_SECONDS
    })
  )
);

/** Times out even if the caller is uninterruptible. */
const inTime: Restore = (waiting) =>
  Effect.raceFirst(
    Effect.interruptible(waiting),
    Effect.interruptible(Effect.andThen(Effect.sleep(TURN_WAIT_MS_MAX), tooBusy))
  );

export class AccountTransactions extends Context.Service<
  AccountTransactions,
  {
    /**
     * Runs the statements in one transaction.
     *
     * @dies Unavailable the account's permit did not become available in time
     */
    readonly run: <A, E, R>(
      accountId: string,
      statements: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SqlError, R>;
  }
>()("@winnow/adapters/database/store/AccountTransactions") {
  static readonly layer = (
    connectionsMax: number
  ): Layer.Layer<AccountTransactions, never, SqlClient.SqlClient> =>
    Layer.effect(
      AccountTransactions,
      Effect.map(SqlClient.SqlClient, (sql) => {
        const permits = makeFairPermits(Math.max(2, connectionsMax - CONNECTIONS_OF_STATEMENTS));
        return AccountTransactions.of({
          run: (accountId, statements) =>
            Effect.uninterruptibleMask((restore) =>
              Effect.flatMap(
                permits.acquire(accountId, (waiting) => restore(inTime(waiting))),
                (giveBack) => Effect.ensuring(restore(sql.withTransaction(statements)), giveBack)
              )
            )
        });
      })
    );
}
