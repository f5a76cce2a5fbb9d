/**
 * A fair queue for a scarce resource: accounts take turns, and the account that holds the least is served first.
 *
 * Bookkeeping only; the caller does the waiting.
 */

export interface FairQueue<T> {
  /** Appends to the account's queue. An item that is already queued keeps its place. */
  readonly enqueue: (account: string, item: T) => void;
  /** Removes an item without serving it. */
  readonly remove: (account: string, item: T) => void;
  /** The next item, which then counts as held by its account; undefined if nobody can be served now. */
  readonly dequeue: () => { readonly account: string; readonly item: T } | undefined;
  /** Releases one held by the account. */
  readonly release: (account: string) => void;
  readonly waiting: () => number;
  readonly waitingOf: (account: string) => number;
  /** Total held. */
  readonly held: () => number;
}

/**
 * How much of `total` one account may hold while `accounts` hold or wait: an equal share that leaves room for one
 * more account. A single account gets half.
 */
export const shareOf = (total: number, accounts: number): number =>
  Math.max(1, Math.floor(total / (accounts + 1)));

/** @param total capacity; unlimited by default, so that accounts only take turns */
export const makeFairQueue = <T>(total = Number.POSITIVE_INFINITY): FairQueue<T> => {
  /** In the order of turns: an account moves to the end when it is served or releases. */
  const queues = new Map<string, Set<T>>();
  const holdings = new Map<string, number>();
  let heldCount = 0;
  let waitingCount = 0;

  const heldBy = (account: string): number => holdings.get(account) ?? 0;

  const accountsCount = (): number => {
    let count = holdings.size;
    for (const account of queues.keys()) if (!holdings.has(account)) count += 1;
    return count;
  };

  const nextAccount = (): string | undefined => {
    if (heldCount >= total) return undefined;
    const share = shareOf(total, accountsCount());
    let next: string | undefined;
    for (const account of queues.keys()) {
      if (heldBy(account) >= share) continue;
      if (next === undefined || heldBy(account) < heldBy(next)) next = account;
    }
    return next;
  };

  const moveToEnd = (account: string): void => {
    const line = queues.get(account);
    if (line === undefined) return;
    queues.delete(account);
    queues.set(account, line);
  };

  const leave: FairQueue<T>["remove"] = (account, item) => {
    const line = queues.get(account);
    if (line?.delete(item) !== true) return;
    waitingCount -= 1;
    if (line.size === 0) queues.delete(account);
  };

  return {
    enqueue: (account, item) => {
      const line = queues.get(account) ?? new Set();
      queues.set(account, line);
      if (line.has(item)) return;
      line.add(item);
      waitingCount += 1;
    },
    remove: leave,
    dequeue: () => {
      const account = nextAccount();
      const line = account === undefined ? undefined : queues.get(account);
      if (account === undefined || line === undefined) return undefined;
      const item = line.values().next().value as T;
      leave(account, item);
      moveToEnd(account);
      holdings.set(account, heldBy(account) + 1);
      heldCount += 1;
      return { account, item };
    },
    release: (account) => {
      const left = heldBy(account) - 1;
      if (left < 0) return;
      heldCount -= 1;
      if (left > 0) holdings.set(account, left);
      else holdings.delete(account);
      moveToEnd(account);
    },
    waiting: () => waitingCount,
    waitingOf: (account) => queues.get(account)?.size ?? 0,
    held: () => heldCount
  };
};
