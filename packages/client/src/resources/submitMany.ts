/** The submits of a batch: 429 paces them, and a budget limits what they may debit together. */
import { ApiError, ConnectionError, RateLimitedError, TimeoutError } from "../core/errors.ts";
import { isRetryable, type Transport } from "../core/request.ts";
import { delay } from "../core/retry.ts";
import { numberOf } from "../core/settings.ts";
import type { SubmitResponse } from "../generated/types.ts";
import type { BatchOptions } from "./batch.ts";
import { submit, type Submission, type SubmitOptions } from "./submission.ts";

export interface SubmitManyOptions<Body, Value> extends BatchOptions<Body, Value> {
  /** `maxCredits` for bodies that have none. A submit that costs more is `rejected`, and nothing is debited. */
  readonly maxCredits?: number | undefined;
  /**
   * Limits what all submits may debit together. They are then sent one after the other, each with at most what is
   * left as its `maxCredits`: a dearer one is `rejected`, and nothing is debited. A submit whose response was
   * lost counts with its whole limit. `extractMany` adds what failed runs refund.
   */
  readonly budgetCredits?: number | undefined;
}

/** Delay after a 429 without Retry-After. */
const PAUSE_SECONDS = 5;

/** Submits until the response is something else than a 429 that passes within a minute; only the signal stops it. */
const submitPaced = async (
  transport: Transport,
  body: Submission,
  options: SubmitOptions
): Promise<SubmitResponse> => {
  for (;;) {
    try {
      return await submit(transport, body, options);
    } catch (error) {
      // A limit of the day, such as `refunded_model_use`, has a longer Retry-After.
      if (!(error instanceof RateLimitedError) || !isRetryable(error)) throw error;
      await delay((error.retryAfterSeconds ?? PAUSE_SECONDS) * 1_000, options.signal);
    }
  }
};

/** Whether credits may have been debited all the same. */
const isUncertain = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && error.status >= 500);

export class BatchSubmits {
  private readonly transport: Transport;
  private readonly options: SubmitManyOptions<never, never>;
  /** What is left of the budget. */
  private leftCredits: number;
  /** The last submit, which the next one waits for if there is a budget. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(transport: Transport, options: SubmitManyOptions<never, never>) {
    this.transport = transport;
    this.options = options;
    this.leftCredits = numberOf("budgetCredits", options.budgetCredits ?? Number.POSITIVE_INFINITY, 0);
  }

  submit(body: Submission, idempotencyKey: string): Promise<SubmitResponse> {
    const { maxCredits = Number.POSITIVE_INFINITY, budgetCredits } = this.options;
    const own = body.maxCredits ?? maxCredits;
    if (budgetCredits === undefined) return this.send(body, own, idempotencyKey);
    const response = this.turn.then(async () => {
      const limit = Math.min(own, Math.max(0, Math.floor(this.leftCredits)));
      try {
        const submitted = await this.send(body, limit, idempotencyKey);
        this.leftCredits -= submitted.creditsDebited;
        return submitted;
      } catch (error) {
        if (isUncertain(error)) this.leftCredits -= limit;
        throw error;
      }
    });
    this.turn = response.catch(() => undefined);
    return response;
  }

  /** The run failed: its credits are back. */
  refunded(credits: number): void {
    this.leftCredits += credits;
  }

  private send(body: Submission, maxCredits: number, idempotencyKey: string): Promise<SubmitResponse> {
    const limited = maxCredits === Number.POSITIVE_INFINITY ? body : { ...body, maxCredits };
    return submitPaced(this.transport, limited, { idempotencyKey, signal: this.options.signal });
  }
}
