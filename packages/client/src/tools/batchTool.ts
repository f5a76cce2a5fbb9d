/** extract_batch, and the state of a batch for get_extraction. Tests: the server's McpHttp.test.ts. */
import type { BatchSubmission } from "../resources/batches.ts";
import type { Batch } from "../generated/types.ts";
import { answerOf, firstFitting, type ToolAnswer } from "./answer.ts";
import type { ToolInput } from "./definitions.ts";
import { beginningOf } from "./paging.ts";
import type { ToolCall } from "./toolSource.ts";

/** Refused URLs that are listed; fewer if the answer would be too long. */
const REFUSED_SHOWN: ReadonlyArray<number> = [50, 5];
const REFUSED_CHARS_MAX = 500;

const nextOf = ({ id, counts }: Batch): string =>
  counts.running === 0
    ? `It is done: list_extractions with batchId ${id}.`
    : `Call get_extraction with id ${id}. The batch continues and is already charged.`;

export const batchAnswer = async (batch: Batch, { source, signal }: ToolCall): Promise<ToolAnswer> => {
  const { id, status, counts, creditsDebited: debited, creditsRefunded: refunded, items } = batch;
  const balance = await source.balance(signal);
  const ours = { id, status, credits: { debited, refunded }, counts, balance, next: nextOf(batch) };
  const refused = items.flatMap(({ url, error }) =>
    error === null ? [] : [beginningOf(`${url} ${error.code}: ${error.message}`, REFUSED_CHARS_MAX)]
  );
  return firstFitting(
    REFUSED_SHOWN.map((count) => answerOf(ours, { refused: refused[0] && refused.slice(0, count) }))
  );
};

export const extractBatch = async (input: ToolInput, call: ToolCall): Promise<ToolAnswer> => {
  const { source, signal, keys, scope } = call;
  const { maxCredits, ...asked } = input;
  // Another budget for the same is no other batch.
  const { key } = await keys.of(scope, asked, Date.now(), (earlier) => source.submittedAtMs(earlier, signal));
  return batchAnswer(
    await source.createBatch({ ...asked, maxCredits } as BatchSubmission, key, signal),
    call
  );
};
