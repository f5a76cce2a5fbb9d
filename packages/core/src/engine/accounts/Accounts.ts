/** Accounts, their API keys and top-ups. API keys are returned once, when they are created. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { DAY_MS } from "../../domain/Durations.ts";
import type { Account } from "../../domain/money/Account.ts";
import { decideAccountChange, type AccountChange, decideTopUp } from "../../domain/run/AccountDecisions.ts";
import {
  API_KEY_RANDOM_BYTES,
  API_KEYS_MAX,
  apiKeyFrom,
  apiKeyStart,
  hashApiKey,
  keyHolderOf,
  isApiKey,
  type ApiKeyRecord,
  type KeyHolder
} from "../../domain/access/ApiKey.ts";
import { quotedText } from "../../domain/request/BodyFields.ts";
import type { Credits } from "../../domain/money/Credits.ts";
import { pageOf, readCursor, type Page, type PageRequest } from "../../domain/request/Cursor.ts";
import { readKeyedRequest } from "../../domain/request/Idempotency.ts";
import type { LedgerEntry } from "../../domain/money/Ledger.ts";
import {
  type AccountPlan,
  DEFAULT_PLAN,
  type PlanBook,
  type PlanLimits,
  planOf,
  UNPLANNED
} from "../../domain/money/Plan.ts";
import { InvalidRequest, NotFound, type Conflict } from "../../domain/request/Refusal.ts";
import { topUpKey, TopUpCredits } from "../../domain/money/Payment.ts";
import {
  dayOf,
  usageByKey,
  usageBySchema,
  usageByPart,
  usageDays,
  usagePeriod,
  type KeyUsage,
  type PartUsage,
  type SchemaUsage,
  type UsageDay
} from "../../domain/run/Usage.ts";
import { Plans } from "../../ports/Plans.ts";
import { Store } from "../../ports/Store.ts";
import { accountPlan, promoteWaiting } from "./AccountPlans.ts";
import { makeId, systemRandomBytes } from "../Ids.ts";

/** A new key; the only time its token is shown. */
export interface CreatedApiKey extends Omit<ApiKeyRecord, "hash" | "lastUsedAtMs"> {
  readonly key: string;
}

/** An account and the numbers of its live extractions, from one snapshot. */
export interface AccountActivity {
  readonly account: Account;
  /** Pending and running extractions, which occupy slots. */
  readonly runningCount: number;
  readonly queuedCount: number;
  /** The account's limits, and the name of its plan. */
  readonly plan: string;
  readonly limits: PlanLimits;
}

export interface NamedKeyUsage extends KeyUsage {
  /** Null for requests without a key, and for a revoked one. */
  readonly apiKeyName: string | null;
}

export interface UsageReport {
  /** Oldest first, including days without usage. */
  readonly days: ReadonlyArray<UsageDay>;
  /** Only those used, the one that spent most first. */
  readonly keys: ReadonlyArray<NamedKeyUsage>;
  /** Of the library, only those used, the one that cost most first; null if none was. */
  readonly bySchema: ReadonlyArray<SchemaUsage> | null;
  /** Parts of the price, the one that cost most first; null if nothing was debited. */
  readonly byPart: ReadonlyArray<PartUsage> | null;
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Without credits; `plan` must pass {@link checkPlan}, default `default`. */
    readonly create: (name: string, plan?: string) => Effect.Effect<Account>;

    /** @fails InvalidRequest {param:"plan"}: no such plan */
    readonly checkPlan: (plan: string) => Effect.Effect<void, InvalidRequest>;

    readonly get: (id: string) => Effect.Effect<Account, NotFound>;

    /** Newest first; `text` is an id or part of a name. @fails InvalidRequest {param:"cursor"} */
    readonly list: (
      page: PageRequest & { readonly text: string | null }
    ) => Effect.Effect<Page<Account>, InvalidRequest>;

    /**
     * Takes effect immediately: waiting runs get the additional slots of a raised limit.
     *
     * @fails InvalidRequest {param:"plan"}: no such plan
     */
    readonly change: (id: string, change: AccountChange) => Effect.Effect<Account, NotFound | InvalidRequest>;

    /** The account's limits, and the name of its plan. */
    readonly planFor: (account: Account) => Effect.Effect<AccountPlan>;

    /** For an unknown account: the default plan. */
    readonly planOf: (accountId: string) => Effect.Effect<AccountPlan>;

    readonly activity: (accountId: string) => Effect.Effect<AccountActivity, NotFound>;

    /** Of the last `days` days up to today, or of a month (`YYYY-MM`, UTC) up to today. */
    readonly usage: (accountId: string, days: number, month?: string) => Effect.Effect<UsageReport>;

    /** @fails InvalidRequest {param:"cursor"}: not a cursor of this list */
    readonly ledger: (
      accountId: string,
      page: PageRequest
    ) => Effect.Effect<Page<LedgerEntry>, InvalidRequest>;

    /**
     * @fails InvalidRequest {reason:"too_many_api_keys"}: the account already has {@link API_KEYS_MAX}. The limit
     * keeps lists short and is not exact: concurrent requests may exceed it. `createdBy` is the id of a member.
     */
    readonly createApiKey: (
      accountId: string,
      name: string,
      dailyCredits?: number | null,
      createdBy?: string | null
    ) => Effect.Effect<CreatedApiKey, NotFound | InvalidRequest>;

    /** Live keys, newest first. */
    readonly listApiKeys: (accountId: string) => Effect.Effect<ReadonlyArray<ApiKeyRecord>>;

    /** Takes effect immediately. For the operator: revokes any account's key. */
    readonly revokeApiKey: (id: string) => Effect.Effect<void, NotFound>;

    /** Takes effect immediately. NotFound for another account's key. */
    readonly revokeOwnApiKey: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /**
     * Returns the new balance; an account's first top-up adds the bonus. Repeating it with the same key adds
     * nothing and returns the current balance. Dies if `credits` is not valid for `TopUpCredits`.
     *
     * @fails InvalidRequest the key is invalid
     * @fails Conflict the key was used for another amount
     */
    readonly topUp: (
      accountId: string,
      credits: Credits,
      idempotencyKey?: string | null
    ) => Effect.Effect<Credits, NotFound | InvalidRequest | Conflict>;

    /** The account of a key. Malformed keys are rejected without a query. */
    readonly authenticate: (key: string) => Effect.Effect<Option.Option<KeyHolder>>;
  }
>()("@winnow/core/engine/accounts/Accounts") {}

const checkPlan = (book: PlanBook, plan: string): Effect.Effect<void, InvalidRequest> =>
  book.plans.has(plan)
    ? Effect.void
    : Effect.fail(
        new InvalidRequest({
          message: `Unknown plan \`${quotedText(plan)}\`: this server has ${[...book.plans.keys()].join(", ")}.`,
          details: { param: "plan", reason: "unknown_plan", plans: [...book.plans.keys()] }
        })
      );

const newAccount = Effect.fnUntraced(function* (name: string, plan = DEFAULT_PLAN) {
  const account: Account = {
    id: yield* makeId("acc"),
    name,
    balance: 0,
    owedCredits: 0,
    slotsUsed: 0,
    bonusGranted: false,
    ...UNPLANNED,
    plan,
    refundedModelUse: null,
    createdAtMs: yield* Clock.currentTimeMillis
  };
  return account;
});

const tooManyApiKeys = () =>
  new InvalidRequest({
    message: `The account already has ${API_KEYS_MAX} API keys; revoke one that is no longer used.`,
    details: { reason: "too_many_api_keys", maxApiKeys: API_KEYS_MAX }
  });

type ApiKeyMethods = "createApiKey" | "listApiKeys" | "revokeApiKey" | "revokeOwnApiKey" | "authenticate";

const makeApiKeys = (store: Store["Service"]): Pick<Accounts["Service"], ApiKeyMethods> => {
  const revokeApiKey = Effect.fn("Accounts.revokeApiKey")(function* (id: string) {
    if (!(yield* store.revokeApiKey(id))) return yield* NotFound.of("API key");
  });

  return {
    createApiKey: Effect.fn("Accounts.createApiKey")(function* (
      accountId,
      name,
      dailyCredits = null,
      createdBy = null
    ) {
      if ((yield* store.listApiKeys(accountId)).length >= API_KEYS_MAX) return yield* tooManyApiKeys();
      const id = yield* makeId("key");
      const key = apiKeyFrom(yield* systemRandomBytes(API_KEY_RANDOM_BYTES));
      const createdAtMs = yield* Clock.currentTimeMillis;
      const made = { id, accountId, name, start: apiKeyStart(key), dailyCredits, createdBy, createdAtMs };
      yield* store.createApiKey({ ...made, hash: hashApiKey(key), lastUsedAtMs: null });
      return { ...made, key };
    }),

    listApiKeys: store.listApiKeys,
    revokeApiKey,

    revokeOwnApiKey: Effect.fn("Accounts.revokeOwnApiKey")(function* (accountId, id) {
      const own = yield* store.listApiKeys(accountId);
      if (!own.some((record) => record.id === id)) return yield* NotFound.of("API key");
      yield* revokeApiKey(id);
    }),

    authenticate: Effect.fn("Accounts.authenticate")(function* (key) {
      if (!isApiKey(key)) return Option.none();
      const record = yield* store.findApiKey(hashApiKey(key), yield* Clock.currentTimeMillis);
      return Option.map(record, keyHolderOf);
    })
  };
};

/** Owner of the cursors in the list of accounts. */
const OPERATOR = "operator";

type ReadMethods = "get" | "list" | "usage" | "ledger";

const makeReads = (store: Store["Service"]): Pick<Accounts["Service"], ReadMethods> => ({
  get: Effect.fn("Accounts.get")(function* (id) {
    const account = yield* store.getAccount(id);
    return yield* Effect.mapError(Effect.fromOption(account), () => NotFound.of("account"));
  }),

  list: Effect.fn("Accounts.list")(function* ({ limit, cursor, text }) {
    const after = yield* Effect.fromResult(readCursor(OPERATOR, cursor, "accounts"));
    const found = yield* store.listAccounts({ after, limit: limit + 1, text });
    return pageOf(found, limit, { accountId: OPERATOR, list: "accounts" });
  }),

  usage: Effect.fn("Accounts.usage")(function* (accountId, lastDays, month) {
    const nowMs = yield* Clock.currentTimeMillis;
    const { days, untilMs } = usagePeriod({ days: lastDays, month }, nowMs);
    const sinceDay = dayOf(untilMs - (days - 1) * DAY_MS);
    const isWithin = ({ day }: Pick<UsageDay, "day">): boolean => day <= dayOf(untilMs);
    const counted = (yield* store.listUsage(accountId, sinceDay)).filter(isWithin);
    const bySchema = usageBySchema((yield* store.listSchemaUsage(accountId, sinceDay)).filter(isWithin));
    const byPart = usageByPart((yield* store.listPartUsage(accountId, sinceDay)).filter(isWithin));
    const names = new Map((yield* store.listApiKeys(accountId)).map(({ id, name }) => [id, name]));
    const keys = usageByKey(counted).map((used): NamedKeyUsage => ({
      ...used,
      apiKeyName: names.get(used.apiKeyId ?? "") ?? null
    }));
    return {
      days: usageDays(counted, days, untilMs),
      keys,
      bySchema: bySchema.length === 0 ? null : bySchema,
      byPart: byPart.length === 0 ? null : byPart
    };
  }),

  ledger: Effect.fn("Accounts.ledger")(function* (accountId, { limit, cursor }) {
    const after = yield* Effect.fromResult(readCursor(accountId, cursor, "ledger"));
    const found = yield* store.listLedger(accountId, { before: after?.id ?? null, limit: limit + 1 });
    return pageOf(found, limit, { accountId, list: "ledger" });
  })
});

const make = Effect.gen(function* () {
  const store = yield* Store;
  const { book } = yield* Plans;

  return Accounts.of({
    ...makeReads(store),
    ...makeApiKeys(store),

    checkPlan: (plan) => Effect.suspend(() => checkPlan(book(), plan)),

    create: Effect.fn("Accounts.create")(function* (name, plan) {
      const account = yield* newAccount(name, plan);
      yield* store.createAccount(account);
      return account;
    }),

    change: Effect.fn("Accounts.change")(
      function* (id, change) {
        if (change.plan !== undefined) yield* checkPlan(book(), change.plan);
        const nowMs = yield* Clock.currentTimeMillis;
        const { value } = yield* store.transact(id, decideAccountChange(change, nowMs));
        yield* promoteWaiting(id);
        return value;
      },
      Effect.provideService(Store, store)
    ),

    planOf: (accountId) => Effect.provideService(accountPlan(accountId), Store, store),

    activity: Effect.fn("Accounts.activity")(function* (accountId) {
      const found = Option.getOrUndefined(yield* store.getActivity(accountId));
      if (found === undefined) return yield* NotFound.of("account");
      const { account, queuedCount } = found;
      const { name: plan, limits } = planOf(book(), account, yield* Clock.currentTimeMillis);
      return { account, runningCount: account.slotsUsed, queuedCount, plan, limits };
    }),

    planFor: (account) => Effect.map(Clock.currentTimeMillis, (nowMs) => planOf(book(), account, nowMs)),

    topUp: Effect.fn("Accounts.topUp")(function* (accountId, credits, idempotencyKey = null) {
      const valid = yield* Effect.orDie(Schema.decodeEffect(TopUpCredits)(credits));
      const sent = yield* Effect.fromResult(readKeyedRequest(idempotencyKey, { credits }));
      const nowMs = yield* Clock.currentTimeMillis;
      const keyed = sent === null ? null : { ...sent, key: topUpKey(sent.key) };
      const { value } = yield* store.transact(accountId, decideTopUp(valid, nowMs, keyed));
      return value;
    })
  });
});

export const layer: Layer.Layer<Accounts, never, Store> = Layer.effect(Accounts, make);
