/**
 * Paged lists that change while they are shown: further pages on demand, and new rows merged without reloading
 * every page.
 */
import { useInfiniteQuery, type InfiniteData } from "@tanstack/preact-query";
import { cache } from "./cache.ts";

export interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface Identified {
  readonly id: string;
}

export const PAGE_SIZE = 50;

export type Pages<Item> = InfiniteData<Page<Item>, string | undefined>;

export const usePages = <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  options: { readonly enabled?: boolean } = {}
) => {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Item>) => page.next_cursor ?? undefined,
    // Refetching would reload all pages; instead the first page is reloaded when something changed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    ...options
  });
  const items = query.data?.pages.flatMap((page) => page.data);
  return { ...query, items };
};

/** Maximum rows of a list's first page, to which updates add rows: a tab may be open for days. */
export const UPDATED_ROWS_MAX = 10 * PAGE_SIZE;

/**
 * New rows go to the top; existing ones are replaced in place. If there are more new rows than a page contains,
 * some could be missing in between: then, and if the list has become too long, it is reloaded.
 */
export const withHead = <Item extends Identified>(pages: Pages<Item>, head: Page<Item>): Pages<Item> => {
  const fresh = new Map(head.data.map((item) => [item.id, item]));
  const known = new Set(pages.pages.flatMap((page) => page.data.map((item) => item.id)));
  const updated = pages.pages.map((page) => ({
    ...page,
    data: page.data.map((item) => fresh.get(item.id) ?? item)
  }));
  const [first, ...rest] = updated;
  if (first === undefined) return pages;
  const added = head.data.filter((item) => !known.has(item.id));
  const isGap = head.has_more && added.length === head.data.length;
  if (isGap || first.data.length + added.length > UPDATED_ROWS_MAX) {
    return { pages: [head], pageParams: [undefined] };
  }
  return { ...pages, pages: [{ ...first, data: [...added, ...first.data] }, ...rest] };
};

/** Reloads the first page and merges it. */
export const refreshHead = async <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  ask: () => Promise<Page<Item>>
): Promise<void> => {
  const head = await ask();
  cache.setQueryData<Pages<Item>>(key, (pages) => (pages === undefined ? pages : withHead(pages, head)));
};

/** Removes a row from every list under the key immediately; returns a function that restores it. */
export const withoutItem = <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  id: string
): (() => void) => {
  const before = cache.getQueriesData<Pages<Item>>({ queryKey: key });
  cache.setQueriesData<Pages<Item>>({ queryKey: key }, (pages) =>
    pages === undefined
      ? pages
      : {
          ...pages,
          pages: pages.pages.map((page) => ({ ...page, data: page.data.filter((item) => item.id !== id) }))
        }
  );
  return () => {
    for (const [each, pages] of before) cache.setQueryData(each, pages);
  };
};
