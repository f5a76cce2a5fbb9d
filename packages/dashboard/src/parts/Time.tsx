/** A relative time that is updated while visible, with the full date as tooltip. */
import { useEffect, useState } from "preact/hooks";
import { ago, fullDate } from "../words/format.ts";

const MINUTE_MS = 60_000;

/** One clock for all times on a page. */
let nowMs = Date.now();
const watchers = new Set<(nowMs: number) => void>();
setInterval(() => {
  nowMs = Date.now();
  for (const watcher of watchers) watcher(nowMs);
}, MINUTE_MS);

const useNow = (): number => {
  const [now, set] = useState(nowMs);
  useEffect(() => {
    watchers.add(set);
    set((nowMs = Date.now()));
    return () => void watchers.delete(set);
  }, []);
  return now;
};

/** A time slightly in the future is shown as now, because the clock above ticks by minutes. */
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
