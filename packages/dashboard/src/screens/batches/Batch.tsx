/** A batch: how far it is, its actions, and its links with their runs. */
import type { Batch as BatchDetail, BatchItem } from "@winnow/client";
import { useRef, useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { batchChanged, useBatch, useEndings } from "../../data/batches.ts";
import { winnow } from "../../data/client.ts";
import type { ExtractionItem } from "../../data/extractions.ts";
import { Confirm } from "../../parts/Dialog.tsx";
import { memo } from "../../parts/memo.ts";
import { PageHead } from "../../parts/Page.tsx";
import { shortUrl } from "../../parts/runTexts.ts";
import { Shape, Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { Problem, useAct, Waiting } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { navWords, toCheckText, wordOf } from "../../words/words.ts";
import { batchesWords, batchWords, refusalText } from "./words.ts";

// The actions, each while it is possible.

type Asked = "cancel" | "retry";

const Actions = ({ batch }: { readonly batch: BatchDetail }) => {
  const { id, status, counts } = batch;
  const { act, isBusy, error } = useAct();
  const [asked, setAsked] = useState<Asked | null>(null);
  const run = (does: () => Promise<BatchDetail>): void =>
    void act(does, batchChanged).finally(() => setAsked(null));
  return (
    <>
      {counts.complete === 0 ? null : (
        <a class="button" href={href(`results?batchId=${id}`)}>
          {navWords.results}
        </a>
      )}
      {counts.running === 0 || status === "cancelled" ? null : (
        <>
          <button
            class="button"
            type="button"
            disabled={isBusy}
            onClick={() =>
              run(() => (status === "paused" ? winnow.batches.resume(id) : winnow.batches.pause(id)))
            }
          >
            {status === "paused" ? batchWords.resume : batchWords.pause}
          </button>
          <button class="button" type="button" disabled={isBusy} onClick={() => setAsked("cancel")}>
            {batchWords.cancel}
          </button>
        </>
      )}
      {counts.failed === 0 || status === "cancelled" ? null : (
        <button class="button" type="button" disabled={isBusy} onClick={() => setAsked("retry")}>
          {batchWords.retry(counts.failed)}
        </button>
      )}
      {error === null ? null : <Problem error={error} />}
      {asked === "cancel" ? (
        <Confirm
          title={batchWords.cancelTitle}
          action={batchWords.cancel}
          isBusy={isBusy}
          onConfirm={() => run(() => winnow.batches.cancel(id))}
          onClose={() => setAsked(null)}
        >
          <p>{batchWords.cancelText(counts.running)}</p>
        </Confirm>
      ) : asked === "retry" ? (
        <Confirm
          title={batchWords.retryTitle}
          action={batchWords.retryAction}
          isBusy={isBusy}
          onConfirm={() => run(() => winnow.batches.retryFailed(id))}
          onClose={() => setAsked(null)}
        >
          <p>{batchWords.retryText(counts.failed)}</p>
        </Confirm>
      ) : null}
    </>
  );
};

// How far it is.

const WINDOW_MS = 60_000;

/** Items that ended per minute while this page was open, at most the last minute; null until it is known. */
const useRate = ({ counts }: BatchDetail): number | null => {
  const samples = useRef<ReadonlyArray<{ readonly atMs: number; readonly ended: number }>>([]);
  const ended = counts.complete + counts.failed;
  const atMs = Date.now();
  if (samples.current.at(-1)?.ended !== ended) samples.current = [...samples.current, { atMs, ended }];
  const recent = samples.current.filter((sample) => atMs - sample.atMs <= WINDOW_MS);
  samples.current = recent.length === 0 ? [{ atMs, ended }] : recent;
  const [first] = samples.current;
  if (first === undefined || ended <= first.ended || atMs === first.atMs) return null;
  return ((ended - first.ended) * WINDOW_MS) / (atMs - first.atMs);
};

const COUNTS = ["complete", "failed", "running", "refused", "reused"] as const;

const Progress = ({ batch }: { readonly batch: BatchDetail }) => {
  const { counts, status, creditsDebited, creditsRefunded, createdAt } = batch;
  const rate = useRate(batch);
  const now =
    counts.running === 0 ? (
      <Time iso={batch.completedAt ?? createdAt} />
    ) : status === "paused" ? (
      batchWords.pausedText
    ) : rate === null ? (
      batchWords.measuring
    ) : (
      batchWords.rate(number(Math.round(rate)), number(Math.ceil(counts.running / rate)))
    );
  return (
    <section class="panel stack" aria-label={batchWords.progress}>
      <div class="row">
        <strong role="status" data-batch={status}>
          {wordOf(batchesWords.statuses, status)}
        </strong>
        <span class="hint">
          {batchesWords.ended(counts.complete + counts.failed, counts.accepted)} · {now}
        </span>
      </div>
      <progress
        class="batch-bar"
        aria-label={batchWords.progress}
        max={Math.max(1, counts.accepted)}
        value={counts.accepted === 0 ? 1 : counts.complete + counts.failed}
      />
      <dl class="batch-counts">
        {COUNTS.map((name) => (
          <div key={name}>
            <dt>{batchWords.count[name]}</dt>
            <dd>{number(counts[name])}</dd>
          </div>
        ))}
        <div>
          <dt>{batchWords.cost}</dt>
          <dd>{number(creditsDebited)}</dd>
          <dd class="hint">{batchWords.refunded(number(creditsRefunded))}</dd>
        </div>
      </dl>
    </section>
  );
};

// Its links.

const hasProblem = ({ error, status }: BatchItem): boolean => error !== null || status === "failed";

interface RowProps {
  readonly item: BatchItem;
  /** Its extraction, once that is known and has ended. */
  readonly ended: ExtractionItem | undefined;
}

const Row = memo(({ item: { index, id, url, status, error }, ended }: RowProps) => (
  <li>
    <span class="hint num">{number(index + 1)}</span>
    <div>
      {id === null || status === null ? (
        <p>{shortUrl(url)}</p>
      ) : (
        <a class="row-link" href={href(`runs/${id}`)}>
          {shortUrl(url)}
        </a>
      )}
      {error !== null ? (
        <p class="fault">{refusalText(error)}</p>
      ) : status === "failed" ? (
        <p class={ended?.failureReason === "cancelled" ? "hint" : "fault"}>
          {ended?.error ?? batchWords.reason}
        </p>
      ) : null}
    </div>
    {status === null || id === null ? (
      <span class="hint">{error === null ? batchWords.deleted : batchWords.refused}</span>
    ) : (
      <Status run={ended?.status === status ? ended : { id, status, outcome: null }} />
    )}
  </li>
));

interface ToCheckProps {
  readonly batch: BatchDetail;
  readonly endings: ReadonlyMap<string, ExtractionItem>;
}

/** A link to the rows with values that no quote supports. */
const ToCheck = ({ batch, endings }: ToCheckProps) => {
  const count = [...endings.values()].reduce((sum, { valuesToCheck = 0 }) => sum + valuesToCheck, 0);
  return count === 0 ? null : (
    <a href={href(`results?batchId=${batch.id}&support=unsupported`)}>
      <Shape as="toCheck">{toCheckText(count)}</Shape>
    </a>
  );
};

const Items = ({ batch }: { readonly batch: BatchDetail }) => {
  const [isFiltered, setFiltered] = useState(false);
  const endings = useEndings(batch);
  const items = isFiltered ? batch.items.filter(hasProblem) : batch.items;
  return (
    <section class="stack tight" aria-label={batchWords.items}>
      <div class="row">
        <h2>{batchWords.items}</h2>
        <ToCheck batch={batch} endings={endings} />
        <div class="tabs" role="group" aria-label={batchWords.items}>
          {[false, true].map((each) => (
            <button
              key={String(each)}
              class="button small"
              type="button"
              aria-pressed={isFiltered === each}
              onClick={() => setFiltered(each)}
            >
              {each ? batchWords.problems : batchWords.all}
            </button>
          ))}
        </div>
      </div>
      {items.length === 0 ? (
        <p class="panel hint">{batchWords.noProblems}</p>
      ) : (
        <ul class="panel batch-rows">
          {items.map((item) => (
            <Row key={item.index} item={item} ended={endings.get(item.id ?? "")} />
          ))}
        </ul>
      )}
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
        title={data === undefined ? batchWords.kind : data.name}
        hint={
          data === undefined ? (
            " "
          ) : (
            <>
              {batchesWords.links(data.counts.total)} · <Time iso={data.createdAt} />
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
            <Items batch={batch} />
          </>
        )}
      </Waiting>
    </>
  );
};

export default Batch;
