/** A batch as one row of the list, which opens it; and its progress as a bar, for its own screen too. Tests: batches.test.ts. */
import type { BatchSummary } from "@winnow/client";
import { Icon } from "../../parts/Icon.tsx";
import { memo } from "../../parts/memo.ts";
import { Shape, type Shown } from "../../parts/Status.tsx";
import { number } from "../../words/format.ts";
import { wordOf, words } from "../../words/words.ts";
import { Cells } from "./Row.tsx";
import { batchWords } from "./words.ts";

const SHAPES: Readonly<Record<string, Shown>> = {
  running: "working",
  paused: "queued",
  complete: "done",
  cancelled: "cancelled",
  refused: "failed"
};

/** A cancelled one may still have a link that has not ended. */
export const isOver = ({ counts }: BatchSummary): boolean => counts.running === 0;

/** What a cancelled one counts as failed was stopped, or had failed before. */
const partsOf = ({ status, counts: { complete, failed, refused, running } }: BatchSummary) =>
  [
    ["done", complete],
    ...(status === "cancelled"
      ? ([
          ["refused", refused],
          ["cancelled", failed]
        ] as const)
      : ([["failed", failed + refused]] as const)),
    ["open", running]
  ] as const;

/** The numbers of the bar in words, without those that are 0. */
export const progressText = (batch: BatchSummary): string =>
  partsOf(batch)
    .filter(([, count]) => count > 0)
    .map(([part, count]) => `${number(count)} ${batchWords.parts[part]}`)
    .join(", ");

/** All links: complete, failed or refused, and those that have not ended. */
export const BatchBar = ({ batch }: { readonly batch: BatchSummary }) => {
  const parts = partsOf(batch);
  const total = Math.max(1, batch.counts.total);
  const label = progressText(batch);
  return (
    <svg
      class="batch-bar"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${total} 1`}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      {parts.map(([part, count], index) => (
        <rect
          key={part}
          class={part}
          x={parts.slice(0, index).reduce((sum, [, each]) => sum + each, 0)}
          width={count}
          height="1"
        />
      ))}
    </svg>
  );
};

export const BatchState = ({ batch: { status, counts } }: { readonly batch: BatchSummary }) => {
  const shown = counts.accepted === 0 ? "refused" : status;
  return <Shape as={SHAPES[shown]}>{wordOf(batchWords.statuses, shown)}</Shape>;
};

export const BatchRow = memo(({ batch }: { readonly batch: BatchSummary }) => {
  const links = words.linkCount(batch.counts.total);
  return (
    <li class="run-row">
      <span class="thumb">
        <Icon name="stack" />
      </span>
      <Cells
        screen={`batches/${batch.id}`}
        name={batch.name}
        hint={isOver(batch) ? links : `${links} · ${progressText(batch)}`}
        credits={batch.creditsDebited - batch.creditsRefunded}
        createdAt={batch.createdAt}
      >
        <div class="run-state">
          <BatchState batch={batch} />
          <BatchBar batch={batch} />
        </div>
      </Cells>
    </li>
  );
});
