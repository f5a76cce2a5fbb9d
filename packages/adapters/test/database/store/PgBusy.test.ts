// @module-tag long
/** A row that is locked for long: other callers of the account get an error, and other accounts are not affected. */
import { assert, layer as withLayer } from "@effect/vitest";
import { decideSubmit } from "@winnow/core/domain/run/Submission";
import { Store } from "@winnow/core/ports/Store";
import { findUnavailable } from "@winnow/core/ports/Unavailable";
import { sampleAccount, sampleSubmit } from "@winnow/testing/samples/samples";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgJobQueue from "../../../src/database/queue/PgJobQueue.ts";
import { AccountTransactions } from "../../../src/database/store/AccountTransactions.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import * as PgStore from "../../../src/database/store/PgStore.ts";
import { orUnavailable } from "../../../src/database/store/StorageFault.ts";
import { TestPostgres } from "./TestPostgres.ts";

/** More calls for one account than there are connections. */
const WAITING = PgConnection.CONNECTIONS_MAX_DEFAULT + 5;

const storeOn = (url: Redacted.Redacted, timeouts: Partial<PgConnection.ConnectionTimeouts>) =>
  PgStore.layer.pipe(
    Layer.provideMerge(PgJobQueue.layer()),
    Layer.provideMerge(PgConnection.layer({ url, timeouts }))
  );

const accountIn = (store: Store["Service"]) =>
  Effect.gen(function* () {
    const account = sampleAccount({ balance: 1_000_000 });
    yield* store.createAccount(account);
    return account.id;
  });

/** A transaction that locks the account's row and then does nothing until the scope closes. */
const freeze = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, accountId: string) {
  const held = yield* Deferred.make<void>();
  const frozen = sql`select 1 from winnow.account where id = ${accountId} for update`.pipe(
    Effect.andThen(Deferred.succeed(held, undefined)),
    Effect.andThen(Effect.never),
    sql.withTransaction
  );
  const fiber = yield* Effect.forkScoped(frozen);
  yield* Deferred.await(held);
  return fiber;
});

const submit = (store: Store["Service"], accountId: string) =>
  store.transact(accountId, decideSubmit(sampleSubmit(accountId)));

withLayer(TestPostgres.layer, { excludeTestServices: true })("PgStore beside a frozen transaction", (it) => {
  /** An account with a locked row and another account, in a store with this lock timeout. */
  const besideFrozen = Effect.fnUntraced(function* (lockMs: number) {
    const { url } = yield* (yield* TestPostgres).migratedDatabase;
    const context = yield* Layer.build(storeOn(url, { lockMs, idleInTransactionMs: 0 }));
    const store = Context.get(context, Store);
    const [locked, free] = [yield* accountIn(store), yield* accountIn(store)];
    const other = yield* Layer.build(PgConnection.layer({ url, timeouts: { idleInTransactionMs: 0 } }));
    yield* freeze(Context.get(other, SqlClient.SqlClient), locked);
    const waiting = yield* Effect.forEach(Array.from({ length: WAITING }), () =>
      Effect.forkChild(Effect.exit(submit(store, locked)), { startImmediately: true })
    );
    return { store, locked, free, waiting };
  });

  it.effect("a transaction waiting for the row delays no other account, and no read", () =>
    Effect.gen(function* () {
      const { store, locked, free, waiting } = yield* besideFrozen(60_000);
      for (let index = 0; index < 10; index++) {
        yield* submit(store, free);
        yield* store.getAccount(locked);
        yield* store.getActivity(locked);
      }
      assert.isTrue(waiting.every((fiber) => fiber.pollUnsafe() === undefined));
      yield* Effect.forEach(waiting, Fiber.interrupt, { concurrency: "unbounded" });
    }).pipe(Effect.scoped)
  );

  it.effect("a transaction that waits too long for the row fails as busy", () =>
    Effect.gen(function* () {
      const { waiting } = yield* besideFrozen(500);
      for (const exit of yield* Effect.forEach(waiting, Fiber.join)) {
        const unavailable = Exit.isFailure(exit) ? findUnavailable(exit.cause) : null;
        assert.strictEqual(unavailable?.reason, "busy");
      }
    }).pipe(Effect.scoped)
  );

  it.effect("an idle transaction is ended by the server", () =>
    Effect.gen(function* () {
      const { url } = yield* (yield* TestPostgres).migratedDatabase;
      const timeouts = { idleInTransactionMs: 300 };
      const frozen = yield* Layer.build(PgConnection.layer({ url, timeouts }));
      const context = yield* Layer.build(storeOn(url, {}));
      const store = Context.get(context, Store);
      const accountId = yield* accountIn(store);
      yield* freeze(Context.get(frozen, SqlClient.SqlClient), accountId);
      const { value } = yield* submit(store, accountId);
      assert.strictEqual(value.extraction.status, "pending");
    }).pipe(Effect.scoped)
  );

  it.effect("an unavailable database is reported as such, in a transaction and in a read", () =>
    Effect.gen(function* () {
      const { url } = yield* (yield* TestPostgres).migratedDatabase;
      const context = yield* Layer.build(storeOn(url, {}));
      const store = Context.get(context, Store);
      const accountId = yield* accountIn(store);
      const sql = Context.get(context, SqlClient.SqlClient);
      const dying = yield* Effect.exit(orUnavailable(sql`select pg_terminate_backend(pg_backend_pid())`));
      const admin = yield* Layer.build(PgConnection.layer({ url }));
      const locking = sql`select pg_terminate_backend(pg_backend_pid())`;
      const transacting = yield* Effect.exit(
        orUnavailable(Context.get(admin, AccountTransactions).run(accountId, locking))
      );
      for (const exit of [dying, transacting]) {
        assert.strictEqual(Exit.isFailure(exit) ? findUnavailable(exit.cause)?.reason : null, "away");
      }
      yield* submit(store, accountId);
    }).pipe(Effect.scoped)
  );
});
