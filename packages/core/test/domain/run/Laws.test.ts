/**
 * Laws of money, slots and states over arbitrary sequences of events. AccountModel checks what must hold after
 * every step; this file checks the laws of single events.
 */
import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { cacheKey } from "../../../src/domain/run/CacheKey.ts";
import { NO_CHANGES } from "../../../src/domain/run/Decision.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { canonical } from "../../../src/domain/source/Modality.ts";
import { pricedFacts } from "../../../src/domain/source/SourceFacts.ts";
import { price, pricedSelection } from "../../../src/domain/money/Pricing.ts";
import { UNNAMED_REQUESTER } from "../../../src/domain/request/Requester.ts";
import {
  decideFail,
  decideRelease,
  decideSettle,
  decideStart
} from "../../../src/domain/result/Settlement.ts";
import type { PaymentNotice } from "../../../src/domain/money/Payment.ts";
import { decidePayment, decideTopUp } from "../../../src/domain/run/AccountDecisions.ts";
import { decideSubmit, type Submit } from "../../../src/domain/run/Submission.ts";
import { isTerminal } from "../../../src/domain/run/Transition.ts";
import { bookOf, plansFrom } from "../../../src/domain/money/Plan.ts";
import {
  coverageWithout,
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSeen
} from "@winnow/testing/samples/samples";
import { AccountModel } from "./AccountModel.ts";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { Facts, intBetween, Modalities, oneOf, Selection } from "../Arbitraries.ts";

const WAITING_MAX = 3;

/** Submits and their runs outnumber other events, so that queues and all attempts occur. */
const Kind = oneOf(
  [
    ["submit", "submit", "submit", "submit", "start", "start", "start", "settle", "settle"],
    ["topUp", "fail", "releaseRun", "reuse", "pay", "return", "return"]
  ].flat()
);

/** `pick` chooses the extraction, `late` an attempt that is over, `key` an idempotency key (0: none). */
const Event = Arbitrary.all({
  kind: Kind,
  pick: intBetween(0, 50),
  live: Arbitrary.schema(Schema.Boolean),
  late: intBetween(0, 3),
  key: intBetween(0, 6),
  body: intBetween(0, 1),
  credits: intBetween(1, 3_000),
  auto: intBetween(0, 3),
  facts: Facts,
  found: Facts,
  selection: Selection,
  unavailable: Modalities
});
type Event = typeof Event extends Arbitrary.Arbitrary<infer A> ? A : never;
const EVENTS_MAX = 60;
const Events = Arbitrary.array(Event, { minLength: 1, maxLength: EVENTS_MAX });

interface Run {
  readonly model: AccountModel;
  /** The kinds of events so far, to check that the generator covers all of them. */
  readonly seen: Set<string>;
  clock: number;
}

const submitOf = (run: Run, event: Event): Submit => {
  const auto = event.auto === 0 && event.selection.mode === "ai";
  const request = sampleRequest({
    ...event.selection,
    auto,
    maxSpendCredits: auto ? event.credits : null
  });
  const [source] = event.kind === "reuse" ? run.model.withStatus("complete") : [];
  return {
    id: `ext_${run.clock}`,
    nowMs: run.clock,
    request,
    requester: UNNAMED_REQUESTER,
    cacheKey: cacheKey("acc_1", request, null),
    idempotency: event.key === 0 ? null : { key: `key-${event.key}`, bodyDigest: `body-${event.body}` },
    reuse: source?.result == null ? null : { extractionId: source.id, result: source.result },
    seen: sampleSeen(event.facts)
  };
};

const doSubmit = (run: Run, event: Event): void => {
  const { model } = run;
  const submit = submitOf(run, event);
  const { account, extractions, records } = model;
  const known = records.get(submit.idempotency?.key ?? "");
  const recordsBefore = new Map(records);
  const waiting = model.withStatus("queued").length;
  const decided = model.transact(decideSubmit(submit));
  if (Result.isFailure(decided)) {
    run.seen.add(decided.failure._tag);
    assert.strictEqual(model.account, account, "a refusal writes nothing");
    assert.strictEqual(model.extractions, extractions);
    assert.deepStrictEqual(records, recordsBefore, "a refusal does not consume its key");
    const selection = pricedSelection(pricedFacts(submit.seen), submit.request, DEFAULT_RATES);
    if (decided.failure._tag === "Conflict") {
      assert.notStrictEqual(known?.bodyDigest, submit.idempotency?.bodyDigest);
    }
    if (decided.failure._tag === "RateLimited") assert.strictEqual(waiting, WAITING_MAX);
    if (decided.failure._tag === "InsufficientCredits") {
      assert.deepInclude(decided.failure.details, {
        balance: account.balance,
        cost: price(pricedFacts(submit.seen), Result.getOrThrow(selection), DEFAULT_RATES).credits
      });
      assert.isBelow(account.balance, Number(decided.failure.details["cost"]));
    }
    return;
  }
  const { value, changes } = decided.success;
  if (value.replayed) {
    run.seen.add("replayed");
    assert.deepStrictEqual(changes, NO_CHANGES, "a replay writes nothing");
    assert.strictEqual(value.extraction.id, known?.extractionId);
    return;
  }
  assert.notExists(known, "a known key makes no second extraction");
  if (submit.reuse !== null) {
    run.seen.add("reused");
    assert.deepInclude(value.extraction, {
      status: "complete",
      creditsDebited: 0,
      cachedFrom: submit.reuse.extractionId
    });
    assert.isNull(changes.account, "a reused result takes no credits and no slot");
    return;
  }
  run.seen.add(value.extraction.status);
  if (submit.request.auto) run.seen.add("auto");
  const quote = price(
    pricedFacts(submit.seen),
    Result.getOrThrow(pricedSelection(pricedFacts(submit.seen), submit.request, DEFAULT_RATES)),
    DEFAULT_RATES
  );
  assert.strictEqual(value.extraction.creditsDebited, quote.credits, "the quote is debited");
  assert.isAtMost(model.withStatus("queued").length, WAITING_MAX);
};

/** Any extraction; an active one if requested and available. */
const picked = ({ model }: Run, { pick, live }: Event): Extraction | undefined => {
  const pool = live ? model.extractions.filter(({ status }) => !isTerminal(status)) : [];
  const from = pool.length > 0 ? pool : model.extractions;
  return from[pick % Math.max(1, from.length)];
};

const doSettle = (run: Run, event: Event, found: Extraction): void => {
  const attempt = found.attempt - (event.late === 3 ? 1 : 0);
  const result = sampleResult(found.id, {
    facts: sampleFacts({
      kind: event.found.kind,
      durationSeconds: event.found.durationMs === null ? null : event.found.durationMs / 1_000,
      imageCount: event.found.imageCount
    }),
    coverage: coverageWithout(...event.unavailable),
    rung: found.request.auto ? canonical(event.selection.modalities) : null
  });
  const outcome =
    event.body === 0 ? { result } : { failure: new Failed({ reason: "internal", message: "It failed." }) };
  const { value, changes } = Result.getOrThrow(
    run.model.transact(decideSettle(found.id, { attempt, nowMs: run.clock, outcome }))
  );
  if (found.status !== "running" || attempt !== found.attempt) {
    run.seen.add(found.status === "running" ? "late settle" : "settle of no run");
    assert.isNull(value, "only the attempt that runs can settle");
    assert.deepStrictEqual(changes, NO_CHANGES);
    return;
  }
  run.seen.add(event.body === 0 ? "complete" : "failed");
  if (changes.updated.length > 1) run.seen.add("dispatched");
  if (event.body === 1) assert.strictEqual(value?.creditsRefunded, found.creditsDebited, "a failure is free");
  assert.strictEqual(value?.completedAtMs, run.clock);
};

const doStart = (run: Run, found: Extraction): void => {
  const { value, changes } = Result.getOrThrow(run.model.transact(decideStart(found.id, run.clock)));
  run.seen.add(`start: ${value._tag}`);
  if (value._tag === "skip") {
    assert.isTrue(found.status === "queued" || isTerminal(found.status));
    assert.deepStrictEqual(changes, NO_CHANGES);
  } else if (value._tag === "run") {
    assert.strictEqual(value.extraction.attempt, found.attempt + 1, "each start is a new attempt");
    assert.strictEqual(value.extraction.status, "running");
  } else assert.strictEqual(value.extraction.creditsRefunded, found.creditsDebited);
};

const doFail = (run: Run, found: Extraction): void => {
  const failure = new Failed({ reason: "cancelled", message: "Cancelled." });
  const { value, changes } = Result.getOrThrow(run.model.transact(decideFail(found.id, failure, run.clock)));
  if (isTerminal(found.status)) {
    assert.isNull(value);
    assert.deepStrictEqual(changes, NO_CHANGES, "what has ended is not cancelled");
    return;
  }
  run.seen.add(`fail while ${found.status}`);
  assert.deepInclude(value, { status: "failed", creditsRefunded: found.creditsDebited });
};

const doHandBack = (run: Run, event: Event, found: Extraction): void => {
  const attempt = found.attempt - (event.late === 3 ? 1 : 0);
  const { value, changes } = Result.getOrThrow(
    run.model.transact(decideRelease({ id: found.id, attempt }, event.late === 2))
  );
  assert.strictEqual(value, found.status === "running" && attempt === found.attempt);
  if (value) run.seen.add("handed back");
  else assert.deepStrictEqual(changes, NO_CHANGES);
};

const doTopUp = (run: Run, event: Event): void => {
  const { balance, owedCredits, bonusGranted } = run.model.account;
  // Little, so that payments buy most of what is spent.
  const credits = Math.ceil(event.credits / 10);
  const { value } = Result.getOrThrow(run.model.transact(decideTopUp(credits, run.clock)));
  const received = credits + (bonusGranted ? 0 : 1_000);
  assert.strictEqual(value, Math.max(0, balance - owedCredits + received));
  assert.strictEqual(run.model.account.balance, value);
};

/** Payments and their refunds and disputes, in any order and number; some are resolved in the merchant's favour. */
const doPayment = (run: Run, event: Event): void => {
  const paymentId = `pi_${event.pick % 3}`;
  const of = { paymentId, accountId: run.model.account.id };
  const credits = event.late === 3 ? 0 : 5 * event.credits;
  const notice: PaymentNotice =
    event.kind === "pay"
      ? { ...of, _tag: "Paid", credits: 5 * event.credits }
      : {
          ...of,
          _tag: "Returned",
          kind: event.live ? "refund" : "dispute",
          returnId: `re_${paymentId}_${event.key}`,
          credits,
          isFinal: credits === 0
        };
  const { value, changes } = Result.getOrThrow(run.model.transact(decidePayment(notice, run.clock)));
  assert.deepStrictEqual(value, { _tag: "Booked", balance: run.model.account.balance });
  if (run.model.account.owedCredits > 0) run.seen.add("owed");
  const repeated = Result.getOrThrow(run.model.transact(decidePayment(notice, run.clock)));
  assert.deepStrictEqual(repeated.changes, NO_CHANGES, "a repeated notice changes nothing");
  if (changes.payment !== null) run.seen.add(event.kind);
};

const step = (run: Run, event: Event): void => {
  run.clock += 1;
  if (run.model.ledger.at(-1)?.note.startsWith("Owed since") ?? false) run.seen.add("owed and paid");
  if (event.kind === "submit" || event.kind === "reuse") return doSubmit(run, event);
  if (event.kind === "topUp") return doTopUp(run, event);
  if (event.kind === "pay" || event.kind === "return") return doPayment(run, event);
  const found = picked(run, event);
  if (found === undefined) return;
  if (event.kind === "start") return doStart(run, found);
  if (event.kind === "settle") return doSettle(run, event, found);
  return event.kind === "fail" ? doFail(run, found) : doHandBack(run, event, found);
};

const play = (events: ReadonlyArray<Event>): Run => {
  const model = new AccountModel();
  model.book = bookOf(plansFrom({ default: { waitingMax: WAITING_MAX } }));
  const run: Run = { model, seen: new Set(), clock: 1_700_000_000_000 };
  run.model.transact(decideTopUp(1, run.clock));
  for (const event of events) step(run, event);
  return run;
};

describe("an account, after any sequence of events", () => {
  it.prop(
    "satisfies the laws of money, slots and order after every step",
    { events: Events },
    ({ events }) => void play(events),
    { arbitrary: { runs: 400, size: EVENTS_MAX } }
  );

  it.effect("the generated sequences reach every decision", () =>
    Effect.gen(function* () {
      const samples = yield* Arbitrary.sampleEffect(Events, { count: 100, seed: 7, size: EVENTS_MAX });
      const seen = new Set(samples.flatMap((events) => [...play(events).seen]));
      assert.includeMembers(
        [...seen],
        [
          ["pending", "queued", "reused", "replayed", "auto", "complete", "failed", "dispatched"],
          ["Conflict", "InsufficientCredits", "RateLimited", "InvalidRequest"],
          ["start: run", "start: skip", "start: gaveUp", "late settle", "settle of no run", "handed back"],
          ["fail while queued", "fail while pending", "fail while running"],
          ["pay", "return", "owed", "owed and paid"]
        ].flat()
      );
    })
  );
});
