/**
 * One extraction: its state, its cost, and its webhook deliveries; a complete one is in `Complete.tsx`.
 * Tests: price.test.ts, runActions.test.ts.
 */
import { isFree } from "../../data/free.ts";
import type { ExtractionDetail, FailedResult } from "@winnow/client";
import { number, signed, usd } from "../../words/format.ts";
import { runWords, statementWords } from "./words.ts";
import { statusWords, words, cachedText, receiptWords } from "../../words/words.ts";
import { href, serverPath } from "../../data/addresses.ts";
import { useRunDeliveries } from "../../data/deliveries.ts";
import { siteOf, nameOf, shortUrl } from "../../parts/runTexts.ts";
import { hasEnded, useResult, useRun } from "../../data/extractions.ts";
import { isForUnknownLength, receiptRows } from "../../parts/Receipt.tsx";
import { Loading, Problem, Waiting } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Status, DeliveryStatus } from "../../parts/Status.tsx";
import { Sums } from "../../parts/Sums.tsx";
import { Time } from "../../parts/Time.tsx";
import { Actions } from "./Actions.tsx";
import { Complete } from "./Complete.tsx";
import { WebLink } from "./Facts.tsx";
import { RawJson } from "./Files.tsx";
import { Request } from "./Request.tsx";
import { Steps } from "./Steps.tsx";

// The cost with its reasons, and the webhook deliveries.

const reasonOf = (run: ExtractionDetail): string => {
  if (run.cached) return cachedText;
  if (!hasEnded(run) && isForUnknownLength(run, run.price)) return receiptWords.unknownLength;
  if (run.creditsRefunded === 0) return "";
  return run.status === "failed" ? statementWords.failed : statementWords.notFound;
};

const Statement = ({ run }: { readonly run: ExtractionDetail }) => {
  const paid = run.creditsDebited - run.creditsRefunded;
  const reason = reasonOf(run);
  return (
    <Panel title={statementWords.title}>
      <Sums
        rows={[
          ...receiptRows(run.price, statementWords.debited),
          [statementWords.refunded, signed(-run.creditsRefunded)],
          [
            statementWords.paid,
            <>
              {number(paid)} {words.creditsUnit(paid)} <span class="hint">{usd(paid)}</span>
            </>,
            true
          ]
        ]}
      />
      {reason === "" ? null : <p class="hint">{reason}</p>}
      <a href={href("settings/usage")}>{statementWords.ledger}</a>
    </Panel>
  );
};

const RunDeliveries = ({ id }: { readonly id: string }) => {
  const { data: deliveries = [] } = useRunDeliveries(id);
  if (deliveries.length === 0) return null;
  return (
    <Panel title={words.deliveries}>
      <ul class="stack tight">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="row">
            <DeliveryStatus status={delivery.status} />
            <a href={href(`developers/webhooks?delivery=${delivery.id}`)}>{siteOf(delivery.url)}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
};

const Failed = ({ result: { error, failure } }: { readonly result: FailedResult }) =>
  failure.reason === "cancelled" ? (
    <section class="notice calm" aria-label={statusWords.cancelled}>
      <p>
        <strong>{error}</strong> {failure.hint}
      </p>
    </section>
  ) : (
    <section class="problem" aria-label={statusWords.failed}>
      <p>
        <strong>{error}</strong>
      </p>
      <p>
        {failure.hint} {failure.retryable ? runWords.retryable : runWords.final}
      </p>
      <a href={serverPath("docs/troubleshooting#reasons-of-failed-runs")}>{words.troubleshooting}</a>
    </section>
  );

const Body = ({ run }: { readonly run: ExtractionDetail }) => {
  const { data: result, error, refetch } = useResult(run.id, hasEnded(run));
  const rest = (
    <>
      {isFree ? null : <Statement run={run} />}
      <Request run={run} result={result?.status === "complete" ? result : null} />
      {hasEnded(run) ? <RunDeliveries id={run.id} /> : null}
    </>
  );
  if (result?.status === "complete") return <Complete run={run} result={result} rest={rest} />;
  if (result === undefined && error !== null) return <Problem error={error} retry={() => void refetch()} />;
  // The reason, of unknown height, comes first.
  if (result === undefined && run.status === "failed") return <Loading />;
  return (
    <div class="run">
      <div class="stack">
        {!hasEnded(run) ? (
          <Steps run={run} />
        ) : result === undefined ? (
          <span class="skeleton player" aria-hidden="true" />
        ) : (
          <>
            <Failed result={result} />
            <RawJson value={result} />
          </>
        )}
      </div>
      <div class="stack">{rest}</div>
    </div>
  );
};

const Run = ({ id = "" }: { readonly id?: string }) => {
  const query = useRun(id);
  const { data } = query;
  return (
    <>
      <PageHead
        title={data === undefined ? words.extraction : nameOf(data)}
        hint={
          data === undefined ? (
            " "
          ) : (
            <span class="row">
              <WebLink url={data.url}>{shortUrl(data.url)}</WebLink>
              <Time iso={data.createdAt} />
              <Status run={data} />
            </span>
          )
        }
      >
        {data === undefined ? <div class="run-actions" /> : <Actions run={data} />}
      </PageHead>
      <Waiting query={query} lines={5}>
        {(run) => <Body key={run.id} run={run} />}
      </Waiting>
    </>
  );
};

export default Run;
