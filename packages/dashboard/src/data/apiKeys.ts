/** API keys of the account and what each one used. Tests: states.test.ts, price.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import { keys } from "./cache.ts";
import { winnow } from "./client.ts";

export const useApiKeys = (isWanted = true) =>
  useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => winnow.apiKeys.list({ signal }),
    enabled: isWanted
  });

/** The last days up to today, or a month: `YYYY-MM`, UTC. */
export type UsagePeriod = { readonly days: number } | { readonly month: string };

/** By day, by key and by schema. */
export const useUsage = (period: UsagePeriod) =>
  useQuery({
    queryKey: ["usage", period],
    queryFn: ({ signal }) => winnow.usage({ ...period, signal }),
    // Another period takes the place of the one that is shown.
    placeholderData: (before) => before
  });
