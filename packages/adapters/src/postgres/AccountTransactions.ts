/**
 * Transactions of an account: they wait for its row, so they are kept from taking every connection. One account
 * alone has at most half of those for transactions, who waits is served in turn (shares/FairPermits), and who
 * would wait too long is told that the database is busy.
 */
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { makeFairPermits, type Restore } from "../shares/FairPermits.ts";
import { BUSY_RETRY_SECONDS } from "./StorageFault.ts";

/** Left to single statements, which share connections. */
const CONNECTIONS_OF_STATEMENTS = 2;

/** So long a transaction waits for its turn; then for the row, as long as PgConnection lets it. */
export const TURN_WAIT_MS_MAX = 10_000;

const tooBusy = Effect.suspend(() =>
  Effect.die(
    new Unavailable({
      what: "database",
      reason: "busy",
      message: "Too many transactions of the account wait for it.",
      retryAfterSeconds: BUSY_RETRY_SECONDS
    })
  )
);

/** Ends in time even where the caller cannot be interrupted. */
const inTime: Restore = (waiting) =>
  Effect.raceFirst(
    Effect.interruptible(waiting),
    Effect.interruptible(Effect.andThen(Effect.sleep(TURN_WAIT_MS_MAX), tooBusy))
  );

export class AccountTransactions extends Context.Service<
  AccountTransactions,
  {
    /**
     * The statements in one transaction.
     *
     * @dies Unavailable when the account's turn does not come in time
     */
    readonly run: <A, E, R>(
      accountId: string,
      statements: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SqlError, R>;
  }
>()("@winnow/adapters/postgres/AccountTransactions") {
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
                permits.take(accountId, (waiting) => restore(inTime(waiting))),
                (giveBack) => Effect.ensuring(restore(sql.withTransaction(statements)), giveBack)
              )
            )
        });
      })
    );
}
