/**
 * The query cache: retries, retention, polling, the handling of 401, and paged lists.
 * Tests: lists.test.ts, states.test.ts, manyTabs.test.ts.
 */
import { QueryCache, MutationCache, QueryClient, useInfiniteQuery } from "@tanstack/preact-query";
import { ApiError, ConnectionError, TimeoutError } from "@winnow/client";
import { sessionIsOver } from "./session.ts";
import { watched } from "./watched.ts";

const FRESH_MS = 5_000;
const RETRIES_MAX = 2;

const watchForSession = (error: unknown): void => {
  if (error instanceof ApiError && error.status === 401) sessionIsOver();
};

/** Server and network errors, after which the same may succeed; refusals are not. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && error.status >= 500);

export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: watchForSession }),
  mutationCache: new MutationCache({ onError: watchForSession }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < RETRIES_MAX && isRetryable(error),
      // The page shows that it is offline, and still shows cached data.
      networkMode: "always"
    },
    mutations: { networkMode: "always" }
  }
});

/**
 * Chrome keeps pages for its back button with their open requests, which take the connections of other pages: they
 * end with the visit, and start again if somebody returns.
 */
export const endRequestsWithVisit = (): void => {
  addEventListener("pagehide", () => void cache.cancelQueries());
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    void cache.refetchQueries({ type: "active", predicate: ({ state }) => state.data === undefined });
  });
};

/** Query keys that several files name; others stand where they are used. */
export const keys = {
  account: ["account"],
  failedToday: ["failedToday"],
  run: (id: string) => ["run", id],
  results: ["results"],
  apiKeys: ["apiKeys"],
  endpoints: ["endpoints"],
  quotes: ["quote"]
} as const;

type Key = ReadonlyArray<unknown>;

/** Asks again for what is shown of it at once, and for the rest when it is shown. */
export const changed = (...queryKeys: ReadonlyArray<Key>): void => {
  for (const queryKey of queryKeys) void cache.invalidateQueries({ queryKey });
};

/** How long the server asks to wait after too many requests; 0 for other errors. */
export const waitMsOf = (error: unknown): number =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) * 1_000 : 0;

/** For `refetchInterval`: later if the server asks to wait. */
export const every =
  (ms: number) =>
  ({ state }: { readonly state: { readonly error: Error | null } }): number =>
    Math.max(ms, waitMsOf(state.error));

// Paged lists: further pages on demand, and all loaded pages again every few seconds while the page is visible.

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

/** Ids of rows that were removed here: the server still lists them until the time to undo is over. */
const hidden = watched<ReadonlyArray<string>>([]);

/** Removes a row from every list, now and in later responses; returns a function that restores it. */
export const hideRow = (id: string): (() => void) => {
  hidden.set([...hidden.get(), id]);
  return () => hidden.set(hidden.get().filter((each) => each !== id));
};

export const usePages = <Item extends { readonly id: string }>(
  key: Key,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  isWanted = true
) => {
  const removed = hidden.useValue();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Item>) => page.next_cursor ?? undefined,
    refetchInterval: (list) => {
      const pages = list.state.data?.pages.length ?? 1;
      return every(Math.max(REFETCH_MS, pages * REFETCH_MS_PER_PAGE))(list);
    },
    gcTime: KEPT_MS,
    enabled: isWanted
  });
  const items = query.data?.pages.flatMap(({ data }) => data).filter(({ id }) => !removed.includes(id));
  return { ...query, items };
};
