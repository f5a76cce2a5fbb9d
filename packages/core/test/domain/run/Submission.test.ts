import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { DEFAULT_INPUTS, MODALITIES } from "../../../src/domain/source/Modality.ts";
import { keyOfDeleted, keyOfOtherBody } from "../../../src/domain/request/Idempotency.ts";
import { InsufficientCredits } from "../../../src/domain/request/Refusal.ts";
import { decideSettle, decideStart, decideCancel } from "../../../src/domain/result/Settlement.ts";
import type { PricedFacts } from "../../../src/domain/source/SourceFacts.ts";
import {
  debitedPrice,
  decideSubmit,
  queueFull,
  ReusedResultMissing,
  type Submit
} from "../../../src/domain/run/Submission.ts";
import { decideTopUp } from "../../../src/domain/run/AccountDecisions.ts";
import { bookOf, plansFrom } from "../../../src/domain/money/Plan.ts";
import { DEFAULT_RATES, type Rates } from "../../../src/domain/money/Rates.ts";
import {
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSeen,
  sampleSubmit,
  sampleView,
  sampleAccount
} from "@winnow/testing/samples/samples";
import { Facts, intBetween, Selection } from "../Arbitraries.ts";
import { MemoryAccount } from "./MemoryAccount.ts";

const video: PricedFacts = { kind: "video", durationMs: 213_000, imageCount: 0 };

const funded = (credits = 10_000): MemoryAccount => new MemoryAccount(credits);

const submit = (model: MemoryAccount, over: Partial<Submit> = {}) =>
  Result.map(model.transact(decideSubmit(sampleSubmit("acc_1", over))), ({ value }) => value);
const submitted = (model: MemoryAccount, over: Partial<Submit> = {}) =>
  Result.getOrThrow(submit(model, over)).extraction;

const ai = sampleRequest({ mode: "ai", modalities: DEFAULT_INPUTS, schema: {} });

describe("a submit", () => {
  it("is debited its price and starts at once in a free slot", () => {
    const model = funded(200);
    const extraction = submitted(model, { id: "ext_1", request: ai, seen: sampleSeen(video) });
    assert.deepInclude(extraction, {
      id: "ext_1",
      status: "pending",
      creditsDebited: 187,
      creditsRefunded: 0
    });
    assert.strictEqual(model.account.balance, 13);
    assert.deepInclude(model.ledger.at(-1), {
      kind: "debit",
      credits: -187,
      extractionId: "ext_1",
      balanceAfter: 13
    });
  });

  it("waits while two others have the slots, and is debited", () => {
    const model = funded();
    const statuses = [1, 2, 3, 4].map(() => submitted(model).status);
    assert.deepStrictEqual(statuses, ["pending", "pending", "queued", "queued"]);
    assert.strictEqual(model.account.balance, 10_000 - 4 * 50);
  });

  it("with the last credit succeeds, and one more is refused with balance and cost", () => {
    const model = funded(50);
    submitted(model);
    assert.deepStrictEqual(submit(model), Result.fail(InsufficientCredits.of({ balance: 0, cost: 50 })));
  });

  it("beyond the queue limit is refused before any debit", () => {
    const model = funded();
    model.book = bookOf(plansFrom({ default: { waitingMax: 1 } }));
    for (let each = 0; each < 3; each++) submitted(model);
    assert.deepStrictEqual(submit(model), Result.fail(queueFull(1)));
    assert.strictEqual(model.account.balance, 10_000 - 3 * 50);
  });

  it("of unknown duration is debited for 300 s", () => {
    const model = funded();
    const request = sampleRequest({ mode: "ai", modalities: ["video"], schema: {} });
    assert.strictEqual(submitted(model, { request }).creditsDebited, 800);
  });
});

describe("an auto submit", () => {
  const auto = (maxSpendCredits: number) =>
    sampleRequest({ mode: "ai", modalities: MODALITIES, schema: {}, auto: true, maxSpendCredits });

  it("is debited for the most expensive rung within maxSpendCredits", () => {
    const model = funded();
    assert.strictEqual(submitted(model, { request: auto(762), seen: sampleSeen(video) }).creditsDebited, 762);
    assert.strictEqual(
      submitted(model, { request: auto(761.5), seen: sampleSeen(video) }).creditsDebited,
      443
    );
  });

  it("below the cheapest rung is refused and writes nothing", () => {
    const model = funded();
    const refused = submit(model, { request: auto(186), seen: sampleSeen(video) });
    assert.isTrue(Result.isFailure(refused));
    if (Result.isFailure(refused)) assert.deepInclude(refused.failure, { _tag: "InvalidRequest" });
    assert.lengthOf(model.extractions, 0);
  });
});

describe("a reused result", () => {
  const reuse = { extractionId: "ext_0", result: sampleResult("ext_0") };

  /** An account whose first extraction has ended, with the given credits left. */
  const withSource = (credits: number): MemoryAccount => {
    const model = funded(credits + 50);
    submitted(model, { id: "ext_0" });
    Result.getOrThrow(model.transact(decideStart("ext_0", 1)));
    const settle = decideSettle("ext_0", { attempt: 1, nowMs: 2, ending: { result: reuse.result } });
    Result.getOrThrow(model.transact(settle));
    return model;
  };

  it("costs nothing, needs no balance and no slot", () => {
    const model = withSource(100);
    submitted(model);
    submitted(model);
    const extraction = submitted(model, { reuse });
    assert.deepInclude(extraction, {
      status: "complete",
      creditsDebited: 0,
      cachedFrom: "ext_0",
      result: reuse.result
    });
    assert.isNotNull(extraction.completedAtMs);
    assert.strictEqual(model.account.balance, 0);
    assert.strictEqual(model.account.slotsUsed, 2);
  });

  it("keeps its idempotency key", () => {
    const model = withSource(0);
    const first = submitted(model, { reuse, idempotency: { key: "k", bodyDigest: "one" } });
    const again = Result.getOrThrow(submit(model, { idempotency: { key: "k", bodyDigest: "one" } }));
    assert.deepStrictEqual(again, { extraction: first, replayed: true });
  });

  it("is not available after its run was deleted", () => {
    const model = funded(100);
    assert.deepStrictEqual(submit(model, { reuse }), Result.fail(new ReusedResultMissing()));
    assert.lengthOf(model.extractions, 0);
  });
});

describe("the price of a run", () => {
  const rates = (credits: ReadonlyArray<number>): Rates =>
    Object.fromEntries(Object.keys(DEFAULT_RATES).map((name, index) => [name, credits[index] ?? 0])) as Rates;
  const Prices = Arbitrary.map(Arbitrary.array(intBetween(0, 60), { minLength: 10, maxLength: 10 }), rates);

  it.prop(
    "is what it was debited, at current prices or at lower ones that were quoted before",
    {
      facts: Facts,
      selection: Selection,
      more: Arbitrary.all({
        speech: Arbitrary.schema(Schema.Boolean),
        isFetched: Arbitrary.schema(Schema.Boolean),
        auto: Arbitrary.schema(Schema.Boolean),
        maxSpendCredits: intBetween(0, 200_000)
      }),
      now: Prices,
      before: Prices
    },
    ({ facts, selection, more, now, before }) => {
      const { isFetched, auto, speech, maxSpendCredits } = more;
      const request = sampleRequest({
        ...selection,
        auto,
        maxSpendCredits,
        speech,
        fromExtraction: isFetched ? { id: "ext_0", files: null } : null
      });
      const view = sampleView({ account: sampleAccount({ balance: Number.MAX_SAFE_INTEGER }) });
      const plan = { ...view.plan, rates: now, quotedRates: [before] };
      const { decide } = decideSubmit(sampleSubmit("acc_1", { request, seen: sampleSeen(facts) }));
      const decided = decide({ ...view, plan });
      if (Result.isFailure(decided)) return assert.isTrue(auto, decided.failure._tag);
      const { extraction } = decided.success.value;
      const told = debitedPrice(extraction);
      assert.deepStrictEqual(
        [told.credits, told.freshCredits, told.mode],
        [extraction.creditsDebited, extraction.creditsDebited, selection.mode]
      );
    },
    { arbitrary: { runs: 300 } }
  );

  it("that reused a result is 0, beside that of a fresh run", () => {
    const model = funded();
    const result = sampleResult("ext_0", { facts: sampleFacts({ durationSeconds: 213 }) });
    const source = submitted(model, { id: "ext_0", request: ai, seen: sampleSeen(video) });
    model.transact(decideStart(source.id, 1));
    model.transact(decideSettle(source.id, { attempt: 1, nowMs: 2, ending: { result } }));
    const reuse = { extractionId: source.id, result };
    const { credits, freshCredits, parts } = debitedPrice(submitted(model, { request: ai, reuse }));
    assert.deepStrictEqual(
      [credits, freshCredits, parts.base, parts.download],
      [0, 187, 0, { transcript: 0, comments: 0 }]
    );
  });
});

describe("an idempotency key", () => {
  const one = { key: "k", bodyDigest: "one" };

  it("sent twice with one body makes one extraction and one debit", () => {
    const model = funded();
    const first = submitted(model, { idempotency: one });
    const again = Result.getOrThrow(submit(model, { idempotency: one }));
    assert.deepStrictEqual(again, { extraction: first, replayed: true });
    assert.lengthOf(model.extractions, 1);
    assert.strictEqual(model.account.balance, 10_000 - 50);
  });

  it("replayed after the end returns the current extraction", () => {
    const model = funded();
    const first = submitted(model, { idempotency: one });
    model.transact(decideCancel(first.id, 1));
    const again = Result.getOrThrow(submit(model, { idempotency: one }));
    assert.deepInclude(again.extraction, { id: first.id, status: "failed", creditsDebited: 50 });
  });

  it("replayed with another body is a conflict", () => {
    const model = funded();
    submitted(model, { idempotency: one });
    const conflict = submit(model, { idempotency: { key: "k", bodyDigest: "two" } });
    assert.deepStrictEqual(conflict, Result.fail(keyOfOtherBody()));
  });

  it("is not consumed by a refusal", () => {
    const model = funded(0);
    assert.isTrue(Result.isFailure(submit(model, { idempotency: one })));
    model.transact(decideTopUp(100, 1));
    assert.isFalse(
      Result.getOrThrow(submit(model, { idempotency: { key: "k", bodyDigest: "two" } })).replayed
    );
  });

  it("of a deleted extraction is not charged again, and the error says why", () => {
    const model = funded();
    const { id } = submitted(model, { idempotency: one });
    model.transact(decideCancel(id, 1));
    model.delete(id);
    const reason = "extraction_deleted";
    assert.deepStrictEqual(submit(model, { idempotency: one }), Result.fail(keyOfDeleted(reason)));
    assert.deepStrictEqual(
      submit(model, { idempotency: { key: "k", bodyDigest: "two" } }),
      Result.fail(keyOfOtherBody())
    );
  });
});
