/**
 * The account's event stream while the app is open, and the queries it invalidates. Progress of runs comes through
 * it too, so that a hundred rows do not need a hundred streams.
 */
import { ApiError, type AccountEvent, type ExtractionProgress } from "@winnow/client";
import { useEffect, useState } from "preact/hooks";
import { cache, keys } from "./cache.ts";
import { winnow } from "./client.ts";
import { deliveriesChanged } from "./deliveries.ts";
import { hasEnded, type ExtractionItem } from "./extractions.ts";
import type { Pages } from "./lists.ts";
import { sessionIsOver } from "./session.ts";

const AGAIN_MS = 5_000;
/** Events within this time, such as a hundred submits, reload the lists once. */
const GATHER_MS = 400;

const progresses = new Map<string, ExtractionProgress>();
const watchers = new Map<string, Set<(progress: ExtractionProgress | null) => void>>();

const setProgress = (id: string, progress: ExtractionProgress | null): void => {
  if (progress === null) progresses.delete(id);
  else progresses.set(id, progress);
  for (const watcher of watchers.get(id) ?? []) watcher(progress);
};

/** Progress of a run; null before the first event and after its end. */
export const useProgress = (id: string, isLive: boolean): ExtractionProgress | null => {
  const [progress, set] = useState(progresses.get(id) ?? null);
  useEffect(() => {
    if (!isLive) return undefined;
    const all = watchers.get(id) ?? new Set();
    watchers.set(id, all.add(set));
    set(progresses.get(id) ?? null);
    return () => {
      all.delete(set);
      if (all.size === 0) watchers.delete(id);
    };
  }, [id, isLive]);
  return isLive ? progress : null;
};

let gathering: ReturnType<typeof setTimeout> | undefined;

/** Lists that are not shown are reloaded when they are shown. */
const listsChanged = (): void => {
  gathering ??= setTimeout(() => {
    gathering = undefined;
    void cache.invalidateQueries({ queryKey: keys.everyList, refetchType: "none" });
    dispatchEvent(new Event("winnow:lists"));
  }, GATHER_MS);
};

const putInPlace = (item: ExtractionItem): void => {
  let isShown = false;
  cache.setQueriesData<Pages<ExtractionItem>>({ queryKey: keys.everyList }, (pages) => {
    if (pages === undefined) return pages;
    const next = pages.pages.map((page) => ({
      ...page,
      data: page.data.map((each) => {
        if (each.id !== item.id) return each;
        isShown = true;
        return item;
      })
    }));
    return { ...pages, pages: next };
  });
  if (!isShown || hasEnded(item)) listsChanged();
};

const onEvent = (event: AccountEvent): void => {
  if (event.event === "delivery") deliveriesChanged();
  else if (event.event === "balance") {
    // The first event of every stream: earlier changes are already in the lists.
    void cache.invalidateQueries({ queryKey: keys.account });
    listsChanged();
  } else {
    const { id, extraction, progress, deleted } = event.data;
    if (progress !== null) setProgress(id, progress);
    if (deleted) {
      setProgress(id, null);
      listsChanged();
    }
    if (extraction === null) return;
    if (hasEnded(extraction)) setProgress(id, null);
    putInPlace(extraction);
    void cache.invalidateQueries({ queryKey: keys.run(id) });
  }
};

/** Reconnects the stream while somebody is signed in. */
const watch = async (signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      for await (const event of winnow.events({ signal })) onEvent(event);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 401) {
        sessionIsOver();
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
};

export const useAccountEvents = (isSignedIn: boolean): void => {
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const end = new AbortController();
    void watch(end.signal);
    return () => end.abort();
  }, [isSignedIn]);
};
