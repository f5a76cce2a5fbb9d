/**
 * Laws of money, slots and states over arbitrary sequences of events, of batches and changed plans too. MemoryAccount
 * checks what must hold after every decision; this file checks the laws of single events.
 */
import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { cacheKey } from "../../../src/domain/run/CacheKey.ts";
import { NO_CHANGES } from "../../../src/domain/run/Decision.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { canonical } from "../../../src/domain/source/Modality.ts";
import { UNNAMED_REQUESTER } from "../../../src/domain/request/Requester.ts";
import {
  decideCancel,
  decideRelease,
  decideSettle,
  decideStart,
  decideUntaken
} from "../../../src/domain/result/Settlement.ts";
import type { PaymentNotice } from "../../../src/domain/money/Payment.ts";
import { decidePayment, decideTopUp } from "../../../src/domain/run/AccountDecisions.ts";
import { decideSubmit, type Submit } from "../../../src/domain/run/Submission.ts";
import { isTerminal, holdsSlot } from "../../../src/domain/run/Transition.ts";
import { bookOf, plansFrom } from "../../../src/domain/money/Plan.ts";
import { coverageWithout, sampleFacts, sampleResult, sampleSeen } from "@winnow/testing/samples/samples";
import { MemoryAccount } from "./MemoryAccount.ts";
import { Store } from "../../../src/ports/Store.ts";
import * as Option from "effect/Option";
import { DAY_MS } from "../../../src/domain/Durations.ts";

import { doBatch, doBatchChange, doPlan, plansWith } from "./BatchSteps.ts";
import { Event, snapshotOf, quoteOf, requestOf, type Run, WAITING_MAX } from "./Walk.ts";

const EVENTS_MAX = 60;
const Events = Arbitrary.array(Event, { minLength: 1, maxLength: EVENTS_MAX });

const waitingSingles = ({ model }: Run): number =>
  model.withStatus("queued").filter(({ batchId }) => batchId === null).length;

const submitOf = ({ model }: Run, event: Event): Submit => {
  const request = requestOf(event);
  const [source] = event.kind === "reuse" ? model.withStatus("complete") : [];
  return {
    id: `ext_${model.nowMs}`,
    nowMs: model.nowMs,
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
  const recordOf = Store.use((store) => store.getIdempotency("acc_1", submit.idempotency?.key ?? ""));
  const known = Option.getOrUndefined(model.run(recordOf));
  const before = snapshotOf(model);
  const [waiting, quote] = [waitingSingles(run), quoteOf(run, submit)];
  const decided = model.transact(decideSubmit(submit));
  if (Result.isFailure(decided)) {
    run.seen.add(decided.failure._tag);
    assert.deepStrictEqual(snapshotOf(model), before, "a refusal writes nothing");
    assert.deepStrictEqual(Option.getOrUndefined(model.run(recordOf)), known, "and does not consume its key");
    if (decided.failure._tag === "Conflict") {
      assert.notStrictEqual(known?.bodyDigest, submit.idempotency?.bodyDigest);
    }
    if (decided.failure._tag === "RateLimited") assert.strictEqual(waiting, WAITING_MAX);
    if (decided.failure._tag === "InsufficientCredits") {
      assert.deepInclude(decided.failure.details, {
        balance: before.account.balance,
        cost: quote
      });
      assert.isBelow(before.account.balance, quote);
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
  assert.strictEqual(value.extraction.creditsDebited, quote, "the quote is debited");
  assert.isAtMost(waitingSingles(run), WAITING_MAX);
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
  const ending =
    event.body === 0 ? { result } : { failure: new Failed({ reason: "internal", message: "It failed." }) };
  const { value, changes } = Result.getOrThrow(
    run.model.transact(decideSettle(found.id, { attempt, nowMs: run.model.nowMs, ending }))
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
  assert.strictEqual(value?.completedAtMs, run.model.nowMs);
};

const doStart = (run: Run, found: Extraction): void => {
  const { value, changes } = Result.getOrThrow(run.model.transact(decideStart(found.id, run.model.nowMs)));
  run.seen.add(`start: ${value._tag}`);
  if (value._tag === "skip") {
    assert.isTrue(found.status === "queued" || isTerminal(found.status));
    assert.deepStrictEqual(changes, NO_CHANGES);
  } else if (value._tag === "run") {
    assert.strictEqual(value.extraction.attempt, found.attempt + 1, "each start is a new attempt");
    assert.strictEqual(value.extraction.status, "running");
  } else assert.strictEqual(value.extraction.creditsRefunded, found.creditsDebited);
};

const doCancel = (run: Run, found: Extraction): void => {
  const { value, changes } = Result.getOrThrow(run.model.transact(decideCancel(found.id, run.model.nowMs)));
  if (isTerminal(found.status)) {
    assert.deepStrictEqual(value, found);
    assert.deepStrictEqual(changes, NO_CHANGES, "what has ended is not cancelled");
    return;
  }
  run.seen.add(`cancel while ${found.status}`);
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
  const { value } = Result.getOrThrow(run.model.transact(decideTopUp(credits, run.model.nowMs)));
  const received = credits + (bonusGranted ? 0 : 1_000);
  assert.strictEqual(value, Math.max(0, balance - owedCredits + received));
  assert.strictEqual(run.model.account.balance, value);
};

/** Payments and their refunds and disputes, in any order and number; some are resolved in the merchant's favour. */
const doPayment = (run: Run, event: Event): void => {
  const paymentId = `pi_${event.pick % 2}`;
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
  const { value, changes } = Result.getOrThrow(run.model.transact(decidePayment(notice, run.model.nowMs)));
  const { balance, owedCredits } = run.model.account;
  assert.deepStrictEqual(value, { _tag: "Booked", balance });
  if (owedCredits > 0) run.seen.add("owed");
  const repeated = Result.getOrThrow(run.model.transact(decidePayment(notice, run.model.nowMs)));
  assert.deepStrictEqual(repeated.changes, NO_CHANGES, "a repeated notice changes nothing");
  if (changes.payment !== null) run.seen.add(event.kind);
};

const assertOrder = ({ model }: Run): void => {
  const singles = model.extractions.filter(({ batchId }) => batchId === null);
  const waiting = singles.findIndex(({ status }) => status === "queued");
  const holders = waiting < 0 ? [] : singles.slice(waiting).filter(({ status }) => holdsSlot(status));
  assert.lengthOf(holders, 0, "first in, first out");
};

const doRun = (run: Run, event: Event): void => {
  const found = picked(run, event);
  if (found === undefined) return;
  if (event.kind === "start") return doStart(run, found);
  if (event.kind === "settle") return doSettle(run, event, found);
  if (event.kind === "expire") {
    run.model.transact(decideUntaken(found.id, run.model.nowMs + 8 * DAY_MS));
    return;
  }
  return event.kind === "fail" ? doCancel(run, found) : doHandBack(run, event, found);
};

const DO: Partial<Record<Event["kind"], (run: Run, event: Event) => void>> = {
  submit: doSubmit,
  reuse: doSubmit,
  topUp: doTopUp,
  pay: doPayment,
  return: doPayment,
  plan: doPlan,
  batch: doBatch,
  pause: doBatchChange,
  resume: doBatchChange,
  cancelBatch: doBatchChange,
  retry: doBatchChange
};

const step = (run: Run, event: Event): void => {
  run.model.nowMs += 1;
  (DO[event.kind] ?? doRun)(run, event);
  if (run.model.ledger.at(-1)?.note.startsWith("Owed since") ?? false) run.seen.add("owed and paid");
  assertOrder(run);
};

const play = (events: ReadonlyArray<Event>): Run => {
  const model = new MemoryAccount();
  model.book = bookOf(plansFrom(plansWith(70)));
  model.nowMs = 1_700_000_000_000;
  const run: Run = { model, seen: new Set(), batchIds: [], cancelled: new Set() };
  model.transact(decideTopUp(1, model.nowMs));
  for (const event of events) step(run, event);
  return run;
};

describe("an account, after any sequence of events", () => {
  it.prop(
    "satisfies the laws of money, slots and order after every step",
    { events: Events },
    ({ events }) => void play(events),
    { arbitrary: { runs: 60, size: EVENTS_MAX } }
  );

  it.effect("the generated sequences reach every decision", () =>
    Effect.gen(function* () {
      const samples = yield* Arbitrary.sampleEffect(Events, { count: 60, seed: 7, size: EVENTS_MAX });
      const seen = new Set(samples.flatMap((events) => [...play(events).seen]));
      const reached = [
        ["pending", "queued", "reused", "replayed", "auto", "complete", "failed", "dispatched"],
        ["Conflict", "InsufficientCredits", "RateLimited", "InvalidRequest"],
        ["start: run", "start: skip", "start: gaveUp", "late settle", "settle of no run", "handed back"],
        ["cancel while queued", "cancel while pending", "cancel while running"],
        ["pay", "return", "owed", "owed and paid"],
        ["plan", "batch", "batch: InsufficientCredits", "retried", "paused", "running", "cancelled"]
      ].flat();
      assert.deepStrictEqual(
        reached.filter((kind) => !seen.has(kind)),
        []
      );
    })
  );
});
