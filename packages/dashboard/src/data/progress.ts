/**
 * Step and percentage of a run in progress. An open event stream would hold one of the six connections that a
 * browser opens to a host, so its newest event is read every two seconds, and the stream closed.
 */
import { useQuery } from "@tanstack/preact-query";
import type { ExtractionProgress } from "@winnow/client";
import { cache, keys, every } from "./cache.ts";
import { winnow } from "./client.ts";

const LOOK_EVERY_MS = 2_000;
/** A download reports four times a second; other steps are repeated every three seconds. */
const LOOK_MAX_MS = 1_000;

/** What is known already, if no event with a step arrives in time. */
const look = async (id: string, signal: AbortSignal): Promise<ExtractionProgress | null> => {
  const end = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MAX_MS)]);
  try {
    for await (const { event, data } of winnow.extractions.events(id, { signal: end })) {
      if (event === "result") {
        void cache.invalidateQueries({ queryKey: keys.run(id), exact: true });
        return null;
      }
      if (data.step !== null) return data;
    }
  } catch (error) {
    if (signal.aborted || !end.aborted) throw error;
  }
  return cache.getQueryData<ExtractionProgress | null>(keys.progress(id)) ?? null;
};

/** Null before the first step and after the end. */
export const useProgress = (id: string, isLive: boolean): ExtractionProgress | null => {
  const { data = null } = useQuery({
    queryKey: keys.progress(id),
    queryFn: ({ signal }) => look(id, signal),
    enabled: isLive,
    refetchInterval: every(LOOK_EVERY_MS),
    retry: false
  });
  return isLive ? data : null;
};
