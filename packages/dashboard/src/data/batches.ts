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
import { useMemo } from "preact/hooks";
import { cache, every, changed, PAGE_SIZE, usePages } from "./cache.ts";
import { winnow } from "./client.ts";
import { runsChanged } from "./extractions.ts";
import { useSettled } from "./settled.ts";
import { readLines } from "./streams.ts";

/** With 1,000 items an answer is large. */
const POLL_MS = 3_000;

const LIST = ["batches"];
const batchKey = (id: string) => ["batch", id];

export const useBatches = (isWanted: boolean) =>
  usePages<BatchSummary>(
    LIST,
    (cursor, signal) => winnow.batches.page({ limit: PAGE_SIZE, cursor, signal }),
    isWanted
  );

export const useBatch = (id: string) =>
  useQuery({
    queryKey: batchKey(id),
    queryFn: ({ signal }): Promise<Batch> => winnow.batches.get(id, { signal }),
    refetchInterval: (query) => (query.state.data?.counts.running === 0 ? false : every(POLL_MS)(query))
  });

/** Takes the state that an action answers with. */
export const batchChanged = (batch: Batch): void => {
  cache.setQueryData(batchKey(batch.id), batch);
  changed(LIST);
  runsChanged();
};

interface BatchQuote {
  /** By index of the item. */
  readonly lines: ReadonlyArray<BatchQuoteLine | undefined>;
  readonly known: number;
  /** Null until every line is quoted. */
  readonly total: BatchQuoteTotal | null;
}

const NOTHING: BatchQuote = { lines: [], known: 0, total: null };

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

/** The quote of these items, line by line. */
export const useBatchQuote = (items: ReadonlyArray<Submission>) => {
  const text = useMemo(() => JSON.stringify(items), [items]);
  const isSettled = useSettled(text) === text;
  const queryKey = ["batchQuote", text];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<BatchQuote> => {
      const lines: Array<BatchQuoteLine | undefined> = [];
      let known = 0;
      let total: BatchQuoteTotal | null = null;
      const now = (): BatchQuote => ({ lines: [...lines], known, total });
      const take = (line: BatchQuoteLine | BatchQuoteTotal): boolean => {
        if (!("index" in line)) total = line;
        else {
          lines[line.index] = line;
          known += 1;
        }
        return total === null;
      };
      const draw = (): void => void cache.setQueryData(queryKey, now());
      await readLines(winnow.batches.quote({ items }, { signal }), take, draw);
      return now();
    },
    enabled: isSettled && items.length > 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false
  });
  const { data = NOTHING, error } = query;
  return { ...data, error, refetch: (): void => void cache.resetQueries({ queryKey }) };
};
