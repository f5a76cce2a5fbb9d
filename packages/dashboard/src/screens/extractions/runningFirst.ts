/**
 * What runs and waits stands before what is over, also extractions that are older than the rows that are loaded.
 * Tests: lists.test.ts, queue.test.ts.
 */
import type { BatchSummary } from "@winnow/client";
import { useMemo } from "preact/hooks";
import { useAccount } from "../../data/client.ts";
import { hasEnded, useRunning, type ExtractionItem, type Filters } from "../../data/extractions.ts";
import { isOver } from "./BatchRow.tsx";

const NO_ITEMS: ReadonlyArray<ExtractionItem> = [];

const isQueued = ({ status }: ExtractionItem): boolean => status === "queued";

/** Those without a place, such as items of a paused batch, come last. */
const placeOf = ({ queuePosition = Number.MAX_SAFE_INTEGER }: ExtractionItem): number => queuePosition;

interface Listed {
  readonly items: ReadonlyArray<ExtractionItem> | undefined;
  readonly data:
    | { readonly pages: ReadonlyArray<{ readonly data: ReadonlyArray<ExtractionItem> }> }
    | undefined;
}

/** Equal times stay as they came. */
const newestFirst = (runs: ReadonlyArray<ExtractionItem>, batches: ReadonlyArray<BatchSummary>) =>
  batches.length === 0
    ? runs
    : [...runs, ...batches].toSorted(
        (one, other) => Number(one.createdAt < other.createdAt) - Number(one.createdAt > other.createdAt)
      );

/** Batches, then the running, newest first, then the queued ones in the order in which they start. */
export const useRunningFirst = (
  { items = NO_ITEMS, data }: Listed,
  filters: Filters,
  batches: ReadonlyArray<BatchSummary>
) => {
  const { data: account } = useAccount();
  const isMixed = filters.status === undefined;
  const listedCount = items.filter((item) => !hasEnded(item) && !isQueued(item)).length;
  const isAnyMissing = isMixed && (account?.runningExtractions ?? 0) > listedCount;
  const { data: running } = useRunning(filters, isAnyMissing);
  const further = isAnyMissing ? running?.data : undefined;
  const firstPage = data?.pages[0]?.data;
  return useMemo(() => {
    const ids = new Set(items.map(({ id }) => id));
    const older = (further ?? []).filter(({ id }) => !ids.has(id));
    // Those of further pages stay where they are: rows that are read do not move when a page is loaded.
    const onFirstPage = new Set((isMixed ? (firstPage ?? []) : []).map(({ id }) => id));
    const active = items.filter((item) => onFirstPage.has(item.id) && !hasEnded(item));
    const rest = items.filter((item) => !onFirstPage.has(item.id) || hasEnded(item));
    return {
      active: [
        ...batches.filter((batch) => !isOver(batch)),
        ...active.filter((item) => !isQueued(item)),
        ...older,
        ...active.filter(isQueued).sort((one, other) => placeOf(one) - placeOf(other))
      ],
      rest: newestFirst(rest, batches.filter(isOver))
    };
  }, [items, further, firstPage, isMixed, batches]);
};
