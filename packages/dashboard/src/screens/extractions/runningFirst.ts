/** Running and queued extractions stand before the others, also those that are older than the rows that are loaded. */
import { useMemo } from "preact/hooks";
import { useAccount } from "../../data/client.ts";
import { hasEnded, useRunning, type ExtractionItem, type Filters } from "../../data/extractions.ts";

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

/** The running first, newest first, then the queued ones in the order in which they start. */
export const useRunningFirst = ({ items = NO_ITEMS, data }: Listed, filters: Filters) => {
  const { data: account } = useAccount();
  const isMixed = filters.status === undefined;
  const listed = items.filter((item) => !hasEnded(item) && !isQueued(item)).length;
  const isAnyMissing = isMixed && (account?.runningExtractions ?? 0) > listed;
  const { data: running } = useRunning(filters, isAnyMissing);
  const further = isAnyMissing ? running?.data : undefined;
  const firstPage = data?.pages[0]?.data;
  return useMemo(() => {
    const ids = new Set(items.map(({ id }) => id));
    const older = (further ?? []).filter(({ id }) => !ids.has(id));
    // Those of further pages stay where they are: rows that are read do not move when a page is loaded.
    const first = new Set((isMixed ? (firstPage ?? []) : []).map(({ id }) => id));
    const active = items.filter((item) => first.has(item.id) && !hasEnded(item));
    const rest = items.filter((item) => !first.has(item.id) || hasEnded(item));
    return {
      active: [
        ...active.filter((item) => !isQueued(item)),
        ...older,
        ...active.filter(isQueued).sort((one, other) => placeOf(one) - placeOf(other))
      ],
      rest
    };
  }, [items, further, firstPage, isMixed]);
};
