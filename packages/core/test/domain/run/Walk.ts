/** What the walks through the states of an account have in common: their events, and what a submit of them is quoted. */
import * as Arbitrary from "effect/Arbitrary";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { pricedFacts } from "../../../src/domain/source/SourceFacts.ts";
import { price, pricedSelection } from "../../../src/domain/money/Pricing.ts";
import type { Submit } from "../../../src/domain/run/Submission.ts";
import { planOf } from "../../../src/domain/money/Plan.ts";
import { sampleRequest } from "@winnow/testing/samples/samples";
import { MemoryAccount } from "./MemoryAccount.ts";
import { Facts, intBetween, Modalities, oneOf, Selection } from "../Arbitraries.ts";
import type { RunRequest } from "../../../src/domain/request/RunRequest.ts";

export const WAITING_MAX = 3;

/** Submits and their runs outnumber other events, so that queues and all attempts occur. */
const Kind = oneOf(
  [
    ["submit", "submit", "submit", "submit", "start", "start", "start", "settle", "settle"],
    ["topUp", "fail", "releaseRun", "reuse", "pay", "pay", "return", "return", "return", "expire", "plan"],
    ["batch", "pause", "resume", "cancelBatch", "retry", "retry"]
  ].flat()
);

/** `pick` chooses the extraction, `late` an attempt that is over, `key` an idempotency key (0: none). */
export const Event = Arbitrary.all({
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
export type Event = typeof Event extends Arbitrary.Arbitrary<infer A> ? A : never;
export interface Run {
  readonly model: MemoryAccount;
  /** The kinds of events so far, to check that the generator covers all of them. */
  readonly seen: Set<string>;
  readonly batchIds: Array<string>;
  /** Those that were cancelled, which is for good. */
  readonly cancelled: Set<string>;
}

export const snapshotOf = ({ account, extractions, ledger }: MemoryAccount) => ({
  account,
  extractions,
  ledger
});

/** What a submit of now is quoted: at today's rates, or at lower ones of the last minutes. */
export const quoteOf = ({ model }: Run, { seen, request }: Pick<Submit, "seen" | "request">): number => {
  const facts = pricedFacts(seen);
  const { rates, quotedRates } = planOf(model.book, model.account, model.nowMs);
  const quotes = [rates, ...quotedRates].flatMap((at) => {
    const selection = pricedSelection(facts, request, at);
    return Result.isSuccess(selection) ? [price(facts, selection.success, at).credits] : [];
  });
  return Math.min(...quotes);
};

export const requestOf = ({ selection, auto, credits }: Event): RunRequest => {
  const isAuto = auto === 0 && selection.mode === "ai";
  return sampleRequest({ ...selection, auto: isAuto, maxSpendCredits: isAuto ? credits : null });
};
