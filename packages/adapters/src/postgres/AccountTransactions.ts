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
      message: "Too many transactions are waiting for the account.",
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

/** What is told to others once the transaction around it is committed; null outside of one. */
export const Afterwards = Context.Reference<Array<Effect.Effect<void>> | null>(
  "@winnow/adapters/postgres/Afterwards",
  { defaultValue: () => null }
);

/** At once where there is no transaction to wait for; never when it is rolled back. */
export const afterwards = (tell: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Afterwards, (list) => {
    if (list === null) return tell;
    if (!list.includes(tell)) list.push(tell);
    return Effect.void;
  });

/** The statements in one transaction, then what they left for {@link afterwards}. */
export const committed = <A, E, R>(
  sql: SqlClient.SqlClient,
  statements: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.suspend(() => {
    const list: Array<Effect.Effect<void>> = [];
    return Effect.tap(Effect.provideService(sql.withTransaction(statements), Afterwards, list), () =>
      Effect.forEach(list, (tell) => tell, { discard: true })
    );
  });

export class AccountTransactions extends Context.Service<
  AccountTransactions,
  {
    /**
     * The statements in one transaction, then what they left for {@link afterwards}.
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
                (giveBack) => Effect.ensuring(restore(committed(sql, statements)), giveBack)
              )
            )
        });
      })
    );
}
