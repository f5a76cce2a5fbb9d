/** The query cache: retries, retention, polling, and the handling of 401. */
import { QueryCache, MutationCache, QueryClient } from "@tanstack/preact-query";
import { ApiError, ConnectionError, TimeoutError } from "@winnow/client";
import { sessionIsOver } from "./session.ts";

const FRESH_MS = 5_000;
const RETRIES_MAX = 2;

const watchForSession = (error: unknown): void => {
  if (error instanceof ApiError && error.status === 401) sessionIsOver();
};

/** Server and network errors are retried; refusals are not. */
const isRetryable = (error: unknown): boolean =>
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

/** Query keys, so that a change can invalidate them by name. */
export const keys = {
  account: ["account"],
  signIn: ["signIn"],
  members: ["members"],
  extractions: (filters: object) => ["extractions", filters],
  everyList: ["extractions"],
  run: (id: string) => ["run", id],
  progress: (id: string) => ["progress", id],
  result: (id: string) => ["result", id],
  request: (id: string) => ["request", id],
  text: (id: string, name: string) => ["text", id, name],
  schemas: ["schemas"],
  schema: (id: string) => ["schema", id],
  apiKeys: ["apiKeys"],
  endpoints: ["endpoints"],
  deliveries: (filter: object) => ["deliveries", filter],
  everyDeliveries: ["deliveries"],
  runDeliveries: (id: string) => ["runDeliveries", id],
  delivery: (id: string) => ["delivery", id],
  quotes: ["quote"],
  quotesOf: (url: string, mode: string) => ["quote", url, mode],
  quote: (url: string, mode: string, scope: string) => ["quote", url, mode, scope],
  ledger: ["ledger"],
  usage: (days: number) => ["usage", days],
  billing: ["billing"]
} as const;

const SECOND_MS = 1_000;

/** How long the server asks to wait after too many requests; 0 for other errors. */
export const waitMsOf = (error: unknown): number =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) * SECOND_MS : 0;

/** For `refetchInterval`: later if the server asks to wait. */
export const every =
  (ms: number) =>
  ({ state }: { readonly state: { readonly error: Error | null } }): number =>
    Math.max(ms, waitMsOf(state.error));
