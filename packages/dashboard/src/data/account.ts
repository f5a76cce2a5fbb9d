/** The account: its balance, and how many extractions are running and waiting. */
import { useQuery } from "@tanstack/preact-query";
import type { AccountOverview } from "@winnow/client";
import { keys } from "./cache.ts";
import { winnow } from "./client.ts";
import { every } from "./polling.ts";
import { sessionIsLive } from "./session.ts";

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
