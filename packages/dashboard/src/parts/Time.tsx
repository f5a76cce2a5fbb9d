/** A relative time that is updated while visible, with the full date as tooltip. Tests: format.test.ts. */
import { watched } from "../data/watched.ts";
import { ago, fullDate } from "../words/format.ts";

const MINUTE_MS = 60_000;

/** One clock for all times on a page. */
const clock = watched(Date.now());
setInterval(() => clock.set(Date.now()), MINUTE_MS);

export const Time = ({ iso }: { readonly iso: string }) => {
  clock.useValue();
  return (
    <time dateTime={iso} title={fullDate(iso)}>
      {ago(iso, Date.now())}
    </time>
  );
};
