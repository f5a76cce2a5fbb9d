/** The account's batches, newest first. */
import type { BatchSummary } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { useBatches } from "../../data/batches.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Shape, type Shown } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { Empty, Loading, More, Problem, Stale } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { navWords, wordOf, words } from "../../words/words.ts";
import { batchesWords, newBatchWords } from "./words.ts";

const SHAPES: Readonly<Record<string, Shown>> = {
  running: "working",
  paused: "queued",
  complete: "done",
  cancelled: "noMatch"
};

const Row = ({
  batch: { id, name, status, counts, createdAt, ...batch }
}: {
  readonly batch: BatchSummary;
}) => {
  const credits = batch.creditsDebited - batch.creditsRefunded;
  return (
    <li>
      <div class="grow">
        <a class="row-link" href={href(`batches/${id}`)}>
          {name}
        </a>
        <p class="hint">
          {batchesWords.links(counts.total)} ·{" "}
          {batchesWords.ended(counts.complete + counts.failed, counts.accepted)} · <Time iso={createdAt} />
        </p>
      </div>
      <div class="row">
        <Shape as={SHAPES[status]}>{wordOf(batchesWords.statuses, status)}</Shape>
        <span class="hint">
          {number(credits)} {words.creditsUnit(credits)}
        </span>
      </div>
    </li>
  );
};

const Batches = () => {
  const list = useBatches();
  const { items, error } = list;
  return (
    <>
      <PageHead title={navWords.batches} hint={batchesWords.hint}>
        <a class="button main" href={href("batches/new")}>
          {newBatchWords.title}
        </a>
      </PageHead>
      <Stale query={list} />
      {items === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Problem error={error} retry={() => void list.refetch()} />
        )
      ) : items.length === 0 ? (
        <Empty title={batchesWords.emptyTitle}>
          <p>{batchesWords.emptyText}</p>
        </Empty>
      ) : (
        <>
          <ul class="panel cards">
            {items.map((batch) => (
              <Row key={batch.id} batch={batch} />
            ))}
          </ul>
          <More query={list} />
        </>
      )}
    </>
  );
};

export default Batches;
