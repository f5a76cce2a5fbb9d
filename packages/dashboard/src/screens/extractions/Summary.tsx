/** What goes on in the account, as counts; each is a link to the list of what it counts. */
import { href } from "../../data/addresses.ts";
import { useAccount } from "../../data/client.ts";
import { today, useFailedToday } from "../../data/extractions.ts";
import { number } from "../../words/format.ts";
import { statusWords } from "../../words/words.ts";
import { listWords } from "./words.ts";

interface CountProps {
  readonly name: string;
  /** Undefined while it is loading. */
  readonly text: string | undefined;
  readonly filter: string;
}

const Count = ({ name, text, filter }: CountProps) => (
  <li>
    <a class="count" href={href(`?${filter}`)}>
      {name} <strong>{text ?? "–"}</strong>
    </a>
  </li>
);

export const Summary = () => {
  const { data: account } = useAccount();
  const { data: failed } = useFailedToday();
  const of = (count: number | undefined): string | undefined =>
    count === undefined ? undefined : number(count);
  return (
    <ul class="counts" aria-label={listWords.summary}>
      <Count name={statusWords.working} text={of(account?.runningExtractions)} filter="status=running" />
      <Count name={statusWords.queued} text={of(account?.queuedExtractions)} filter="status=queued" />
      <Count
        name={listWords.failedToday}
        text={failed === undefined ? undefined : number(failed.count) + (failed.isMore ? "+" : "")}
        filter={`status=failed&since=${today()}`}
      />
    </ul>
  );
};
