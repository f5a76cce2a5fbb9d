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
    queryFn: async ({ pageParam, signal }) => withoutHidden(await ask(pageParam, signal)),
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
  const head = withoutHidden(await ask());
  cache.setQueryData<Pages<Item>>(key, (pages) => (pages === undefined ? pages : withHead(pages, head)));
};

/** Ids of rows that were removed here: the server may still list them until the time to undo is over. */
const hidden = new Set<string>();

const withoutHidden = <Item extends Identified>(page: Page<Item>): Page<Item> => ({
  ...page,
  data: page.data.filter(({ id }) => !hidden.has(id))
});

/**
 * Removes a row from every list under the key immediately, and from every later response; returns a function that
 * restores it.
 */
export const withoutItem = <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  id: string
): (() => void) => {
  const before = cache.getQueriesData<Pages<Item>>({ queryKey: key });
  hidden.add(id);
  cache.setQueriesData<Pages<Item>>(
    { queryKey: key },
    (pages) => pages && { ...pages, pages: pages.pages.map(withoutHidden) }
  );
  return () => {
    hidden.delete(id);
    for (const [each, pages] of before) {
      const restored = pages && { ...pages, pages: pages.pages.map(withoutHidden) };
      // What has arrived since then stays.
      cache.setQueryData<Pages<Item>>(each, (now) => {
        const [head] = now?.pages ?? [];
        return restored && head ? withHead(restored, { ...head, has_more: false }) : restored;
      });
    }
  };
};
