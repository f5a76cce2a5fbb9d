/** The cost with its reasons, the duration of each step, and the webhook deliveries. */
import type { ExtractionDetail, TerminalResult } from "@winnow/client";
import { fullDate, number } from "../../words/format.ts";
import { milliseconds, usd } from "../../words/measures.ts";
import { words } from "../../words/words.ts";
import { href } from "../../data/addresses.ts";
import { useRunDeliveries } from "../../data/deliveries.ts";
import { DeliveryStatus } from "../../parts/Status.tsx";
import { siteOf } from "../../parts/runTexts.ts";

export interface StatementProps {
  readonly run: ExtractionDetail;
  readonly result: TerminalResult<unknown> | undefined;
}

const reasonOf = ({ run, result }: StatementProps): string => {
  if (run.cached) return words.money.cached;
  if (run.creditsRefunded === 0) return "";
  if (result?.status === "failed") return words.statement.failed;
  return words.statement.notFound;
};

export const Statement = ({ run, result }: StatementProps) => {
  const paid = run.creditsDebited - run.creditsRefunded;
  const reason = reasonOf({ run, result });
  return (
    <section class="panel stack tight" aria-label={words.statement.title}>
      <h2>{words.statement.title}</h2>
      <dl class="sums">
        <div>
          <dt>{words.statement.debited}</dt>
          <dd>{number(run.creditsDebited)}</dd>
        </div>
        <div>
          <dt>{words.statement.refunded}</dt>
          <dd>{run.creditsRefunded === 0 ? "0" : `− ${number(run.creditsRefunded)}`}</dd>
        </div>
        <div class="total">
          <dt>{words.statement.paid}</dt>
          <dd>
            {number(paid)} {words.creditsUnit(paid)} <span class="hint">{usd(paid)}</span>
          </dd>
        </div>
      </dl>
      {reason === "" ? null : <p class="hint">{reason}</p>}
    </section>
  );
};

interface Stretch {
  readonly name: string;
  readonly ms: number;
}

const stretchesOf = ({ run, result }: StatementProps): ReadonlyArray<Stretch> => {
  const created = Date.parse(run.createdAt);
  const ended = run.completedAt === null ? null : Date.parse(run.completedAt);
  if (ended === null) return [];
  if (result?.status !== "complete" || run.cached)
    return [{ name: words.statement.inAll, ms: ended - created }];
  const { startedAt, finishedAt } = result.summary;
  return [
    { name: words.statement.waited, ms: startedAt - created },
    { name: words.statement.worked, ms: finishedAt - startedAt },
    { name: words.statement.settled, ms: ended - finishedAt }
  ].filter(({ ms }) => ms >= 0);
};

export const TimeLine = (props: StatementProps) => {
  const stretches = stretchesOf(props);
  const { run } = props;
  return (
    <section class="panel stack tight" aria-label={words.statement.timeLine}>
      <h2>{words.statement.timeLine}</h2>
      <ol class="time-line">
        <li>
          <span>{words.statement.submitted}</span>{" "}
          <time dateTime={run.createdAt}>{fullDate(run.createdAt)}</time>
        </li>
        {stretches.map(({ name, ms }) => (
          <li key={name}>
            <span>{name}</span> <span>{milliseconds(ms)}</span>
          </li>
        ))}
        {run.completedAt === null ? null : (
          <li>
            <span>{run.status === "failed" ? words.status.failed : words.status.done}</span>{" "}
            <time dateTime={run.completedAt}>{fullDate(run.completedAt)}</time>
          </li>
        )}
      </ol>
    </section>
  );
};

export const RunDeliveries = ({ id }: { readonly id: string }) => {
  const { data: deliveries = [] } = useRunDeliveries(id, true);
  if (deliveries.length === 0) return null;
  return (
    <section class="panel stack tight" aria-label={words.webhooks.deliveries}>
      <h2>{words.webhooks.deliveries}</h2>
      <ul class="stack tight">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="row">
            <DeliveryStatus status={delivery.status} />
            <a href={href(`deliveries/${delivery.id}`)}>{siteOf(delivery.url)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
};
