/**
 * Whose turn it is at something scarce: accounts take turns, and whoever holds least comes first.
 *
 * Nothing but bookkeeping; who waits, and for how long, is its user's.
 */

export interface FairLine<T> {
  /** To the end of its account's line. What is in line already keeps its place. */
  readonly join: (account: string, item: T) => void;
  /** Out of line without a turn. */
  readonly leave: (account: string, item: T) => void;
  /** The next one, which its account then holds; undefined when nobody may have one now. */
  readonly take: () => { readonly account: string; readonly item: T } | undefined;
  /** Gives back one that was taken for the account. */
  readonly giveBack: (account: string) => void;
  readonly waiting: () => number;
  readonly waitingOf: (account: string) => number;
  /** Taken and not given back. */
  readonly held: () => number;
}

/**
 * What one account may hold of `total` while `accounts` hold some or wait: an equal share with one more
 * account that has yet to come, so that it finds one free. Alone, half.
 */
export const shareOf = (total: number, accounts: number): number =>
  Math.max(1, Math.floor(total / (accounts + 1)));

/**
 * @param total what there is of it; by default no end, and accounts only take turns
 */
export const makeFairLine = <T>(total = Number.POSITIVE_INFINITY): FairLine<T> => {
  /** In the order of turns: who was served, or gives back, goes to the end. */
  const lines = new Map<string, Set<T>>();
  const holdings = new Map<string, number>();
  let heldCount = 0;
  let waitingCount = 0;

  const heldBy = (account: string): number => holdings.get(account) ?? 0;

  const accountsCount = (): number => {
    let count = holdings.size;
    for (const account of lines.keys()) if (!holdings.has(account)) count += 1;
    return count;
  };

  const nextAccount = (): string | undefined => {
    if (heldCount >= total) return undefined;
    const share = shareOf(total, accountsCount());
    let next: string | undefined;
    for (const account of lines.keys()) {
      if (heldBy(account) >= share) continue;
      if (next === undefined || heldBy(account) < heldBy(next)) next = account;
    }
    return next;
  };

  const toTheEnd = (account: string): void => {
    const line = lines.get(account);
    if (line === undefined) return;
    lines.delete(account);
    lines.set(account, line);
  };

  const leave: FairLine<T>["leave"] = (account, item) => {
    const line = lines.get(account);
    if (line?.delete(item) !== true) return;
    waitingCount -= 1;
    if (line.size === 0) lines.delete(account);
  };

  return {
    join: (account, item) => {
      const line = lines.get(account) ?? new Set();
      lines.set(account, line);
      if (line.has(item)) return;
      line.add(item);
      waitingCount += 1;
    },
    leave,
    take: () => {
      const account = nextAccount();
      const line = account === undefined ? undefined : lines.get(account);
      if (account === undefined || line === undefined) return undefined;
      const item = line.values().next().value as T;
      leave(account, item);
      toTheEnd(account);
      holdings.set(account, heldBy(account) + 1);
      heldCount += 1;
      return { account, item };
    },
    giveBack: (account) => {
      const left = heldBy(account) - 1;
      if (left < 0) return;
      heldCount -= 1;
      if (left > 0) holdings.set(account, left);
      else holdings.delete(account);
      toTheEnd(account);
    },
    waiting: () => waitingCount,
    waitingOf: (account) => lines.get(account)?.size ?? 0,
    held: () => heldCount
  };
};
