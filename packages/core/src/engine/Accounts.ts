/**
 * Accounts, their API keys and what is paid in. Keys leave this module once, at their creation.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import type { Account } from "../domain/Account.ts";
import { API_KEY_RANDOM_BYTES, apiKeyFrom, hashApiKey, isApiKey } from "../domain/ApiKey.ts";
import type { Credits } from "../domain/Credits.ts";
import { NotFound } from "../domain/Refusal.ts";
import { decideTopUp, TopUpCredits } from "../domain/TopUp.ts";
import { Store } from "../ports/Store.ts";
import { makeId, systemRandomBytes } from "./Ids.ts";

/** A key at its creation, the only time that it is shown. */
export interface CreatedApiKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Without credits. */
    readonly create: (name: string) => Effect.Effect<Account>;

    readonly get: (id: string) => Effect.Effect<Account, NotFound>;

    readonly createApiKey: (accountId: string, name: string) => Effect.Effect<CreatedApiKey, NotFound>;

    /** Counts at once. Revoking again is fine. */
    readonly revokeApiKey: (id: string) => Effect.Effect<void, NotFound>;

    /**
     * Answers the balance afterwards; the first top-up of an account adds its bonus. Dies when `credits`
     * is not of domain/TopUp's TopUpCredits.
     */
    readonly topUp: (accountId: string, credits: Credits) => Effect.Effect<Credits, NotFound>;

    /** The account that a key speaks for. The store is not asked about what cannot be a key. */
    readonly authenticate: (key: string) => Effect.Effect<Option.Option<string>>;
  }
>()("@winnow/core/engine/Accounts") {}

const newAccount = Effect.fnUntraced(function* (name: string) {
  const account: Account = {
    id: yield* makeId("acc"),
    name,
    balance: 0,
    slotsUsed: 0,
    bonusGranted: false,
    createdAtMs: yield* Clock.currentTimeMillis
  };
  return account;
});

const make = Effect.gen(function* () {
  const store = yield* Store;

  return Accounts.of({
    create: Effect.fn("Accounts.create")(function* (name) {
      const account = yield* newAccount(name);
      yield* store.createAccount(account);
      return account;
    }),

    get: Effect.fn("Accounts.get")(function* (id) {
      const account = yield* store.getAccount(id);
      return yield* Effect.mapError(Effect.fromOption(account), () => new NotFound({ what: "account" }));
    }),

    createApiKey: Effect.fn("Accounts.createApiKey")(function* (accountId, name) {
      const id = yield* makeId("key");
      const key = apiKeyFrom(yield* systemRandomBytes(API_KEY_RANDOM_BYTES));
      const createdAtMs = yield* Clock.currentTimeMillis;
      yield* store.createApiKey({ id, accountId, name, hash: hashApiKey(key), createdAtMs });
      return { id, name, key };
    }),

    revokeApiKey: Effect.fn("Accounts.revokeApiKey")(function* (id) {
      if (!(yield* store.revokeApiKey(id))) return yield* new NotFound({ what: "API key" });
    }),

    topUp: Effect.fn("Accounts.topUp")(function* (accountId, credits) {
      const valid = yield* Effect.orDie(Schema.decodeEffect(TopUpCredits)(credits));
      const nowMs = yield* Clock.currentTimeMillis;
      return yield* store.transact(accountId, {}, decideTopUp(valid, nowMs));
    }),

    authenticate: Effect.fn("Accounts.authenticate")(function* (key) {
      if (!isApiKey(key)) return Option.none();
      const record = yield* store.findApiKey(hashApiKey(key));
      return Option.map(record, ({ accountId }) => accountId);
    })
  });
});

export const layer: Layer.Layer<Accounts, never, Store> = Layer.effect(Accounts, make);
