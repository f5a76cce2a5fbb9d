/**
 * Step and percentage of a run in progress. An open event stream would hold one of the six connections that a
 * browser opens to a host, so its newest event is read every two seconds, and the stream closed. Tests: browser.test.ts, manyTabs.test.ts.
 */
import { useQuery } from "@tanstack/preact-query";
import type { ExtractionProgress } from "@winnow/client";
import { cache, changed, every, keys } from "./cache.ts";
import { winnow } from "./client.ts";

const LOOK_EVERY_MS = 2_000;
/**
 * A download reports four times a second, everything else is repeated every three seconds. With the time between, a
 * look takes no multiple of that, so that none of them falls between the same two reports again and again.
 */
const LOOK_MAX_MS = 1_500;
/** Until the first event, which is sent at once, from a busy server. */
const OPEN_MAX_MS = 10_000;

/** What is known already, if no event with a step arrives in time. */
const look = async (id: string, signal: AbortSignal): Promise<ExtractionProgress | null> => {
  const over = new AbortController();
  const endIn = (ms: number) => setTimeout(() => over.abort(), ms);
  signal.addEventListener("abort", () => over.abort(), { once: true });
  let timer = endIn(OPEN_MAX_MS);
  let isOpen = false;
  try {
    for await (const { event, data } of winnow.extractions.events(id, { signal: over.signal })) {
      if (!isOpen) {
        clearTimeout(timer);
        timer = endIn(LOOK_MAX_MS);
        isOpen = true;
      }
      if (event === "result") {
        changed(keys.run(id));
        return null;
      }
      if (data.step !== null) return data;
    }
  } catch (error) {
    if (signal.aborted || !over.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return cache.getQueryData<ExtractionProgress | null>(["progress", id]) ?? null;
};

/** Null before the first step and after the end. */
export const useProgress = (id: string, isLive: boolean): ExtractionProgress | null => {
  const { data = null } = useQuery({
    queryKey: ["progress", id],
    queryFn: ({ signal }) => look(id, signal),
    enabled: isLive,
    refetchInterval: every(LOOK_EVERY_MS),
    retry: false
  });
  return isLive ? data : null;
};
