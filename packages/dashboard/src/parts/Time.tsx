/** How long ago, kept true while it is seen, with the full date behind it. */
import { useEffect, useState } from "preact/hooks";
import { ago, fullDate } from "../words/format.ts";

const MINUTE_MS = 60_000;

/** One clock for all times of a page. */
let nowMs = Date.now();
const watchers = new Set<(nowMs: number) => void>();
setInterval(() => {
  nowMs = Date.now();
  for (const watcher of watchers) watcher(nowMs);
}, MINUTE_MS);

export const useNow = (): number => {
  const [now, set] = useState(nowMs);
  useEffect(() => {
    watchers.add(set);
    set((nowMs = Date.now()));
    return () => void watchers.delete(set);
  }, []);
  return now;
};

/** What was just made is not "in 20 seconds": the clock above goes by minutes. What is far ahead is. */
const seenAt = (iso: string, now: number): number => {
  const at = Date.parse(iso);
  return at > now && at < now + MINUTE_MS ? Math.max(Date.now(), at) : now;
};

export const Time = ({ iso }: { readonly iso: string }) => {
  const now = useNow();
  return (
    <time dateTime={iso} title={fullDate(iso)}>
      {ago(iso, seenAt(iso, now))}
    </time>
  );
};
