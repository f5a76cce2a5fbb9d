/** The query cache: retries, retention, and the handling of 401. */
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

/** Query keys, so that an event can invalidate them by name. */
export const keys = {
  account: ["account"],
  signIn: ["signIn"],
  members: ["members"],
  extractions: (filters: object) => ["extractions", filters],
  everyList: ["extractions"],
  run: (id: string) => ["run", id],
  result: (id: string) => ["result", id],
  request: (id: string) => ["request", id],
  text: (id: string, name: string) => ["text", id, name],
  schemas: ["schemas"],
  schema: (id: string) => ["schema", id],
  apiKeys: ["apiKeys"],
  endpoints: ["endpoints"],
  deliveries: (filter: object) => ["deliveries", filter],
  everyDeliveries: ["deliveries"],
  delivery: (id: string) => ["delivery", id],
  ledger: ["ledger"],
  usage: (days: number) => ["usage", days],
  billing: ["billing"]
} as const;
