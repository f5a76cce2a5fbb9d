import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import type { RunResult } from "../../../src/domain/run/Extraction.ts";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { DEFAULT_INPUTS, DEFAULT_PARTS, MODALITIES } from "../../../src/domain/source/Modality.ts";
import {
  ATTEMPTS_MAX,
  EXCUSED_ATTEMPTS_MAX,
  decideCancel,
  decideRelease,
  decideSettle,
  type Ending,
  decideStart
} from "../../../src/domain/result/Settlement.ts";
import type { PricedFacts } from "../../../src/domain/source/SourceFacts.ts";
import { decideSubmit, type Submit } from "../../../src/domain/run/Submission.ts";
import {
  coverageWithout,
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSeen,
  sampleSubmit
} from "@winnow/testing/samples/samples";
import { MemoryAccount } from "../run/MemoryAccount.ts";

const video: PricedFacts = { kind: "video", durationMs: 213_000, imageCount: 0 };
const talk = sampleFacts({ durationSeconds: 213 });
const failure = new Failed({ reason: "timeout", message: "Too slow." });

const modelWith = (ids: ReadonlyArray<string>, over: Partial<Submit> = {}): MemoryAccount => {
  const model = new MemoryAccount(10_000);
  for (const [nowMs, id] of ids.entries())
    Result.getOrThrow(model.transact(decideSubmit(sampleSubmit("acc_1", { id, nowMs, ...over }))));
  return model;
};

const start = (model: MemoryAccount, id: string) => Result.getOrThrow(model.transact(decideStart(id, 1_000)));
const releaseRun = (model: MemoryAccount, id: string, attempt: number, isExcused = false) =>
  Result.getOrThrow(model.transact(decideRelease({ id: id, attempt }, isExcused)));
const settle = (model: MemoryAccount, id: string, ending: Ending, attempt = 1) =>
  Result.getOrThrow(model.transact(decideSettle(id, { attempt, nowMs: 2_000, ending })));
const cancel = (model: MemoryAccount, id: string) =>
  Result.getOrThrow(model.transact(decideCancel(id, 3_000)));

/** Final credits of a run. */
const paid = (over: Partial<Submit>, result: Partial<RunResult>): number => {
  const model = modelWith(["ext_1"], over);
  start(model, "ext_1");
  settle(model, "ext_1", { result: sampleResult("ext_1", { facts: talk, ...result }) });
  return 10_000 - model.account.balance;
};

describe("a settled run", () => {
  const all = { request: sampleRequest({ modalities: DEFAULT_PARTS }), seen: sampleSeen(video) };
  const ai = {
    request: sampleRequest({ mode: "ai", modalities: DEFAULT_INPUTS, schema: {} }),
    seen: sampleSeen(video)
  };
  const unknown = { request: all.request, seen: null };

  it("costs the debit if everything was delivered", () => {
    assert.strictEqual(paid(all, {}), 230);
    assert.strictEqual(paid(ai, { outcome: "no_match", verdictReason: "It is about cats." }), 187);
  });

  it("does not charge for missing parts", () => {
    assert.strictEqual(paid(all, { coverage: coverageWithout("comments") }), 210);
    assert.strictEqual(paid(ai, { coverage: coverageWithout("transcript", "comments") }), 50);
  });

  it("keeps a duration known at submit, whatever is measured", () => {
    assert.strictEqual(paid(all, { measuredDurationSeconds: 12 }), 230);
    assert.strictEqual(paid(all, { measuredDurationSeconds: 1_200 }), 230);
  });

  it("with an unknown duration is charged for the measured one, never more than the debit", () => {
    // 50 + 10 + 20 + 2.4036 + 6.009
    assert.strictEqual(paid(unknown, { measuredDurationSeconds: 12.018 }), 89);
    assert.strictEqual(paid(unknown, { measuredDurationSeconds: 3_000 }), 290);
    assert.strictEqual(paid(unknown, { measuredDurationSeconds: 0 }), 230, "then the reported one");
  });

  it("that turned out to be an article is charged as an article", () => {
    const facts = sampleFacts({ kind: "webpage", durationSeconds: null });
    assert.strictEqual(paid(unknown, { facts, measuredDurationSeconds: null }), 50);
  });

  it("in auto mode is charged for the rung of its result", () => {
    const request = sampleRequest({
      mode: "ai",
      modalities: MODALITIES,
      schema: {},
      auto: true,
      maxSpendCredits: 800
    });
    const auto = { request, seen: sampleSeen(video) };
    assert.strictEqual(paid(auto, { rung: MODALITIES }), 762);
    assert.strictEqual(paid(auto, { rung: DEFAULT_INPUTS }), 187);
    assert.strictEqual(paid(auto, { rung: DEFAULT_INPUTS, coverage: coverageWithout("comments") }), 167);
  });

  it("that failed costs nothing and records when and why", () => {
    const model = modelWith(["ext_1"]);
    start(model, "ext_1");
    const settled = settle(model, "ext_1", { failure });
    assert.deepInclude(settled.value, {
      status: "failed",
      failure,
      creditsRefunded: 50,
      completedAtMs: 2_000
    });
    assert.strictEqual(model.account.balance, 10_000);
    assert.deepInclude(model.ledger.at(-1), { kind: "refund", credits: 50, extractionId: "ext_1" });
  });
});

describe("a freed slot", () => {
  it("goes to the oldest waiting run in the same decision", () => {
    const model = modelWith(["ext_1", "ext_2", "ext_3", "ext_4"]);
    start(model, "ext_2");
    const { changes } = settle(model, "ext_2", { failure });
    assert.deepStrictEqual(changes.jobs, [{ accountId: "acc_1", extractionId: "ext_3", traceparent: null }]);
    assert.strictEqual(model.find("ext_3")?.status, "pending");
    assert.strictEqual(model.find("ext_4")?.status, "queued");
    assert.strictEqual(model.account.slotsUsed, 2);
  });

  it("stays free if no run is waiting", () => {
    const model = modelWith(["ext_1"]);
    start(model, "ext_1");
    settle(model, "ext_1", { failure });
    assert.strictEqual(model.account.slotsUsed, 0);
  });

  it("is not created by cancelling a waiting run", () => {
    const model = modelWith(["ext_1", "ext_2", "ext_3", "ext_4"]);
    assert.deepInclude(cancel(model, "ext_3").value, { status: "failed", creditsRefunded: 50 });
    assert.strictEqual(model.find("ext_4")?.status, "queued");
    assert.strictEqual(model.account.slotsUsed, 2);
  });
});

describe("a worker", () => {
  it("claims a pending run as its first attempt", () => {
    const model = modelWith(["ext_1"]);
    const { value } = start(model, "ext_1");
    assert.strictEqual(value._tag, "run");
    assert.deepInclude(model.find("ext_1"), { status: "running", attempt: 1, startedAtMs: 1_000 });
  });

  it("that takes over the run of a dead one fences it off", () => {
    const model = modelWith(["ext_1"]);
    start(model, "ext_1");
    start(model, "ext_1");
    assert.strictEqual(model.find("ext_1")?.attempt, 2);
    assert.isNull(settle(model, "ext_1", { failure }, 1).value);
    assert.isFalse(releaseRun(model, "ext_1", 1).value);
    assert.strictEqual(model.find("ext_1")?.status, "running");
    assert.isNotNull(settle(model, "ext_1", { failure }, 2).value);
  });

  it("abandons a run with a full refund after the last attempt", () => {
    const model = modelWith(["ext_1"]);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++)
      assert.strictEqual(start(model, "ext_1").value._tag, "run");
    assert.strictEqual(start(model, "ext_1").value._tag, "gaveUp");
    assert.deepInclude(model.find("ext_1"), { status: "failed", attempt: ATTEMPTS_MAX, creditsRefunded: 50 });
  });

  it("that stops requeues its run and keeps its slot", () => {
    const model = modelWith(["ext_1"]);
    start(model, "ext_1");
    const { value, changes } = releaseRun(model, "ext_1", 1);
    assert.isTrue(value);
    assert.deepStrictEqual(changes.jobs, [{ accountId: "acc_1", extractionId: "ext_1", traceparent: null }]);
    assert.deepInclude(model.find("ext_1"), { status: "pending", attempt: 1, startedAtMs: null });
    assert.strictEqual(model.account.slotsUsed, 1);
  });

  it("does not count attempts that are excused, up to a limit", () => {
    const model = modelWith(["ext_1"]);
    const starts = ATTEMPTS_MAX + EXCUSED_ATTEMPTS_MAX;
    for (let attempt = 1; attempt <= starts; attempt++) {
      assert.strictEqual(start(model, "ext_1").value._tag, "run");
      releaseRun(model, "ext_1", attempt, true);
    }
    assert.strictEqual(model.find("ext_1")?.excusedAttempts, EXCUSED_ATTEMPTS_MAX);
    assert.strictEqual(start(model, "ext_1").value._tag, "gaveUp");
  });

  it("leaves alone what waits, has ended or does not exist", () => {
    const model = modelWith(["ext_1", "ext_2", "ext_3"]);
    assert.strictEqual(start(model, "ext_3").value._tag, "skip");
    assert.strictEqual(start(model, "ext_9").value._tag, "skip");
    const cancelled = cancel(model, "ext_1").value;
    assert.strictEqual(start(model, "ext_1").value._tag, "skip");
    assert.deepStrictEqual(cancel(model, "ext_1").value, cancelled);
    assert.isNull(cancel(model, "ext_9").value);
    assert.isNull(settle(model, "ext_9", { failure }).value);
  });
});
