/** quote, extract, get_extraction and cancel_extraction. Tests: tools.test.ts, waiting.test.ts. */
import type { CompleteResult } from "../generated/types.ts";
import type { Inquiry, Submission } from "../resources/submission.ts";
import { ApiError } from "../core/apiError.ts";
import { anySignal } from "../core/retry.ts";
import { answerOf, type ToolAnswer } from "./answer.ts";
import { batchAnswer } from "./batchTool.ts";
import { WAIT_SECONDS_DEFAULT, WAITED_SECONDS_MAX, type ToolInput } from "./definitions.ts";
import { beginningOf } from "./paging.ts";
import { ProgressReporter } from "./progress.ts";
import { completeAnswer, failedAnswer, runningAnswer } from "./runAnswer.ts";
import { isBatchId, type ToolCall, type ToolSubmitted } from "./toolSource.ts";

const TITLE_CHARS_MAX = 300;

const limitOf = (input: ToolInput, call: ToolCall): number => input.maxCredits ?? call.maxCredits;

/**
 * The request body of the API, without the arguments that only tools have. With `auto`, the price limit is
 * also its `maxSpendCredits`.
 */
const bodyOf = (input: ToolInput, call: ToolCall): Submission => {
  const { waitSeconds: _, ...fields } = input;
  const maxCredits = limitOf(input, call);
  const ceiling = input.auto === true ? { maxSpendCredits: maxCredits } : {};
  return { ...fields, ...ceiling, maxCredits } as unknown as Submission;
};

/** A quote returns the price even if it exceeds the limit. */
const probeBodyOf = (input: ToolInput, call: ToolCall): Inquiry => {
  const { maxCredits: _, ...body } = bodyOf(input, call);
  return body;
};

export const quote = async (input: ToolInput, call: ToolCall): Promise<ToolAnswer> => {
  const { source, signal } = call;
  const [probe, balance] = await Promise.all([
    source.probe(probeBodyOf(input, call), signal),
    source.balance(signal)
  ]);
  const { price, unavailable } = probe;
  const limit = limitOf(input, call);
  const warnings = [
    ...(price.credits > limit
      ? [`The price exceeds the limit of ${limit} credits for a call of extract.`]
      : []),
    ...(price.credits > balance ? [`The price exceeds the balance of ${balance} credits.`] : []),
    ...(price.mode === "ai" && !probe.aiConfigured
      ? ["This server has no language model: calls of extract with a schema are rejected."]
      : [])
  ];
  return answerOf(
    {
      credits: price.credits,
      usd: price.usd,
      cached: probe.cached,
      balance,
      durationSec: probe.durationSec,
      hasSubtitles: probe.hasSubtitles,
      hasComments: probe.hasComments,
      imageCount: probe.imageCount,
      unavailable:
        unavailable.length === 0 ? null : unavailable.map(({ input: name, reason }) => `${name}: ${reason}`),
      warnings: warnings.length === 0 ? null : warnings
    },
    { title: probe.title === null ? null : beginningOf(probe.title, TITLE_CHARS_MAX) }
  );
};

/**
 * Whether to submit again: the run failed and may succeed now, or it was cancelled. Either way it was refunded.
 */
const isWorthAnother = async (id: string, { source, signal }: ToolCall): Promise<boolean> => {
  const result = await source.result(id, signal);
  return result.status === "failed" && (result.failure.retryable || result.failure.reason === "cancelled");
};

/** Maximum number of retries for calls with the same arguments within one hour; each failed run was refunded. */
const TRIES_MAX = 20;

const isDeleted = (error: unknown): boolean =>
  error instanceof ApiError && error.details["reason"] === "extraction_deleted";

/** Submits; calls with the same arguments within one hour are debited once. */
const submitOnce = async (body: Submission, call: ToolCall): Promise<ToolSubmitted> => {
  const { source, signal, keys, scope } = call;
  let key = await keys.of(scope, body, Date.now(), (earlier) => source.submittedAtMs(earlier, signal));
  for (let tries = 1; ; tries += 1) {
    let id = "deleted";
    try {
      const submitted = await source.submit(body, key.key, signal);
      const isOver = submitted.replayed && submitted.status === "failed";
      if (!isOver || tries >= TRIES_MAX || !(await isWorthAnother(submitted.id, call))) return submitted;
      id = submitted.id;
    } catch (error) {
      if (!isDeleted(error) || tries >= TRIES_MAX) throw error;
    }
    key = await key.after(id);
  }
};

/** Waits for the run to end, at most `waitSeconds`. Errors during the wait are thrown. */
const waitFor = async (
  id: string,
  { waitSeconds = WAIT_SECONDS_DEFAULT }: ToolInput,
  call: ToolCall,
  reporter: ProgressReporter
): Promise<void> => {
  if (waitSeconds === 0) return;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), Math.min(waitSeconds, WAITED_SECONDS_MAX) * 1_000);
  try {
    await call.source.wait(id, anySignal(call.signal, ended.signal), (progress) => reporter.report(progress));
  } catch (error) {
    if (!ended.signal.aborted || call.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** Reports progress from the start of the call, since the inspection at submit can take seconds too. */
const waited = async (
  input: ToolInput,
  call: ToolCall,
  start: () => Promise<string>
): Promise<ToolAnswer> => {
  const { source, signal } = call;
  const reporter = new ProgressReporter(call.onProgress);
  try {
    const id = await start();
    await waitFor(id, input, call, reporter);
    if (isBatchId(id)) return await batchAnswer(await source.batch(id, signal), call);
    const [result, detail, balance] = await Promise.all([
      source.result(id, signal),
      source.extraction(id, signal),
      source.balance(signal)
    ]);
    const state = { detail, balance, maxCredits: "url" in input ? limitOf(input, call) : null };
    if (result.status === "complete")
      return await completeAnswer(source, state, result as CompleteResult, signal);
    return result.status === "failed" ? failedAnswer(state, result) : runningAnswer(state, reporter.message);
  } finally {
    reporter.end();
  }
};

export const extract = (input: ToolInput, call: ToolCall): Promise<ToolAnswer> =>
  waited(input, call, async () => (await submitOnce(bodyOf(input, call), call)).id);

export const getExtraction = (input: ToolInput, call: ToolCall): Promise<ToolAnswer> =>
  waited(input, call, () => Promise.resolve(input.id));

export const cancelExtraction = async (
  input: ToolInput,
  { source, signal }: ToolCall
): Promise<ToolAnswer> => {
  const { id, status, creditsRefunded } = await source.cancel(input.id, signal);
  return answerOf({ id, status, creditsRefunded, balance: await source.balance(signal) });
};
