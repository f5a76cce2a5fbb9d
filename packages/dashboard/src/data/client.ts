/**
 * The only access to the service: @winnow/client with the web session of the current user; and their account.
 * Tests: browser.test.ts, manyTabs.test.ts.
 */
import { Winnow, type AccountOverview } from "@winnow/client";
import { useQuery } from "@tanstack/preact-query";
import { SERVER } from "./addresses.ts";
import { every, keys } from "./cache.ts";
import { sessionIsLive } from "./session.ts";

/** Deletions delayed for "undo" are sent even while the page is closing. */
const lastingFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, keepalive: init?.method === "DELETE" });

export const winnow = new Winnow({
  session: true,
  baseUrl: SERVER.pathname,
  // Queries have their own retries, and show how long to wait after a 429.
  maxRetries: 0,
  fetch: lastingFetch
});

const POLL_MS = 10_000;

export const useAccount = () =>
  useQuery({
    queryKey: keys.account,
    queryFn: async ({ signal }): Promise<AccountOverview> => {
      const account = await winnow.account({ signal });
      sessionIsLive();
      return account;
    },
    refetchInterval: every(POLL_MS)
  });
