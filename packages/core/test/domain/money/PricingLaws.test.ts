import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { canonical, type Modality } from "../../../src/domain/source/Modality.ts";
import { effectiveFacts, price, settlementRefund } from "../../../src/domain/money/Pricing.ts";
import { UNITS_PER_CREDIT, unitsToUsd } from "../../../src/domain/money/Credits.ts";
import { withoutUnavailable } from "../../../src/domain/request/RunRequest.ts";
import { decideSettle, decideStart } from "../../../src/domain/result/Settlement.ts";
import { pricedFacts, WORST_CASE_DURATION_MS } from "../../../src/domain/source/SourceFacts.ts";
import { decideSubmit } from "../../../src/domain/run/Submission.ts";
import { decideTopUp } from "../../../src/domain/run/AccountDecisions.ts";
import {
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSeen,
  sampleSubmit
} from "@winnow/testing/samples/samples";
import { MemoryAccount } from "../run/MemoryAccount.ts";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { Facts, intBetween, Modalities, Selection, Settled } from "../Arbitraries.ts";

const runs = { arbitrary: { runs: 1_000 } };

describe("the price", () => {
  it.prop(
    "of a longer video is never less",
    { facts: Facts, more: intBetween(0, 600_000), selection: Selection },
    ({ facts, more, selection }) => {
      const durationMs = facts.durationMs ?? WORST_CASE_DURATION_MS;
      const longer = { ...facts, durationMs: durationMs + more };
      assert.isAtLeast(
        price(longer, selection, DEFAULT_RATES).credits,
        price(facts, selection, DEFAULT_RATES).credits
      );
    },
    runs
  );

  it.prop(
    "of more modalities is never less",
    { facts: Facts, selection: Selection, more: Modalities },
    ({ facts, selection, more }) => {
      const wider = { ...selection, modalities: canonical([...selection.modalities, ...more]) };
      assert.isAtLeast(
        price(facts, wider, DEFAULT_RATES).credits,
        price(facts, selection, DEFAULT_RATES).credits
      );
    },
    runs
  );

  it.prop(
    "of more slides is never less",
    { facts: Facts, selection: Selection, more: intBetween(0, 20) },
    ({ facts, selection, more }) => {
      const larger = { ...facts, imageCount: facts.imageCount + more };
      assert.isAtLeast(
        price(larger, selection, DEFAULT_RATES).credits,
        price(facts, selection, DEFAULT_RATES).credits
      );
    },
    runs
  );

  it.prop(
    "with a schema is never less than without",
    { facts: Facts, modalities: Modalities },
    (given) => {
      const { facts, modalities } = given;
      const read = price(facts, { mode: "ai", modalities }, DEFAULT_RATES).credits;
      assert.isAtLeast(read, price(facts, { mode: "download", modalities }, DEFAULT_RATES).credits);
    },
    runs
  );

  it.prop(
    "is a whole number of credits, at least the base fee, and its parts add up to it, rounded up",
    {
      facts: Facts,
      selection: Selection
    },
    ({ facts, selection }) => {
      const total = price(facts, selection, DEFAULT_RATES);
      assert.isTrue(Number.isSafeInteger(total.credits));
      assert.isAtLeast(total.credits, 50);
      const { base, download, text, audio, video } = total.parts;
      const units = [base, ...Object.values(download), text, audio, video];
      assert.isTrue(units.every(Number.isSafeInteger));
      const sum = units.reduce((left, right) => left + right, 0);
      assert.strictEqual(total.credits, Math.ceil(sum / UNITS_PER_CREDIT));
      assert.includeMembers([...selection.modalities], Object.keys(download));
    },
    runs
  );

  it.prop(
    "of each part is its rate times the seconds",
    {
      durationMs: intBetween(1, 3_600_000),
      modalities: Modalities
    },
    ({ durationMs, modalities }) => {
      const facts = { kind: "video", durationMs, imageCount: 0 } as const;
      const { download, text, audio, video } = price(facts, { mode: "ai", modalities }, DEFAULT_RATES).parts;
      const seconds = durationMs / 1_000;
      const has = (modality: Modality): boolean => modalities.includes(modality);
      // The published rates, in USD flat or in USD per second.
      const expected = {
        ...(has("transcript") ? { transcript: 0.001 } : {}),
        ...(has("comments") ? { comments: 0.002 } : {}),
        ...(has("audio") ? { audio: 0.000_02 * seconds } : {}),
        ...(has("video") ? { video: 0.000_05 * seconds } : {}),
        textRead: has("transcript") || has("comments") ? 0.000_05 * seconds : 0,
        audioRead: has("audio") && !has("video") ? 0.000_1 * seconds : 0,
        videoRead: has("video") ? 0.000_2 * seconds : 0
      };
      const actual: Record<string, number> = {
        ...download,
        textRead: text,
        audioRead: audio,
        videoRead: video
      };
      assert.hasAllKeys(actual, Object.keys(expected));
      for (const [part, usd] of Object.entries(expected))
        assert.approximately(unitsToUsd(actual[part] ?? -1), usd, 1e-12);
    },
    runs
  );
});

describe("settlement", () => {
  it.prop(
    "on the facts of the quote refunds nothing",
    { facts: Facts, selection: Selection },
    (given) => {
      const { facts, selection } = given;
      const quote = price(facts, selection, DEFAULT_RATES).credits;
      const effective = effectiveFacts(facts, facts, facts.durationMs);
      assert.strictEqual(settlementRefund(quote, effective, selection, DEFAULT_RATES), 0);
    },
    runs
  );

  it.prop(
    "never refunds more than the debit minus the base fee, and never charges more",
    Settled,
    ({ facts, found, measuredMs, selection, unavailable }) => {
      const debited = price(facts, selection, DEFAULT_RATES).credits;
      const delivered = withoutUnavailable(selection, unavailable);
      const refund = settlementRefund(
        debited,
        effectiveFacts(facts, found, measuredMs),
        delivered,
        DEFAULT_RATES
      );
      assert.isAtLeast(refund, 0);
      assert.isAtMost(refund, debited - 50);
    },
    runs
  );

  it.prop(
    "refunds no less if less was delivered",
    {
      facts: Facts,
      selection: Selection,
      some: Modalities,
      more: Modalities
    },
    ({ facts, selection, some, more }) => {
      const debited = price(facts, selection, DEFAULT_RATES).credits;
      const refund = (missing: typeof some): number =>
        settlementRefund(debited, facts, withoutUnavailable(selection, missing), DEFAULT_RATES);
      assert.isAtLeast(refund(canonical([...some, ...more])), refund(some));
    },
    runs
  );

  it.prop(
    "after submit and start charges exactly the quote",
    { facts: Facts, selection: Selection },
    ({ facts, selection }) => {
      const model = new MemoryAccount();
      model.transact(decideTopUp(1_000_000, 1));
      const submit = sampleSubmit("acc_1", { seen: sampleSeen(facts), request: sampleRequest(selection) });
      const balance = model.account.balance;
      Result.getOrThrow(model.transact(decideSubmit(submit)));
      Result.getOrThrow(model.transact(decideStart(submit.id, 2)));
      const found = sampleFacts({
        kind: facts.kind,
        durationSeconds: facts.durationMs === null ? null : facts.durationMs / 1_000,
        imageCount: facts.imageCount
      });
      assert.deepStrictEqual(pricedFacts(found), facts);
      const result = sampleResult(submit.id, { facts: found, measuredDurationSeconds: null });
      Result.getOrThrow(
        model.transact(decideSettle(submit.id, { attempt: 1, nowMs: 3, ending: { result } }))
      );
      assert.strictEqual(balance - model.account.balance, price(facts, selection, DEFAULT_RATES).credits);
      assert.strictEqual(model.find(submit.id)?.creditsRefunded, 0);
    }
  );
});
