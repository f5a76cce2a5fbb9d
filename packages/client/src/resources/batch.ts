/** Concurrent calls with separate outcomes: a failure does not stop the others. */

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
export interface Batch<Item> extends AsyncIterable<Item>, PromiseLike<ReadonlyArray<Item>> {}

export interface BatchOptions<Body, Value> {
  /** Maximum number of concurrent calls. */
  readonly concurrency?: number | undefined;
  /**
   * Aborting starts no further calls and aborts those in flight, which end as `rejected` with its reason. A
   * submit in flight may have been accepted: repeat it with its `idempotencyKey` to find out.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called for each outcome, including those not consumed because of a `break`. */
  readonly onItem?: ((item: Settled<Body, Value>) => void) | undefined;
  /** 1 to 255 printable ASCII characters. Pass the same prefix again to resume an interrupted batch. */
  readonly idempotencyKey?: ((body: Body, index: number) => string) | undefined;
}

type Task<Body, Value> = (body: Body, idempotencyKey: string) => Promise<Value>;

async function settle<Body, Value>(
  index: number,
  body: Body,
  task: Task<Body, Value>,
  { idempotencyKey, onItem }: BatchOptions<Body, Value>
): Promise<Settled<Body, Value>> {
  const key = idempotencyKey?.(body, index) ?? crypto.randomUUID();
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
  options: BatchOptions<Body, Value> & { readonly concurrency: number }
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

export const batchOf = <Body, Value>(
  bodies: Iterable<Body>,
  task: Task<Body, Value>,
  options: BatchOptions<Body, Value>,
  concurrencyDefault: number
): Batch<Settled<Body, Value>> => {
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
