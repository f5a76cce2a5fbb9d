/** Many calls at a time, each with its own end: one that fails stops no other. */

/** How one of them ended. `status` is that of `Promise.allSettled`. */
export type Settled<Body, Value> = {
  /** Its place among the bodies, from 0. */
  readonly index: number;
  readonly body: Body;
  /** Submitting the body once more with it starts nothing twice. */
  readonly idempotencyKey: string;
} & (
  | { readonly status: "fulfilled"; readonly value: Value }
  | { readonly status: "rejected"; readonly reason: unknown }
);

/**
 * Runs once it is awaited or iterated. Awaited: all of them, in the order of the bodies. Iterated: each as it
 * ends; no more are started than `concurrency` beyond those you took, and none after a `break`, which waits
 * for those under way.
 */
export interface Batch<Item> extends AsyncIterable<Item>, PromiseLike<ReadonlyArray<Item>> {}

export interface BatchOptions<Body, Value> {
  /** How many are under way at once. */
  readonly concurrency?: number | undefined;
  /**
   * Starts no more and gives up those under way, which end `rejected` with its reason. A submit that was on
   * its way may have been taken: its `idempotencyKey` tells.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called for each as it ends, also for those that a `break` leaves untaken. */
  readonly onItem?: ((item: Settled<Body, Value>) => void) | undefined;
  /** 1 to 255 printable ASCII characters. Give the same again to take up a batch that was broken off. */
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

/** `Infinity` is allowed; what cannot be counted to is one. */
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
