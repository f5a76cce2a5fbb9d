/**
 * Which worker executes which run, read from the workers' logs, and how long the runs of a killed one wait
 * until another starts them.
 */

/** One worker process, compared by identity. */
export type Life = object;

export interface TakeOver {
  readonly extractionId: string;
  readonly waitedMs: number;
  /** Whether the database was available all the time. */
  readonly isQuiet: boolean;
}

export class TakeOvers {
  readonly done: Array<TakeOver> = [];
  private readonly holders = new Map<string, Life>();
  private readonly waiting = new Map<string, { readonly sinceMs: number; isQuiet: boolean }>();

  private readonly deaths = new WeakMap<Life, number>();

  /** A worker logged a run. */
  told(life: Life, extractionId: string, atMs: number): void {
    const diedAtMs = this.deaths.get(life);
    // Log lines read after the kill.
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

  /** Take-overs from now on also wait for the database. */
  databaseAway(): void {
    for (const left of this.waiting.values()) left.isQuiet = false;
  }

  /** Runs that were not taken over yet; some ended just before the kill. */
  get open(): ReadonlyMap<string, { readonly sinceMs: number }> {
    return this.waiting;
  }
}

/** The nearest-rank percentile of a non-empty list. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
