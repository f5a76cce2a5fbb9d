/**
 * Paged lists that change while they are shown: further pages on demand; and while the page is visible, the newest
 * rows and one of the further pages are requested again every few seconds.
 */
import { useInfiniteQuery, useQuery, type InfiniteData } from "@tanstack/preact-query";
import { cache, every } from "./cache.ts";

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

type Ask<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;

/** Twelve requests a minute, or twice that with further pages; a session may send 60 to each endpoint. */
const REFRESH_MS = 5_000;

/** A list that was just loaded is not requested again at once. */
const LOADED_JUST_NOW_MS = 1_000;

/** Somebody who reads a run for a while returns to the same rows. */
const KEPT_MS = 60 * 60_000;

const refreshKey = (key: ReadonlyArray<unknown>): ReadonlyArray<unknown> => ["refresh", ...key];

export const usePages = <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  ask: Ask<Item>,
  /** Rows that may still change: pages with such rows are requested again first. */
  isOpen: (item: Item) => boolean = () => false
) => {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) => withoutHidden(await ask(pageParam, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Item>) => page.next_cursor ?? undefined,
    // Refetching would reload all pages at once.
    staleTime: Infinity,
    gcTime: KEPT_MS
  });
  useQuery({
    queryKey: refreshKey(key),
    queryFn: ({ signal }) => refresh(key, ask, isOpen, signal),
    enabled: query.data !== undefined,
    refetchInterval: every(REFRESH_MS),
    refetchOnWindowFocus: "always",
    staleTime: 0,
    retry: false
  });
  const items = query.data?.pages.flatMap((page) => page.data);
  return { ...query, items };
};

/** Requests lists again that are shown; others are requested again when they are shown. */
export const listsChanged = (key: ReadonlyArray<unknown>): void =>
  void cache.invalidateQueries({ queryKey: refreshKey(key) });

/** Maximum rows of a list's first page, to which updates add rows: a tab may be open for days. */
export const UPDATED_ROWS_MAX = 10 * PAGE_SIZE;

const idsOf = (rows: ReadonlyArray<Identified>): ReadonlySet<string> => new Set(rows.map(({ id }) => id));

/** What is left of rows below those of an answer, and whether the answer has all there is of them. */
const compare = <Item extends Identified>(rows: ReadonlyArray<Item>, { data, has_more }: Page<Item>) => {
  const [known, fresh] = [idsOf(rows), idsOf(data)];
  const oldest = data.at(-1);
  return {
    known,
    below: rows.slice(rows.findLastIndex(({ id }) => fresh.has(id)) + 1),
    isAll: !has_more || oldest === undefined || !known.has(oldest.id)
  };
};

/**
 * The newest rows as they are now, then the older ones that are loaded. Rows that are gone, or that a filter no
 * longer includes, disappear. If so many are new that some could be missing in between, or if the list has become
 * too long, it starts over.
 */
export const withHead = <Item extends Identified>(pages: Pages<Item>, head: Page<Item>): Pages<Item> => {
  // A search may have found nothing yet among the newest rows.
  if (head.data.length === 0 && head.has_more) return pages;
  const { below, isAll } = compare(
    pages.pages.flatMap((page) => page.data),
    head
  );
  const older = idsOf(below);
  const next = pages.pages.map((page, index) => ({
    ...page,
    data: [...(index === 0 ? head.data : []), ...page.data.filter(({ id }) => older.has(id))]
  }));
  const isTooLong = (next[0]?.data.length ?? 0) > UPDATED_ROWS_MAX;
  return isAll || isTooLong ? { pages: [head], pageParams: [undefined] } : { ...pages, pages: next };
};

/** The rows of a further page as they are now; rows that moved up from the page below it stay there. */
export const withPage = <Item extends Identified>(
  pages: Pages<Item>,
  at: number,
  answer: Page<Item>
): Pages<Item> => ({
  ...pages,
  pages: pages.pages.map((page, index) => {
    if (index !== at) return page;
    const { known, below, isAll } = compare(page.data, answer);
    const last = answer.data.findLastIndex(({ id }) => known.has(id));
    return { ...page, data: [...answer.data.slice(0, last + 1), ...(isAll ? [] : below)] };
  })
});

/** The further page whose turn it is after `last`: one with open rows if there is any; 0 without further pages. */
const nextPage = <Item>({ pages }: Pages<Item>, last: number, isOpen: (item: Item) => boolean): number => {
  const further = pages.map((_, index) => index).slice(1);
  const open = further.filter((index) => pages[index]?.data.some(isOpen));
  const turns = open.length > 0 ? open : further;
  return turns.find((index) => index > last) ?? turns[0] ?? 0;
};

/** Requests the newest rows and one further page, and merges them. Returns the number of that page. */
export const refresh = async <Item extends Identified>(
  key: ReadonlyArray<unknown>,
  ask: Ask<Item>,
  isOpen: (item: Item) => boolean,
  signal: AbortSignal
): Promise<number> => {
  const last = cache.getQueryData<number>(refreshKey(key));
  const loadedAtMs = cache.getQueryState(key)?.dataUpdatedAt ?? 0;
  if (last === undefined && Date.now() - loadedAtMs < LOADED_JUST_NOW_MS) return 0;
  const head = await ask(undefined, signal);
  cache.setQueryData<Pages<Item>>(key, (pages) => pages && withHead(pages, withoutHidden(head)));
  const pages = cache.getQueryData<Pages<Item>>(key);
  const at = pages === undefined ? 0 : nextPage(pages, last ?? 0, isOpen);
  const cursor = pages?.pageParams[at];
  if (cursor === undefined) return 0;
  const answer = await ask(cursor, signal);
  cache.setQueryData<Pages<Item>>(key, (now) =>
    now?.pageParams[at] === cursor ? withPage(now, at, withoutHidden(answer)) : now
  );
  return at;
};

/** Replaces a row in every list under the key. */
export const putInPlace = <Item extends Identified>(key: ReadonlyArray<unknown>, item: Item): void =>
  void cache.setQueriesData<Pages<Item>>(
    { queryKey: key },
    (pages) =>
      pages && {
        ...pages,
        pages: pages.pages.map((page) => ({
          ...page,
          data: page.data.map((each) => (each.id === item.id ? item : each))
        }))
      }
  );

/** Ids of rows that were removed here: the server may still list them until the time to undo is over. */
const hidden = new Set<string>();

const withoutHidden = <Item extends Identified>(page: Page<Item>): Page<Item> => ({
  ...page,
  data: page.data.filter(({ id }) => !hidden.has(id))
});

/** The list with a row where it was before: above the rows that followed it. */
const withRow = <Item extends Identified>(
  now: Pages<Item>,
  before: Pages<Item> | undefined,
  id: string
): Pages<Item> => {
  const rows = before?.pages.flatMap((page) => page.data) ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  const isThere = now.pages.some((page) => page.data.some((each) => each.id === id));
  if (row === undefined || isThere) return now;
  const followers = idsOf(rows.slice(at + 1));
  const placeIn = ({ data }: Page<Item>): number => data.findIndex((each) => followers.has(each.id));
  const found = now.pages.findIndex((page) => placeIn(page) !== -1);
  const pageAt = found === -1 ? now.pages.length - 1 : found;
  const pages = now.pages.map((page, index) =>
    index === pageAt
      ? { ...page, data: page.data.toSpliced(found === -1 ? page.data.length : placeIn(page), 0, row) }
      : page
  );
  return { ...now, pages };
};

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
      cache.setQueryData<Pages<Item>>(each, (now) => now && withRow(now, pages, id));
    }
  };
};
