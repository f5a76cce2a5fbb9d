/** The list of extractions: live, filtered by the URL. A batch is one row of it, unless something is looked for. Tests: lists.test.ts. */
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useBatches } from "../../data/batches.ts";
import {
  FILTER_NAMES,
  NO_BATCH,
  useExtractions,
  type Extractions as Listed,
  type Filters
} from "../../data/extractions.ts";
import { PageHead } from "../../parts/Page.tsx";
import { navWords } from "../../words/words.ts";
import { ListFilters } from "./Filters.tsx";
import { FirstRun } from "./FirstRun.tsx";
import { RunList } from "./RunList.tsx";
import { Summary } from "./Summary.tsx";

const filtersOf = (query: Readonly<Record<string, string>>): Filters =>
  Object.fromEntries(FILTER_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

/** With more extractions, nobody needs to be told the first steps. */
const FIRST_STEPS_UP_TO = 5;

/**
 * The batches that belong between the extractions that are loaded, and the list with both: its further pages end with
 * the last batch.
 */
const useWithBatches = (list: Listed, isWanted: boolean) => {
  const { items: all = [], ...pages } = useBatches(isWanted);
  const { items, hasNextPage } = list;
  const since = hasNextPage ? (items?.at(-1)?.createdAt ?? "") : "";
  const isWhole = items !== undefined && !(isWanted && pages.isPending);
  const batches = isWanted && isWhole ? all.filter(({ createdAt }) => createdAt >= since) : [];
  // Others may stand between the same extractions.
  const isBehind = hasNextPage && pages.hasNextPage && batches.length === all.length;
  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage, error } = pages;
  useEffect(() => {
    if (isBehind && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isBehind, isFetchingNextPage]);
  // Both at once: rows that are read do not move.
  if (!isWhole) return { list: { ...list, items: undefined, hasNextPage: false } as Listed, batches };
  if (!isWanted || hasNextPage || !pages.hasNextPage) return { list, batches };
  const more = { hasNextPage: true, isFetchingNextPage, isFetchNextPageError, fetchNextPage, error };
  return { list: { ...list, ...more } as Listed, batches };
};

export const Extractions = () => {
  const { query, route } = useLocation();
  const given = filtersOf(query);
  const isWhole = Object.keys(given).length === 0;
  const filters = isWhole ? { batchId: NO_BATCH } : given;
  const { list, batches } = useWithBatches(useExtractions(filters), isWhole);
  const count = list.items === undefined ? undefined : list.items.length + batches.length;
  const isFirstRun = isWhole && count === 0 && !list.hasNextPage;
  return (
    <>
      <PageHead title={navWords.extractions} />
      <ListFilters filters={given} onChange={(change) => route(href("", { ...given, ...change }), true)} />
      {isFirstRun ? (
        <div class="list">
          <FirstRun hasExtracted={false} />
        </div>
      ) : (
        <RunList list={list} filters={filters} batches={batches} counts={<Summary />}>
          {isWhole && count !== undefined && count > 0 && count <= FIRST_STEPS_UP_TO ? (
            <FirstRun hasExtracted />
          ) : null}
        </RunList>
      )}
    </>
  );
};
