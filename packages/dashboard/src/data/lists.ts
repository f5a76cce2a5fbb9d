/**
 * Lists that come in pages and change while one looks at them: further pages on demand, and what is new put in
 * place without asking for every page again.
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
    // All pages would be asked for again: the head alone is, by whoever knows that something changed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    ...options
  });
  const items = query.data?.pages.flatMap((page) => page.data);
  return { ...query, items };
};

/** Rows that a list keeps of what came by itself: a tab may be open for days. */
export const CAME_BY_ITSELF_MAX = 10 * PAGE_SIZE;

/**
 * What is new stands before what was there; what was there already is replaced where it stands. Where more is new than
 * a page holds, something in between would be missing: then, and where too much has come, the list begins anew.
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
  if (isGap || first.data.length + added.length > CAME_BY_ITSELF_MAX) {
    return { pages: [head], pageParams: [undefined] };
  }
  return { ...pages, pages: [{ ...first, data: [...added, ...first.data] }, ...rest] };
};

/** Asks for the first page again and puts it in place. */
export const refreshHead = async <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  ask: () => Promise<Page<Item>>
): Promise<void> => {
  const head = await ask();
  cache.setQueryData<Pages<Item>>(key, (pages) => (pages === undefined ? pages : withHead(pages, head)));
};

/** Takes one out of every list under the key, at once; answers what puts it back. */
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
