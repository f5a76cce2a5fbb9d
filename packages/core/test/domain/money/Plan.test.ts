import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { decideAccountChange, decidePromotion } from "../../../src/domain/run/AccountDecisions.ts";
import {
  bookOf,
  DEFAULT_LIMITS,
  type PlanBook,
  planOf,
  UNPLANNED,
  plansFrom,
  type PlansGiven,
  QUOTED_PRICE_HOLDS_MS,
  readPlans,
  replaced
} from "../../../src/domain/money/Plan.ts";
import { DEFAULT_RATES, FREE_RATES } from "../../../src/domain/money/Rates.ts";
import { decideSettle, decideStart } from "../../../src/domain/result/Settlement.ts";
import { decideSubmit } from "../../../src/domain/run/Submission.ts";
import { sampleFacts, sampleRequest, sampleResult, sampleSubmit } from "@winnow/testing/samples/samples";
import { MemoryAccount } from "../run/MemoryAccount.ts";

const START_MS = 1_700_000_000_000;

const given = (plans: PlansGiven): PlanBook => bookOf(plansFrom(plans));

const faultOf = (json: unknown): string => {
  const read = readPlans(json);
  return Result.isFailure(read) ? read.failure : assert.fail("it was accepted");
};

const accountOn = (book: PlanBook, credits = 10_000): MemoryAccount => {
  const model = new MemoryAccount(credits);
  model.book = book;
  model.nowMs = START_MS;
  return model;
};

const submit = (model: MemoryAccount, over: Parameters<typeof sampleSubmit>[1] = {}) =>
  Result.getOrThrow(model.transact(decideSubmit(sampleSubmit("acc_1", over)))).value.extraction;

const change = (model: MemoryAccount, what: Parameters<typeof decideAccountChange>[0]) =>
  Result.getOrThrow(model.decide(decideAccountChange(what, model.nowMs)));

const settle = (model: MemoryAccount, id: string) => {
  model.transact(decideStart(id, START_MS));
  const result = sampleResult(id, { facts: sampleFacts({ kind: "webpage", durationSeconds: null }) });
  const settled = decideSettle(id, { attempt: 1, nowMs: START_MS, ending: { result } });
  return Result.getOrThrow(model.transact(settled)).value;
};

describe("a file of plans", () => {
  it("may omit limits and prices: they come from `default`, else from the built-in plan", () => {
    const plans = plansFrom({
      default: { retentionDays: 10 },
      studio: { runningMax: 20, prices: { baseCredits: 25 } },
      trial: { prices: "free" }
    });
    assert.deepStrictEqual(plans.get("default"), {
      limits: { ...DEFAULT_LIMITS, retentionDays: 10 },
      rates: DEFAULT_RATES
    });
    assert.deepStrictEqual(plans.get("studio"), {
      limits: { ...DEFAULT_LIMITS, retentionDays: 10, runningMax: 20 },
      rates: { ...DEFAULT_RATES, baseCredits: 25 }
    });
    assert.deepStrictEqual(plans.get("trial")?.rates, FREE_RATES);
  });

  it("is accepted if it is valid", () => {
    const json = {
      studio: { runningMax: 20, prices: { aiTextCreditsPerSecond: 0.3 } },
      trial: { prices: "free" }
    };
    assert.deepStrictEqual(readPlans(json), Result.succeed(json as PlansGiven));
  });

  it.each([
    [[], "JSON object"],
    [{ "Big Plan": {} }, "Big Plan"],
    [{ studio: [] }, "studio"],
    [{ studio: { running: 3 } }, "running"],
    [{ studio: { runningMax: 0 } }, "runningMax"],
    [{ studio: { runningMax: 2.5 } }, "runningMax"],
    [{ studio: { retentionDays: "30" } }, "retentionDays"],
    [{ studio: { prices: "cheap" } }, "prices"],
    [{ studio: { prices: { baseCredits: -1 } } }, "baseCredits"],
    [{ studio: { prices: { audioCreditsPerSecond: 0.25 } } }, "0.1"],
    [{ studio: { prices: { base: 1 } } }, "`prices.base` is not a field of the prices of a plan"],
    [{ studio: { running: 3 } }, "`running` is not a field of a plan"],
    [{ studio: null }, 'Plan "studio" must be a JSON object'],
    [{ studio: { prices: { baseCredits: "1" } } }, "`prices.baseCredits`: must be a number"],
    [{ studio: { prices: { baseCredits: 1e12 } } }, "`prices.baseCredits`"],
    [{ studio: { prices: { videoCreditsPerSecond: 1e300 } } }, "`prices.videoCreditsPerSecond`"]
  ])("that is wrong is refused with the plan and the field: %j", (json, word) => {
    assert.include(faultOf(json), word);
  });
});

describe("an account's plan", () => {
  const book = given({ studio: { runningMax: 4, waitingMax: 5 }, trial: { prices: "free" } });

  it("is `default` if it has none or its plan was removed", () => {
    assert.deepStrictEqual(planOf(book, UNPLANNED, 0), {
      name: "default",
      limits: DEFAULT_LIMITS,
      rates: DEFAULT_RATES,
      quotedRates: []
    });
    assert.strictEqual(planOf(book, { ...UNPLANNED, plan: "gone" }, 0).name, "default");
  });

  it("is overridden by the account's own limits", () => {
    const { limits } = planOf(book, { ...UNPLANNED, plan: "studio", limits: { runningMax: 7 } }, 0);
    assert.deepStrictEqual(limits, { ...DEFAULT_LIMITS, runningMax: 7, waitingMax: 5 });
  });

  it("grants exactly its number of slots", () => {
    const model = accountOn(book);
    change(model, { plan: "studio" });
    const statuses = Array.from({ length: 6 }, () => submit(model).status);
    assert.deepStrictEqual(statuses, ["pending", "pending", "pending", "pending", "queued", "queued"]);
  });

  it("with a raised limit gives the new slots to waiting runs in order", () => {
    const model = accountOn(book);
    const ids = Array.from({ length: 9 }, () => submit(model).id);
    change(model, { limits: { runningMax: 5 } });
    assert.strictEqual(Result.getOrThrow(model.transact(decidePromotion)).value, 3);
    assert.strictEqual(Result.getOrThrow(model.transact(decidePromotion)).value, 0);
    assert.sameMembers(
      model.withStatus("pending").map(({ id }) => id),
      ids.slice(0, 5)
    );
  });

  it("with a raised limit does not let new runs overtake waiting ones", () => {
    const model = accountOn(book);
    const ids = Array.from({ length: 3 }, () => submit(model).id);
    change(model, { limits: { runningMax: 3 } });
    assert.strictEqual(submit(model).status, "queued");
    assert.strictEqual(model.find(ids[2] ?? "")?.status, "pending");
  });

  it("resets a limit with null and keeps the others", () => {
    const model = accountOn(book);
    change(model, { plan: "studio", limits: { runningMax: 9, retentionDays: 3 } });
    change(model, { limits: { runningMax: null } });
    assert.deepStrictEqual(model.account.limits, { retentionDays: 3 });
    assert.strictEqual(model.account.plan, "studio");
  });
});

describe("the rates of a plan", () => {
  const webpage = { kind: "webpage", title: null, durationSeconds: null, imageCount: 0 } as const;
  const cheap = { default: { prices: { baseCredits: 30 } } };
  const dear = { default: { prices: { baseCredits: 70 } } };

  it("of 0 debit nothing and write no ledger entry", () => {
    const model = accountOn(given({ default: { prices: "free" } }), 0);
    const done = settle(model, submit(model).id);
    assert.deepStrictEqual([done?.creditsDebited, done?.creditsRefunded, model.ledger], [0, 0, []]);
  });

  it("at the debit also settle the run, even if they changed since", () => {
    const model = accountOn(given(dear));
    const { id, creditsDebited } = submit(model, { request: sampleRequest({ modalities: ["transcript"] }) });
    assert.strictEqual(creditsDebited, 80);
    model.book = given({ default: { prices: "free" } });
    assert.strictEqual(settle(model, id)?.creditsRefunded, 10);
  });

  it("that were raised never debit more than a quote of the last ten minutes", () => {
    const model = accountOn(given(cheap));
    model.book = replaced(model.book, plansFrom(dear), model.nowMs);
    model.nowMs += QUOTED_PRICE_HOLDS_MS - 1;
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 30);
    model.nowMs += 1;
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 70);
  });

  it("that were lowered apply at once", () => {
    const model = accountOn(given(dear));
    model.book = replaced(model.book, plansFrom(cheap), model.nowMs);
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 30);
  });

  it("of all plans of the last ten minutes count, after any number of changes", () => {
    const model = accountOn(given({ default: cheap.default, studio: dear.default, gold: dear.default }));
    change(model, { plan: "studio" });
    model.nowMs += QUOTED_PRICE_HOLDS_MS / 2;
    change(model, { plan: "gold" });
    change(model, { plan: "studio" });
    change(model, { plan: "gold" });
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 30);
    model.nowMs += QUOTED_PRICE_HOLDS_MS / 2;
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 70);
    change(model, { plan: "default" });
    change(model, { plan: "gold" });
    assert.deepStrictEqual(model.account.plansBefore, [
      { plan: "default", changedAtMs: model.nowMs },
      { plan: "gold", changedAtMs: model.nowMs },
      { plan: "studio", changedAtMs: model.nowMs - QUOTED_PRICE_HOLDS_MS / 2 }
    ]);
  });

  it("of the previous plan count as long after an account changed its plan", () => {
    const model = accountOn(given({ default: cheap.default, studio: dear.default }));
    change(model, { plan: "studio" });
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 30);
    model.nowMs += QUOTED_PRICE_HOLDS_MS;
    assert.strictEqual(submit(model, { seen: webpage }).creditsDebited, 70);
  });
});
