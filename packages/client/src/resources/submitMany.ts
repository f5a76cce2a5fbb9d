/**
 * Concurrent calls, of which one that fails does not stop the others; and their submits: 429 paces them, and a budget
 * limits what they may debit together. Tests: batch.test.ts.
 */
import { ApiError } from "../core/apiError.ts";
import { RateLimitedError } from "../generated/errors.ts";
import { ConnectionError, TimeoutError } from "../core/errors.ts";
import { newIdempotencyKey } from "../core/idempotencyKey.ts";
import { isRetryable, type Transport } from "../core/request.ts";
import { delay } from "../core/retry.ts";
import { numberOf } from "../core/settings.ts";
import type { SubmitResponse } from "../generated/types.ts";
import { submit, type Submission, type SubmitOptions } from "./submission.ts";

/** The outcome of one call; `status` is as in `Promise.allSettled`. */
export type Settled<Body, Value> = {
  /** Index of the body, from 0. */
  readonly index: number;
  readonly body: Body;
  /** Submit the body again with this key to avoid a second run. */
  readonly idempotencyKey: string;
} & (
  | { readonly status: "fulfilled"; readonly value: Value }
  | { readonly status: "rejected"; readonly reason: unknown }
);

/**
 * Starts when it is awaited or iterated. Awaiting returns all outcomes in the order of the bodies. Iterating
 * yields each outcome as it ends; at most `concurrency` calls are started ahead of the outcomes you consumed,
 * and none after a `break`, which waits for calls in flight.
 */
export interface Concurrent<Item> extends AsyncIterable<Item>, PromiseLike<ReadonlyArray<Item>> {}

export interface ConcurrencyOptions<Body, Value> {
  /** Maximum number of concurrent calls. */
  readonly concurrency?: number | undefined;
  /**
   * Aborting starts no further calls and aborts those in flight, which end as `rejected` with its reason. A
   * submit in flight may have been accepted: repeat it with its `idempotencyKey` to find out.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called for each outcome, including those not consumed because of a `break`. */
  readonly onItem?: ((item: Settled<Body, Value>) => void) | undefined;
  /** 1 to 255 printable ASCII characters. Pass the same prefix again to resume where a program was interrupted. */
  readonly idempotencyKey?: ((body: Body, index: number) => string) | undefined;
}

type Task<Body, Value> = (body: Body, idempotencyKey: string) => Promise<Value>;

async function settle<Body, Value>(
  index: number,
  body: Body,
  task: Task<Body, Value>,
  { idempotencyKey, onItem }: ConcurrencyOptions<Body, Value>
): Promise<Settled<Body, Value>> {
  const key = idempotencyKey?.(body, index) ?? newIdempotencyKey();
  const item: Settled<Body, Value> = await task(body, key).then(
    (value) => ({ index, body, idempotencyKey: key, status: "fulfilled", value }),
    (reason: unknown) => ({ index, body, idempotencyKey: key, status: "rejected", reason })
  );
  onItem?.(item);
  return item;
}

async function* run<Body, Value>(
  bodies: Iterable<Body>,
  task: Task<Body, Value>,
  options: ConcurrencyOptions<Body, Value> & { readonly concurrency: number }
): AsyncGenerator<Settled<Body, Value>, void, undefined> {
  const { concurrency, signal } = options;
  const underWay = new Map<number, Promise<Settled<Body, Value>>>();
  const iterator = bodies[Symbol.iterator]();
  let started = 0;
  let isOver = false;
  const isGivenUp = (): boolean => signal?.aborted === true;
  try {
    for (;;) {
      while (!isOver && underWay.size < concurrency && !isGivenUp()) {
        const { done, value } = iterator.next();
        if (done === true) {
          isOver = true;
        } else {
          underWay.set(started, settle(started, value, task, options));
          started += 1;
        }
      }
      if (underWay.size === 0) return;
      const item = await Promise.race(underWay.values());
      underWay.delete(item.index);
      yield item;
    }
  } finally {
    await Promise.allSettled(underWay.values());
    if (!isOver) iterator.return?.();
  }
}

/** `Infinity` is allowed; NaN and values below 1 become 1. */
const atLeastOne = (count: number): number => (count >= 1 ? count : 1);

export const concurrently = <Body, Value>(
  bodies: Iterable<Body>,
  task: Task<Body, Value>,
  options: ConcurrencyOptions<Body, Value>,
  concurrencyDefault: number
): Concurrent<Settled<Body, Value>> => {
  const concurrency = atLeastOne(options.concurrency ?? concurrencyDefault);
  const items = run(bodies, task, { ...options, concurrency });
  let all: Promise<ReadonlyArray<Settled<Body, Value>>> | undefined;
  const collect = async () => {
    const found: Array<Settled<Body, Value>> = [];
    for await (const item of items) found.push(item);
    return found.sort((left, right) => left.index - right.index);
  };
  return {
    [Symbol.asyncIterator]: () => items,
    then: (onFulfilled, onRejected) => (all ??= collect()).then(onFulfilled, onRejected)
  };
};

export interface SubmitManyOptions<Body, Value> extends ConcurrencyOptions<Body, Value> {
  /** `maxCredits` for bodies that have none. A submit that costs more is `rejected`, and nothing is debited. */
  readonly maxCredits?: number | undefined;
  /**
   * Limits what all submits may debit together. They are then sent one after the other, each with at most what is
   * left as its `maxCredits`: a dearer one is `rejected`, and nothing is debited. A submit whose response was
   * lost counts with its whole limit. `extractMany` adds what ended runs refund.
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

export class PacedSubmits {
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

  /** The run has ended: these credits are back. */
  refunded(credits: number): void {
    this.leftCredits += credits;
  }

  private send(body: Submission, maxCredits: number, idempotencyKey: string): Promise<SubmitResponse> {
    const limited = maxCredits === Number.POSITIVE_INFINITY ? body : { ...body, maxCredits };
    return submitPaced(this.transport, limited, { idempotencyKey, signal: this.options.signal });
  }
}
