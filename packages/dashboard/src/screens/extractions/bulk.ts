/** One action on many extractions, one after the other: what it fits, and waiting when the server asks to. Tests: selection.test.ts. */
import { ApiError, RETRYABLE_REASONS } from "@winnow/client";
import { waitMsOf } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import {
  deleteQuietly,
  extractionsPage,
  hasEnded,
  type ExtractionItem,
  type Filters
} from "../../data/extractions.ts";
import type { SelectedRows } from "./selection.ts";

/** Of all that match, no more are selected at once. */
const SELECTED_MAX = 1_000;

const PAGE_LIMIT = 100;

/** Beyond it, the server's wait is told as what went wrong. */
const WAIT_MS_MAX = 5 * 60_000;

export const ACTIONS = ["cancel", "retry", "delete"] as const;
export type Action = (typeof ACTIONS)[number];

/** Submits a failed run as it was, for no more than it cost; a second time gets the same new run. */
export const submitAgain = async ({ id, creditsDebited }: ExtractionItem): Promise<void> => {
  const body = await winnow.extractions.request(id);
  await winnow.submit({ ...body, maxCredits: creditsDebited }, { idempotencyKey: `retry-${id}` });
};

export const FITS: Readonly<Record<Action, (item: ExtractionItem) => boolean>> = {
  cancel: (item) => !hasEnded(item),
  retry: ({ failureReason = "" }) => RETRYABLE_REASONS.has(failureReason),
  delete: hasEnded
};

const ACTS: Readonly<Record<Action, (item: ExtractionItem) => Promise<unknown>>> = {
  cancel: ({ id }) => winnow.extractions.cancel(id),
  retry: submitAgain,
  delete: ({ id }) => deleteQuietly(id)
};

export interface Progress {
  readonly done: number;
  /** Undefined while it is not known. */
  readonly total?: number;
  /** For which the server asked; 0 while it does not. */
  readonly waitSeconds: number;
}

export interface Watched {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

const patiently = async <A>(
  ask: () => Promise<A>,
  progress: Omit<Progress, "waitSeconds">,
  { signal, onProgress }: Watched
): Promise<A> => {
  for (;;) {
    signal.throwIfAborted();
    onProgress({ ...progress, waitSeconds: 0 });
    try {
      return await ask();
    } catch (error) {
      const waitMs = waitMsOf(error);
      if (waitMs === 0 || waitMs > WAIT_MS_MAX) throw error;
      onProgress({ ...progress, waitSeconds: Math.ceil(waitMs / 1_000) });
      await pause(waitMs, signal);
    }
  }
};

export interface Failure {
  readonly item: ExtractionItem;
  readonly message: string;
}

/** Neither a session that is over nor an empty balance changes with the next one. */
const endsAll = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 402);

/** Ends early if the signal aborts; the rest is then in neither list. */
export const actOnEach = async (action: Action, items: ReadonlyArray<ExtractionItem>, watched: Watched) => {
  const done: Array<ExtractionItem> = [];
  const failures: Array<Failure> = [];
  for (const [at, item] of items.entries()) {
    try {
      await patiently(() => ACTS[action](item), { done: at, total: items.length }, watched);
      done.push(item);
    } catch (error) {
      if (watched.signal.aborted) break;
      failures.push({ item, message: error instanceof Error ? error.message : String(error) });
      if (endsAll(error)) break;
    }
  }
  return { done, failures };
};

/** At most `SELECTED_MAX`; `isMore` beyond them. */
export const allThatMatch = async (
  filters: Filters,
  watched: Watched
): Promise<{ readonly rows: SelectedRows; readonly isMore: boolean }> => {
  const rows = new Map<string, ExtractionItem>();
  const { signal } = watched;
  let cursor: string | undefined;
  for (;;) {
    const from = cursor;
    const ask = () => extractionsPage(filters, { limit: PAGE_LIMIT, cursor: from, signal });
    const { data, next_cursor: next } = await patiently(ask, { done: rows.size }, watched);
    for (const item of data) if (rows.size < SELECTED_MAX) rows.set(item.id, item);
    if (next === null || rows.size >= SELECTED_MAX) return { rows, isMore: next !== null };
    cursor = next;
  }
};
