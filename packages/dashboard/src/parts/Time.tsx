/** A relative time that is updated while visible, with the full date as tooltip. */
import { watched } from "../data/watched.ts";
import { ago, fullDate } from "../words/format.ts";

const MINUTE_MS = 60_000;

/** One clock for all times on a page. */
const clock = watched(Date.now());
setInterval(() => clock.set(Date.now()), MINUTE_MS);

/** A time slightly in the future is shown as now, because this clock and the server's may differ. */
const seenAt = (iso: string, nowMs: number): number => {
  const at = Date.parse(iso);
  return at > nowMs && at < nowMs + MINUTE_MS ? at : nowMs;
};

export const Time = ({ iso }: { readonly iso: string }) => {
  clock.useValue();
  return (
    <time dateTime={iso} title={fullDate(iso)}>
      {ago(iso, seenAt(iso, Date.now()))}
    </time>
  );
};
