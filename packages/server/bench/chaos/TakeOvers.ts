/**
 * Which worker holds which run, read from the workers' logs, and how long the runs of a killed one wait until another
 * begins with them.
 */

/** One life of one worker process, told apart by identity. */
export type Life = object;

export interface TakeOver {
  readonly extractionId: string;
  readonly waitedMs: number;
  /** The database was there all the time. */
  readonly isQuiet: boolean;
}

export class TakeOvers {
  readonly done: Array<TakeOver> = [];
  private readonly holders = new Map<string, Life>();
  private readonly waiting = new Map<string, { readonly sinceMs: number; isQuiet: boolean }>();

  private readonly deaths = new WeakMap<Life, number>();

  /** A worker spoke of a run. */
  told(life: Life, extractionId: string, atMs: number): void {
    const diedAtMs = this.deaths.get(life);
    // Last words that are read after the kill.
    if (diedAtMs !== undefined) return this.left(extractionId, diedAtMs);
    const left = this.waiting.get(extractionId);
    if (left !== undefined) {
      this.waiting.delete(extractionId);
      this.done.push({ extractionId, waitedMs: Math.max(0, atMs - left.sinceMs), isQuiet: left.isQuiet });
    }
    this.holders.set(extractionId, life);
  }

  ended(extractionId: string): void {
    this.holders.delete(extractionId);
    this.waiting.delete(extractionId);
  }

  killed(life: Life, atMs: number): void {
    this.deaths.set(life, atMs);
    for (const [extractionId, holder] of this.holders) {
      if (holder !== life) continue;
      this.holders.delete(extractionId);
      this.left(extractionId, atMs);
    }
  }

  private left(extractionId: string, sinceMs: number): void {
    if (!this.waiting.has(extractionId)) this.waiting.set(extractionId, { sinceMs, isQuiet: true });
  }

  /** Who waits now waits for the database, too. */
  databaseAway(): void {
    for (const left of this.waiting.values()) left.isQuiet = false;
  }

  /** Runs that nobody has taken over yet; some of them ended just before the kill. */
  get open(): ReadonlyMap<string, { readonly sinceMs: number }> {
    return this.waiting;
  }
}

/** The nearest-rank percentile of what is not empty. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
