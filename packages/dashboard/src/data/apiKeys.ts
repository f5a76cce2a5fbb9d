/** API keys of the account and what each one used. */
import { useQuery } from "@tanstack/preact-query";
import { keys } from "./cache.ts";
import { winnow } from "./client.ts";

export const useApiKeys = () =>
  useQuery({ queryKey: keys.apiKeys, queryFn: ({ signal }) => winnow.apiKeys.list({ signal }) });

/** By day and by key, of the last days up to today. */
export const useUsage = (days: number) =>
  useQuery({
    queryKey: keys.usage(days),
    queryFn: ({ signal }) => winnow.usage({ days, signal }),
    // Another period takes the place of the one that is shown.
    placeholderData: (before) => before
  });
