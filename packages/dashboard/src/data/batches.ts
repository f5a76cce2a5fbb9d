/** Batches: the list, one with its items, and the quote of a draft line by line. */
import { useQuery } from "@tanstack/preact-query";
import type {
  Batch,
  BatchQuoteLine,
  BatchQuoteTotal,
  BatchSummary,
  ListingSubmission,
  Submission
} from "@winnow/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cache, every, keys, listsChanged, PAGE_SIZE, usePages } from "./cache.ts";
import { winnow } from "./client.ts";
import { runsChanged } from "./extractions.ts";

/** With 1,000 items an answer is large. */
const POLL_MS = 3_000;

export const useBatches = (isWanted: boolean) =>
  usePages<BatchSummary>(
    keys.batches,
    (cursor, signal) => winnow.batches.page({ limit: PAGE_SIZE, cursor, signal }),
    isWanted
  );

export const useBatch = (id: string) =>
  useQuery({
    queryKey: keys.batch(id),
    queryFn: ({ signal }): Promise<Batch> => winnow.batches.get(id, { signal }),
    refetchInterval: (query) => (query.state.data?.counts.running === 0 ? false : every(POLL_MS)(query))
  });

/** Takes the state that an action answers with. */
export const batchChanged = (batch: Batch): void => {
  cache.setQueryData(keys.batch(batch.id), batch);
  listsChanged(keys.batches);
  runsChanged();
};

/** No requests while somebody is typing. */
const TYPING_MS = 700;
/** Lines are shown in groups: a thousand single updates would keep the page busy. */
const DRAW_MS = 250;

interface BatchQuoteState {
  /** By index of the item. */
  readonly lines: ReadonlyArray<BatchQuoteLine | undefined>;
  readonly known: number;
  /** Null until every line is quoted. */
  readonly total: BatchQuoteTotal | null;
  readonly error: unknown;
}

const NOTHING: BatchQuoteState = { lines: [], known: 0, total: null, error: null };

const follow = async (
  items: ReadonlyArray<Submission>,
  signal: AbortSignal,
  show: (state: BatchQuoteState) => void
): Promise<void> => {
  const lines: Array<BatchQuoteLine | undefined> = [];
  let known = 0;
  let shownAtMs = 0;
  try {
    for await (const line of winnow.batches.quote({ items }, { signal })) {
      if (!("index" in line)) return show({ lines: [...lines], known, total: line, error: null });
      lines[line.index] = line;
      known += 1;
      if (Date.now() - shownAtMs < DRAW_MS) continue;
      shownAtMs = Date.now();
      show({ lines: [...lines], known, total: null, error: null });
    }
  } catch (error) {
    if (!signal.aborted) show({ lines: [...lines], known, total: null, error });
  }
};

/** The URLs that the first items of a channel or playlist have; `onCount` hears how many are known. */
export const listedBy = async (
  { url = "", ...fields }: Submission,
  first: number,
  onCount: (count: number) => void,
  signal: AbortSignal
): Promise<ReadonlyArray<string>> => {
  const lines: Array<BatchQuoteLine> = [];
  const items = [{ ...fields, listingUrl: url, first } as ListingSubmission];
  for await (const line of winnow.batches.quote({ items }, { signal })) {
    if ("index" in line) onCount(lines.push(line));
  }
  const [only, other] = lines;
  if (other === undefined && only?.url === url) throw new Error(only.error?.message);
  return lines.toSorted((left, right) => left.index - right.index).map((line) => line.url);
};

/** The quote of these items, which begins again when they change. */
export const useBatchQuote = (items: ReadonlyArray<Submission>) => {
  const [state, setState] = useState({ of: "", quote: NOTHING });
  const [attempt, setAttempt] = useState(0);
  const asked = useMemo(() => JSON.stringify(items), [items]);
  useEffect(() => {
    if (items.length === 0) return undefined;
    const aborter = new AbortController();
    const show = (quote: BatchQuoteState): void => {
      if (!aborter.signal.aborted) setState({ of: asked, quote });
    };
    const timer = setTimeout(() => void follow(items, aborter.signal, show), TYPING_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [asked, attempt]);
  const refetch = (): void => {
    setState({ of: "", quote: NOTHING });
    setAttempt((count) => count + 1);
  };
  return { ...(state.of === asked ? state.quote : NOTHING), refetch };
};
