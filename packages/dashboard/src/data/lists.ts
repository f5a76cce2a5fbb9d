/** Paged lists: further pages on demand, and all loaded pages again every few seconds while the page is visible. */
import { useInfiniteQuery, useQuery } from "@tanstack/preact-query";
import { cache, every } from "./cache.ts";

export interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export const PAGE_SIZE = 50;

const REFETCH_MS = 5_000;

/** With many pages less often: 24 requests a minute, of the 60 that a session may send to each endpoint. */
const REFETCH_MS_PER_PAGE = 2_500;

/** Somebody who reads a run for a while returns to the same rows. */
const KEPT_MS = 60 * 60_000;

const HIDDEN = ["hidden"];

/** Ids of rows that were removed here: the server still lists them until the time to undo is over. */
const useHidden = (): ReadonlyArray<string> =>
  useQuery<ReadonlyArray<string>>({
    queryKey: HIDDEN,
    queryFn: () => [],
    initialData: [],
    staleTime: Infinity,
    gcTime: Infinity
  }).data;

export const usePages = <Item extends { readonly id: string }>(
  key: ReadonlyArray<unknown>,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>
) => {
  const hidden = useHidden();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Item>) => page.next_cursor ?? undefined,
    refetchInterval: (list) => {
      const pages = list.state.data?.pages.length ?? 1;
      return every(Math.max(REFETCH_MS, pages * REFETCH_MS_PER_PAGE))(list);
    },
    gcTime: KEPT_MS
  });
  const items = query.data?.pages.flatMap(({ data }) => data).filter(({ id }) => !hidden.includes(id));
  return { ...query, items };
};

/** Requests lists again: those that are shown at once, others when they are shown. */
export const listsChanged = (key: ReadonlyArray<unknown>): void =>
  void cache.invalidateQueries({ queryKey: key });

/** Removes a row from every list, now and in later responses; returns a function that restores it. */
export const hideRow = (id: string): (() => void) => {
  const change = (to: (ids: ReadonlyArray<string>) => ReadonlyArray<string>): void =>
    void cache.setQueryData<ReadonlyArray<string>>(HIDDEN, (ids = []) => to(ids));
  change((ids) => [...ids, id]);
  return () => change((ids) => ids.filter((each) => each !== id));
};
