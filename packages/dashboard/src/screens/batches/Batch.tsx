/** A batch: its name, how far it is, its actions, and its links as rows of the list. Tests: batches.test.ts. */
import { isFree } from "../../data/free.ts";
import { BATCH_NAME_CHARS_MAX, type Batch as BatchDetail } from "@winnow/client";
import { useLocation, useRoute } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { batchChanged, useBatch } from "../../data/batches.ts";
import { winnow } from "../../data/client.ts";
import { useExtractions } from "../../data/extractions.ts";
import { reviewOf, useToCheck } from "../../data/results.ts";
import { AskButton } from "../../parts/Dialog.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Time } from "../../parts/Time.tsx";
import { ActButton } from "../../parts/Form.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { navWords, statusWords, words } from "../../words/words.ts";
import { BatchBar, BatchState, progressText } from "../extractions/BatchRow.tsx";
import { RunList } from "../extractions/RunList.tsx";
import { Count, ToCheck } from "../extractions/Summary.tsx";
import { refusalText } from "../../words/refusals.ts";
import { batchPageWords } from "./words.ts";

/** Each while it is possible. */
const Actions = ({ batch }: { readonly batch: BatchDetail }) => {
  const { id, status, counts } = batch;
  const { batches } = winnow;
  return (
    <>
      <AskButton
        action={batchPageWords.rename}
        isDangerous={false}
        does={(valueOf) => batches.update(id, { name: valueOf("name") })}
        then={batchChanged}
      >
        <input
          name="name"
          required
          pattern=".*\S.*"
          maxLength={BATCH_NAME_CHARS_MAX}
          aria-label={batchPageWords.name}
          defaultValue={batch.name}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </AskButton>
      {counts.complete === 0 ? null : (
        <a class="button" href={href(`results?batchId=${id}`)}>
          {navWords.results}
        </a>
      )}
      {counts.running === 0 || status === "cancelled" ? null : (
        <>
          <ActButton
            does={() => (status === "paused" ? batches.resume(id) : batches.pause(id))}
            then={batchChanged}
          >
            {status === "paused" ? batchPageWords.resume : batchPageWords.pause}
          </ActButton>
          <AskButton
            label={batchPageWords.cancel}
            {...batchPageWords.asks.cancel(counts.running)}
            does={() => batches.cancel(id)}
            then={batchChanged}
          />
        </>
      )}
      {counts.failed === 0 || status === "cancelled" ? null : (
        <AskButton
          label={batchPageWords.retry(counts.failed)}
          {...batchPageWords.asks.retry(counts.failed)}
          does={() => batches.retryFailed(id)}
          then={batchChanged}
        />
      )}
    </>
  );
};

// How far it is.

const Progress = ({ batch }: { readonly batch: BatchDetail }) => {
  const { counts, status, creditsDebited, creditsRefunded } = batch;
  return (
    <section class="panel stack tight" aria-label={batchPageWords.progress} data-batch={status}>
      <div class="row" role="status">
        <BatchState batch={batch} />
        <span class="hint">
          {progressText(batch)}
          {batch.completedAt === null ? null : (
            <>
              {" · "}
              <Time iso={batch.completedAt} />
            </>
          )}
          {status === "paused" ? ` · ${batchPageWords.pausedText}` : ""}
        </span>
      </div>
      <BatchBar batch={batch} />
      <p class="hint">
        {[
          isFree ? "" : batchPageWords.cost(number(creditsDebited), number(creditsRefunded)),
          counts.reused === 0 ? "" : batchPageWords.reused(counts.reused)
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </p>
    </section>
  );
};

/** More of them would push the rows out of the window. */
const REFUSED_OPEN_MAX = 3;

/** Links that are no rows. */
const Refused = ({ batch: { items } }: { readonly batch: BatchDetail }) => {
  const refused = items.filter(({ status }) => status === null);
  return refused.length === 0 ? null : (
    <details class="panel" open={refused.length <= REFUSED_OPEN_MAX}>
      <summary>{batchPageWords.refused(refused.length)}</summary>
      <ul class="stack tight refused">
        {refused.map(({ index, url, error }) => (
          <li key={index}>
            <p class="hint">
              {number(index + 1)} {url}
            </p>
            <p class={error === null ? "hint" : "fault"}>
              {error === null ? batchPageWords.deleted : refusalText(error)}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
};

/** What its rows are narrowed down to. */
const Counts = ({ batch: { id, status, counts } }: { readonly batch: BatchDetail }) => {
  const { data: toCheck } = useToCheck(id, counts.complete);
  const screen = `batches/${id}`;
  return (
    <ul class="counts" aria-label={batchPageWords.progress}>
      <Count name={batchPageWords.all} text={number(counts.accepted)} address={href(screen)} />
      <Count
        name={statusWords.done}
        text={number(counts.complete)}
        address={href(`${screen}?status=complete`)}
      />
      <Count
        name={status === "cancelled" ? batchPageWords.cancelledOrFailed : statusWords.failed}
        text={number(counts.failed)}
        address={href(`${screen}?status=failed`)}
      />
      <ToCheck text={toCheck} address={reviewOf(id)} />
    </ul>
  );
};

const Links = ({ batch }: { readonly batch: BatchDetail }) => {
  const { status } = useLocation().query;
  const filters = { batchId: batch.id, ...(status === undefined ? {} : { status }) };
  return (
    <section aria-label={batchPageWords.items}>
      <RunList list={useExtractions(filters)} filters={filters} counts={<Counts batch={batch} />} />
    </section>
  );
};

const Batch = () => {
  const { id = "" } = useRoute().params;
  const query = useBatch(id);
  const { data } = query;
  return (
    <>
      <PageHead
        title={data === undefined ? batchPageWords.kind : data.name}
        hint={
          data === undefined ? (
            " "
          ) : (
            <>
              {words.linkCount(data.counts.total)} · <Time iso={data.createdAt} />
            </>
          )
        }
      >
        {data === undefined ? null : <Actions batch={data} />}
      </PageHead>
      <Waiting query={query} lines={8}>
        {(batch) => (
          <>
            <Progress batch={batch} />
            <Refused batch={batch} />
            <Links batch={batch} />
          </>
        )}
      </Waiting>
    </>
  );
};

export default Batch;
