/** What goes on in the account, as counts; each is a link to the list of what it counts. Tests: lists.test.ts. */
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { useQuery } from "@tanstack/preact-query";
import { every, keys } from "../../data/cache.ts";
import { useAccount, winnow } from "../../data/client.ts";
import { FAILED_MAX, failedText, midnight, today } from "../../data/extractions.ts";
import { reviewOf, useToCheck } from "../../data/results.ts";
import { number } from "../../words/format.ts";
import { statusWords, toCheckWord } from "../../words/words.ts";
import { listWords } from "./words.ts";

/** Runs that this page starts or ends refresh the count at once. */
const COUNT_EVERY_MS = 60_000;

const useFailedToday = () =>
  useQuery({
    queryKey: keys.failedToday,
    queryFn: ({ signal }) => {
      const since = midnight(today(), 0);
      return failedText(winnow.extractions.list({ status: "failed", since, limit: FAILED_MAX, signal }));
    },
    refetchInterval: every(COUNT_EVERY_MS)
  });

interface CountProps {
  readonly name: string;
  /** Undefined while it is loading, null if it is not known. */
  readonly text: string | null | undefined;
  readonly address: string;
  /** Somebody should look into it. */
  readonly isOpen?: boolean;
}

export const Count = ({ name, text, address, isOpen = false }: CountProps) => (
  <li>
    <a
      class={isOpen ? "count open" : "count"}
      href={address}
      aria-current={useLocation().url === address ? "true" : undefined}
    >
      {name} <strong>{text ?? "–"}</strong>
    </a>
  </li>
);

export const ToCheck = (props: Pick<CountProps, "text" | "address">) => (
  <Count {...props} name={toCheckWord} isOpen={props.text != null && props.text !== "0"} />
);

export const Summary = () => {
  const { data: account } = useAccount();
  const { data: failed } = useFailedToday();
  const of = (count: number | undefined): string | undefined =>
    count === undefined ? undefined : number(count);
  const { data: toCheck } = useToCheck();
  return (
    <ul class="counts" aria-label={listWords.summary}>
      <Count
        name={statusWords.working}
        text={of(account?.runningExtractions)}
        address={href("?status=running")}
      />
      <Count
        name={statusWords.queued}
        text={of(account?.queuedExtractions)}
        address={href("?status=queued")}
      />
      <Count name={listWords.failedToday} text={failed} address={href(`?status=failed&since=${today()}`)} />
      <ToCheck text={toCheck} address={reviewOf()} />
    </ul>
  );
};
