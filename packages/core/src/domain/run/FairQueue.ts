/**
 * A fair queue for a scarce resource: no account ever holds more than half of it, and the account that holds the least
 * is served first, then the one whose last turn is longest ago. So nobody who holds nothing is passed by another account
 * twice, and whoever comes to a busy resource does not wait for a whole round.
 *
 * Bookkeeping only; the caller does the waiting.
 */

/** Limits within the total. */
export interface FairShares {
  /** Maximum that one account holds, if that is less than half of the total. */
  readonly ofAccountMax?: number;
  /** The part of the total that is kept for accounts that hold nothing, one for each; default 0. */
  readonly forNewcomers?: number;
  /** Whether, of accounts that had no turn yet, the one with the fewest waiting comes first; default false. */
  readonly fewestFirst?: boolean;
  /**
   * Whether who had no turn yet comes before all who had one; default true. Not where a name costs nothing, as a host's:
   * ever new ones would keep the others waiting.
   */
  readonly newFirst?: boolean;
}

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
 * more account, rounded down, but at least 1. A single account gets half.
 */
export const shareOf = (total: number, accounts: number): number =>
  Math.max(1, Math.floor(total / (accounts + 1)));

/** What each account holds. */
const makeHoldings = () => {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (account: string): number => counts.get(account) ?? 0;
  return {
    of,
    has: (account: string) => counts.has(account),
    accounts: () => counts.size,
    total: () => total,
    /** Adds 1 or -1. */
    add: (account: string, change: 1 | -1): void => {
      const count = of(account) + change;
      total += change;
      if (count > 0) counts.set(account, count);
      else counts.delete(account);
    }
  };
};

/**
 * Numbers the last turn of each account, from 1; 0 for none: when it was served or released one, or came where new ones do
 * not go first. `waiting`: the accounts that wait.
 */
const makeTurns = (waiting: ReadonlyMap<string, unknown>) => {
  /** Oldest first. */
  const last = new Map<string, number>();
  let count = 0;
  return {
    of: (account: string): number => last.get(account) ?? 0,
    note: (account: string): void => {
      count += 1;
      last.delete(account);
      last.set(account, count);
      if ([...waiting.keys()].some((each) => !last.has(each))) return;
      // A turn before those of everybody who waits says no more than none.
      for (const oldest of last.keys()) {
        if (waiting.has(oldest)) break;
        last.delete(oldest);
      }
    }
  };
};

/**
 * @param total capacity, at least 2 because an account gets at most half; unlimited by default, so that accounts only
 *   take turns. Throws a RangeError for less.
 */
export const makeFairQueue = <T>(
  total = Number.POSITIVE_INFINITY,
  { ofAccountMax = total, forNewcomers = 0, fewestFirst = false, newFirst = true }: FairShares = {}
): FairQueue<T> => {
  if (total < 2) throw new RangeError(`A total of ${total} cannot be shared: it must be at least 2.`);
  const shared = total - forNewcomers;
  const queues = new Map<string, Set<T>>();
  const turns = makeTurns(queues);
  const held = makeHoldings();
  let waitingCount = 0;

  const accountsCount = (): number => {
    let count = held.accounts();
    for (const account of queues.keys()) if (!held.has(account)) count += 1;
    return count;
  };

  const waitingOf = (account: string): number => queues.get(account)?.size ?? 0;

  const isBefore = (account: string, other: string): boolean =>
    (held.of(account) - held.of(other) ||
      turns.of(account) - turns.of(other) ||
      (fewestFirst ? waitingOf(account) - waitingOf(other) : 0)) < 0;

  const nextAccount = (): string | undefined => {
    if (held.total() >= total) return undefined;
    const share = held.total() < shared ? Math.min(ofAccountMax, shareOf(shared, accountsCount())) : 1;
    let next: string | undefined;
    for (const account of queues.keys()) {
      if (held.of(account) >= share) continue;
      if (next === undefined || isBefore(account, next)) next = account;
    }
    return next;
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
      if (!newFirst && turns.of(account) === 0) turns.note(account);
    },
    remove: leave,
    dequeue: () => {
      const account = nextAccount();
      const line = account === undefined ? undefined : queues.get(account);
      if (account === undefined || line === undefined) return undefined;
      const item = line.values().next().value as T;
      leave(account, item);
      turns.note(account);
      held.add(account, 1);
      return { account, item };
    },
    release: (account) => {
      if (!held.has(account)) return;
      held.add(account, -1);
      turns.note(account);
    },
    waiting: () => waitingCount,
    waitingOf,
    held: held.total
  };
};
