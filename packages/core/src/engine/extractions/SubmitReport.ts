/**
 * Metrics of submits by outcome, and a log line that links the request to its extraction.
 */
import * as Effect from "effect/Effect";
import type { SubmitResult } from "../../domain/run/Submission.ts";
import { codeOf, countSubmit } from "../EngineMetrics.ts";

const outcomeOf = ({ extraction, replayed }: SubmitResult): string => {
  if (replayed) return "replayed";
  return extraction.cachedFrom === null ? "fresh" : "reused";
};

const reportAccepted = Effect.fnUntraced(function* (submitted: SubmitResult) {
  const { id, accountId, status, creditsDebited } = submitted.extraction;
  const outcome = outcomeOf(submitted);
  yield* countSubmit(1, { outcome, code: "" });
  yield* Effect.logInfo("Submitted").pipe(
    Effect.annotateLogs({ extractionId: id, accountId, outcome, status, creditsDebited })
  );
});

/** Returns the same effect. A defect is reported as a failed request, not as an outcome. */
export const recordSubmit = <E extends { readonly _tag: string }, R>(
  submit: Effect.Effect<SubmitResult, E, R>
): Effect.Effect<SubmitResult, E, R> =>
  submit.pipe(
    Effect.tap(reportAccepted),
    Effect.tapError((refusal) => countSubmit(1, { outcome: "refused", code: codeOf(refusal) }))
  );
