/**
 * Plans: limits and rates of accounts. The plan `default` is what `docs/contract.md` states; an account
 * may override limits.
 */
import * as Records from "effect/Record";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as Struct from "effect/Struct";
import { MAX_DURATION_SECONDS } from "../source/SourceFacts.ts";
import { WEBHOOK_ENDPOINTS_MAX } from "../webhook/WebhookEndpoint.ts";
import type { Account, FormerPlan } from "./Account.ts";
import { quotedText, readFields, refuse } from "../request/BodyFields.ts";
import { DEFAULT_RATES, FREE_RATES, RATE_CREDITS_MAX, Rates } from "./Rates.ts";
import type { InvalidRequest } from "../request/Refusal.ts";
import { isJsonObject } from "../text/Json.ts";

/** Extractions of an account that may be `pending` or `running` at once; further ones wait as `queued`. */
export const SLOTS_MAX = 2;

/** Extractions of an account that may wait, unless the operator sets another number. */
export const WAITING_MAX_DEFAULT = 1_000;

interface Limit {
  /** Of the plan `default`, unless the operator sets another number. */
  readonly byDefault: number;
  readonly min: number;
  readonly max: number;
}

const LIMITS = {
  runningMax: { byDefault: SLOTS_MAX, min: 1, max: 1_000 },
  waitingMax: { byDefault: WAITING_MAX_DEFAULT, min: 0, max: 1_000_000 },
  submitsPerMinute: { byDefault: 6, min: 0, max: 1_000_000 },
  probesPerMinute: { byDefault: 10, min: 0, max: 1_000_000 },
  readsPerMinute: { byDefault: 60, min: 0, max: 1_000_000 },
  othersPerMinute: { byDefault: 60, min: 0, max: 1_000_000 },
  maxDurationSec: { byDefault: MAX_DURATION_SECONDS, min: 1, max: 86_400 },
  retentionDays: { byDefault: 30, min: 1, max: 3_650 },
  webhookEndpointsMax: { byDefault: WEBHOOK_ENDPOINTS_MAX, min: 0, max: 1_000 }
} satisfies { readonly [name: string]: Limit };

const whole = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** The numeric limits of an account. */
export const PlanLimits = Schema.Struct(Records.map(LIMITS, () => whole)).annotate({
  identifier: "PlanLimits"
});
export type PlanLimits = typeof PlanLimits.Type;

export const DEFAULT_LIMITS: PlanLimits = Records.map(LIMITS, ({ byDefault }) => byDefault);

/** Requests of one kind in a minute. */
export type RequestLimit = "submitsPerMinute" | "probesPerMinute" | "readsPerMinute" | "othersPerMinute";

const between = ({ min, max }: Limit) =>
  Schema.Int.check(
    Schema.makeFilter(
      (value: number) =>
        value >= min && value <= max ? undefined : `must be a whole number from ${min} to ${max}`,
      { toJsonSchema: () => ({ minimum: min, maximum: max }) }
    )
  );

/** The range of each limit that a server supports. */
const Ranges = Schema.Struct(Records.map(LIMITS, between));

/** Some of the limits, as an operator writes them. */
export const LimitsGiven = Ranges.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "LimitsGiven"
});
export type LimitsGiven = typeof LimitsGiven.Type;

/** Limit overrides of an account; null removes one. */
export const LimitsChange = Ranges.mapFields(Struct.map(Schema.NullOr))
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "LimitsChange" });
export type LimitsChange = typeof LimitsChange.Type;

/** The plan of accounts without a plan, or with one that no longer exists. */
export const DEFAULT_PLAN = "default";

/** How long a quoted price remains valid after plans change. */
export const QUOTED_PRICE_HOLDS_MS = 10 * 60 * 1_000;

export interface Plan {
  readonly limits: PlanLimits;
  readonly rates: Rates;
}

export type PlanTable = ReadonlyMap<string, Plan>;

/** Current plans, and earlier ones while their prices are still valid. */
export interface PlanBook {
  readonly plans: PlanTable;
  readonly earlier: ReadonlyArray<{ readonly plans: PlanTable; readonly replacedAtMs: number }>;
}

/**
 * The effective plan of an account: its plan's limits with its own overrides, and the rates it may be debited at.
 */
export interface AccountPlan {
  readonly name: string;
  readonly limits: PlanLimits;
  /** Current rates; a probe quotes these. */
  readonly rates: Rates;
  /** Rates that may have been quoted in the last ten minutes. */
  readonly quotedRates: ReadonlyArray<Rates>;
}

/** Retention of results and files in days by plan; an account's own limit takes precedence. */
export interface Retention {
  readonly defaultDays: number;
  readonly daysByPlan: Readonly<Record<string, number>>;
}

const BUILT_IN_PLAN: Plan = { limits: DEFAULT_LIMITS, rates: DEFAULT_RATES };

export const bookOf = (plans: PlanTable): PlanBook => ({ plans, earlier: [] });

export const BUILT_IN_PLANS: PlanBook = bookOf(new Map([[DEFAULT_PLAN, BUILT_IN_PLAN]]));

/** Applies reloaded plans; the prices of the previous ones stay valid for recent quotes. */
export const replaced = ({ plans, earlier }: PlanBook, by: PlanTable, nowMs: number): PlanBook => ({
  plans: by,
  earlier: [...earlier, { plans, replacedAtMs: nowMs }].filter(
    ({ replacedAtMs }) => nowMs - replacedAtMs < QUOTED_PRICE_HOLDS_MS
  )
});

/** Nothing has a price, in any plan. */
export const isFree = ({ plans }: PlanBook): boolean =>
  [...plans.values()].every(({ rates }) => Object.values(rates).every((rate) => rate === 0));

const planIn = (plans: PlanTable, name: string): Plan =>
  plans.get(name) ?? plans.get(DEFAULT_PLAN) ?? BUILT_IN_PLAN;

type Planned = Pick<Account, "plan" | "limits" | "plansBefore">;

/** Of an account whose plan nobody chose. */
export const UNPLANNED: Planned = { plan: DEFAULT_PLAN, limits: {}, plansBefore: [] };

/** Plans of the account in the last ten minutes, newest first, without duplicates. */
export const formerPlans = (
  { plansBefore }: Pick<Account, "plansBefore">,
  nowMs: number
): ReadonlyArray<FormerPlan> =>
  plansBefore.filter(({ changedAtMs }) => nowMs - changedAtMs < QUOTED_PRICE_HOLDS_MS);

export const planOf = (
  { plans, earlier }: PlanBook,
  { plan, limits, ...account }: Planned,
  nowMs: number
): AccountPlan => {
  const current = planIn(plans, plan);
  const names = [plan, ...formerPlans(account, nowMs).map((former) => former.plan)];
  const tables = [
    plans,
    ...earlier
      .filter(({ replacedAtMs }) => nowMs - replacedAtMs < QUOTED_PRICE_HOLDS_MS)
      .map((before) => before.plans)
  ];
  const quoted = tables.flatMap((table) => names.map((name) => planIn(table, name).rates));
  return {
    name: plans.has(plan) ? plan : DEFAULT_PLAN,
    limits: { ...current.limits, ...limits },
    rates: current.rates,
    quotedRates: [...new Set(quoted)].filter((rates) => rates !== current.rates)
  };
};

/** One limit of every plan, for a store that counts or deletes by it. */
export const limitByPlan = ({ plans }: PlanBook, limit: keyof PlanLimits): Record<string, number> =>
  Object.fromEntries([...plans].map(([name, { limits }]) => [name, limits[limit]]));

export const retentionOf = (book: PlanBook): Retention => ({
  defaultDays: planIn(book.plans, DEFAULT_PLAN).limits.retentionDays,
  daysByPlan: limitByPlan(book, "retentionDays")
});

const PricesGiven = Rates.mapFields(Struct.map(Schema.optionalKey));

const PlanFields = Schema.Struct({ ...LimitsGiven.fields, prices: Schema.optionalKey(Schema.Unknown) });

const PLAN_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/u;

/** Plans by name as an operator writes them: the file of `WINNOW_PLANS`, or `createWinnow({ plans })`. */
export type PlansGiven = Readonly<
  Record<string, LimitsGiven & { readonly prices?: "free" | typeof PricesGiven.Type }>
>;

const ratesOf = (prices: PlansGiven[string]["prices"], base: Rates): Rates =>
  prices === "free" ? FREE_RATES : prices === undefined ? base : { ...base, ...prices };

/** Missing fields of a plan are taken from `default`, and missing fields of `default` from the server. */
export const plansFrom = (given: PlansGiven, server: PlanLimits = DEFAULT_LIMITS): PlanTable => {
  const { prices, ...limits } = given[DEFAULT_PLAN] ?? {};
  const base: Plan = { limits: { ...server, ...limits }, rates: ratesOf(prices, DEFAULT_RATES) };
  const others = Object.entries(given).map(([name, { prices: own, ...numbers }]): [string, Plan] => [
    name,
    { limits: { ...base.limits, ...numbers }, rates: ratesOf(own, base.rates) }
  ]);
  return new Map([...others, [DEFAULT_PLAN, base]]);
};

const readPrices = (prices: object): Result.Result<typeof PricesGiven.Type, InvalidRequest> =>
  Result.gen(function* () {
    const rates = yield* readFields(PricesGiven, prices, { name: "the prices of a plan", path: "prices." });
    const [name] = Object.entries(rates).find(([, rate]) => rate > RATE_CREDITS_MAX) ?? [];
    return name === undefined
      ? rates
      : yield* refuse("prices", `\`prices.${name}\`: must be ${RATE_CREDITS_MAX} credits or less.`);
  });

const readPlan = (body: unknown): Result.Result<PlansGiven[string], InvalidRequest> =>
  Result.gen(function* () {
    const { prices, ...limits } = yield* readFields(PlanFields, body, { name: "a plan", path: "" });
    if (prices === undefined) return limits;
    if (prices === "free") return { ...limits, prices };
    return isJsonObject(prices)
      ? { ...limits, prices: yield* readPrices(prices) }
      : yield* refuse("prices", '`prices` must be "free" or an object of prices.');
  });

/** Fails with a sentence that names the plan and the field. */
export const readPlans = (json: unknown): Result.Result<PlansGiven, string> => {
  if (!isJsonObject(json)) return Result.fail("Plans must be a JSON object of plans by name.");
  const plans: Record<string, PlansGiven[string]> = {};
  for (const [name, body] of Object.entries(json)) {
    if (!PLAN_NAME.test(name)) {
      return Result.fail(`The name of plan "${quotedText(name)}" must be 1 to 64 of a-z, 0-9, _ and -.`);
    }
    if (!isJsonObject(body)) return Result.fail(`Plan "${name}" must be a JSON object.`);
    const plan = readPlan(body);
    if (Result.isFailure(plan)) return Result.fail(`Plan "${name}": ${plan.failure.message}`);
    plans[name] = plan.success;
  }
  return Result.succeed(plans);
};
