/**
 * Plans: what their accounts may do and what runs cost them (contract 11, "Plans"). The plan `default` is the
 * specification; an account may have limits of its own besides.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as Struct from "effect/Struct";
import type { Account, FormerPlan } from "./Account.ts";
import { readFields, refuse, shown } from "./BodyFields.ts";
import { DEFAULT_LIMITS, LimitsGiven, type PlanLimits } from "./PlanLimits.ts";
import { DEFAULT_RATES, FREE_RATES, Rates } from "./Rates.ts";
import type { InvalidRequest } from "./Refusal.ts";
import { isJsonObject } from "./SchemaRules.ts";

/** The plan of every account that was given none, or one that is not there any more. */
export const DEFAULT_PLAN = "default";

/** How long a price that was quoted holds after plans have changed. */
export const QUOTED_PRICE_HOLDS_MS = 10 * 60 * 1_000;

export interface Plan {
  readonly limits: PlanLimits;
  readonly rates: Rates;
}

export type PlanTable = ReadonlyMap<string, Plan>;

/** The plans of now, and earlier ones until their prices hold no more. */
export interface PlanBook {
  readonly plans: PlanTable;
  readonly earlier: ReadonlyArray<{ readonly plans: PlanTable; readonly replacedAtMs: number }>;
}

/** An account's own: its plan's limits with its own over them, and the rates it may be debited at. */
export interface AccountPlan {
  readonly name: string;
  readonly limits: PlanLimits;
  /** Of now; what a probe quotes. */
  readonly rates: Rates;
  /** Those that somebody may have been quoted in the last ten minutes. */
  readonly quotedRates: ReadonlyArray<Rates>;
}

/** Days that results and files are kept, by plan; an account's own limit comes before its plan's. */
export interface Retention {
  readonly defaultDays: number;
  readonly daysByPlan: Readonly<Record<string, number>>;
}

export const SPECIFICATION: Plan = { limits: DEFAULT_LIMITS, rates: DEFAULT_RATES };

export const bookOf = (plans: PlanTable): PlanBook => ({ plans, earlier: [] });

export const SPECIFICATION_BOOK: PlanBook = bookOf(new Map([[DEFAULT_PLAN, SPECIFICATION]]));

/** Plans were read again: those of before keep their prices for what was quoted. */
export const replaced = ({ plans, earlier }: PlanBook, by: PlanTable, nowMs: number): PlanBook => ({
  plans: by,
  earlier: [...earlier, { plans, replacedAtMs: nowMs }].filter(
    ({ replacedAtMs }) => nowMs - replacedAtMs < QUOTED_PRICE_HOLDS_MS
  )
});

const planIn = (plans: PlanTable, name: string): Plan =>
  plans.get(name) ?? plans.get(DEFAULT_PLAN) ?? SPECIFICATION;

type Planned = Pick<Account, "plan" | "limits" | "planBefore">;

/** Plans that the account was on in the last ten minutes, the latest first, each once. */
export const formerPlans = (
  { planBefore }: Pick<Account, "planBefore">,
  nowMs: number
): ReadonlyArray<FormerPlan> =>
  planBefore === undefined
    ? []
    : [{ plan: planBefore.plan, changedAtMs: planBefore.changedAtMs }, ...(planBefore.earlier ?? [])].filter(
        ({ changedAtMs }) => nowMs - changedAtMs < QUOTED_PRICE_HOLDS_MS
      );

export const planOf = (
  { plans, earlier }: PlanBook,
  { plan = DEFAULT_PLAN, limits = {}, ...account }: Planned,
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

/** A limit of every plan by name, for a store that counts or deletes by it. */
export const limitByPlan = ({ plans }: PlanBook, limit: keyof PlanLimits): Record<string, number> =>
  Object.fromEntries([...plans].map(([name, { limits }]) => [name, limits[limit]]));

export const retentionOf = (book: PlanBook): Retention => ({
  defaultDays: planIn(book.plans, DEFAULT_PLAN).limits.retentionDays,
  daysByPlan: limitByPlan(book, "retentionDays")
});

const PricesGiven = Rates.mapFields(Struct.map(Schema.optionalKey));

const PlanFields = Schema.Struct({ ...LimitsGiven.fields, prices: Schema.optionalKey(Schema.Unknown) });

const PLAN_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/u;

/** Plans by name, as an operator writes them: the file of `WINNOW_PLANS`, or `createWinnow({ plans })`. */
export type PlansGiven = Readonly<
  Record<string, LimitsGiven & { readonly prices?: "free" | typeof PricesGiven.Type }>
>;

const ratesOf = (prices: PlansGiven[string]["prices"], base: Rates): Rates =>
  prices === "free" ? FREE_RATES : prices === undefined ? base : { ...base, ...prices };

/** What is absent in a plan is `default`'s, and what is absent in that is the server's. */
export const plansFrom = (given: PlansGiven, server: PlanLimits = DEFAULT_LIMITS): PlanTable => {
  const { prices, ...limits } = given[DEFAULT_PLAN] ?? {};
  const base: Plan = { limits: { ...server, ...limits }, rates: ratesOf(prices, DEFAULT_RATES) };
  const others = Object.entries(given).map(([name, { prices: own, ...numbers }]): [string, Plan] => [
    name,
    { limits: { ...base.limits, ...numbers }, rates: ratesOf(own, base.rates) }
  ]);
  return new Map([...others, [DEFAULT_PLAN, base]]);
};

const readPlan = (body: unknown): Result.Result<PlansGiven[string], InvalidRequest> =>
  Result.gen(function* () {
    const { prices, ...limits } = yield* readFields(PlanFields, body);
    if (prices === undefined) return limits;
    if (prices === "free") return { ...limits, prices };
    return isJsonObject(prices)
      ? { ...limits, prices: yield* readFields(PricesGiven, prices) }
      : yield* refuse("prices", '`prices` must be "free" or an object of prices.');
  });

/** Fails with a sentence that names the plan and the field. */
export const readPlans = (json: unknown): Result.Result<PlansGiven, string> => {
  if (!isJsonObject(json)) return Result.fail("Plans must be a JSON object of plans by name.");
  const plans: Record<string, PlansGiven[string]> = {};
  for (const [name, body] of Object.entries(json)) {
    if (!PLAN_NAME.test(name)) {
      return Result.fail(`The name of plan "${shown(name)}" must be 1 to 64 of a-z, 0-9, _ and -.`);
    }
    const plan = readPlan(body);
    if (Result.isFailure(plan)) return Result.fail(`Plan "${name}": ${plan.failure.message}`);
    plans[name] = plan.success;
  }
  return Result.succeed(plans);
};
