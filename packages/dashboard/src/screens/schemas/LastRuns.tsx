/** The fields on the last extractions, beside the saved version that they come from: one batch, priced first. Tests: schemas.test.ts. */
import type { Submission } from "@winnow/client";
import { useMutation, useQuery } from "@tanstack/preact-query";
import { useEffect, useMemo, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { batchChanged, useBatch, useBatchQuote } from "../../data/batches.ts";
import { changed, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import type { ExtractionItem } from "../../data/extractions.ts";
import { useOnce } from "../../data/once.ts";
import { Panel } from "../../parts/Panel.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { progressText } from "../extractions/BatchRow.tsx";
import { cellsOf, differs } from "./comparison.ts";
import { Comparison } from "./Comparison.tsx";
import type { Draft, Reading, StartedBatch } from "./draft.ts";
import { schemasWords, tryWords } from "./words.ts";

export const LAST_COUNT = 10;

interface LastRunsProps {
  readonly runs: ReadonlyArray<ExtractionItem>;
  readonly reading: Reading;
  /** The saved version that the draft comes from; null for a new schema or an unchanged one. */
  readonly saved: { readonly id: string; readonly version: number } | null;
  readonly started: StartedBatch | undefined;
  readonly onDraft: (change: Pick<Draft, "batch">) => void;
}

/** The values of a batch by the id of their extraction. */
const useRows = (batchId: string, complete: number) =>
  useQuery({
    queryKey: ["batchResults", batchId, complete],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, unknown>> => {
      const { data } = await winnow.results.page({ batchId, limit: 2 * LAST_COUNT, signal });
      return new Map(data.map(({ extractionId, values }) => [extractionId, values]));
    },
    placeholderData: (before) => before
  });

interface OutcomeProps {
  readonly started: StartedBatch;
  readonly onEnd: () => void;
}

const Outcome = ({ started: { id: batchId, runs, version }, onEnd }: OutcomeProps) => {
  const { data: batch, error, refetch } = useBatch(batchId);
  const rows = useRows(batchId, batch?.counts.complete ?? 0);
  const isOver = batch?.counts.running === 0;
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver]);
  if (batch === undefined)
    return error === null ? null : <Problem error={error} retry={() => void refetch()} />;
  const { items } = batch;
  const valuesAt = (index: number): unknown => rows.data?.get(items[index]?.id ?? "");
  const groups = runs.map(({ id, name }, index) => {
    const [before, after] =
      version === null ? [undefined, valuesAt(index)] : [valuesAt(2 * index), valuesAt(2 * index + 1)];
    const cells = cellsOf(before, after);
    return {
      name,
      href: href(`runs/${id}`),
      cells: version === null ? cells : cells.filter(differs)
    };
  });
  const shown = groups.filter(({ cells }) => cells.length > 0);
  return (
    <>
      <div class="row">
        <span role="status">{progressText(batch)}</span>
        <a href={href(`batches/${batchId}`)}>{tryWords.batch}</a>
      </div>
      {shown.length === 0 ? (
        isOver ? (
          <p class="hint">{tryWords.nothingDiffers}</p>
        ) : null
      ) : (
        <Comparison
          label={tryWords.lastTitle(runs.length)}
          groups={shown}
          before={version === null ? null : schemasWords.version(version)}
          after={tryWords.draft}
        />
      )}
    </>
  );
};

export const LastRuns = ({ runs, reading, saved, started, onDraft }: LastRunsProps) => {
  const [isAsked, setAsked] = useState(false);
  const items = useMemo(
    () =>
      runs.flatMap(({ id }): ReadonlyArray<Submission> => {
        const again = { fromExtraction: id, ...reading };
        return saved === null ? [again] : [{ fromExtraction: id, schemaId: saved.id }, again];
      }),
    [runs, reading, saved]
  );
  const text = JSON.stringify(items);
  const { once } = useOnce(items);
  const quote = useBatchQuote(isAsked ? items : []);
  const { total } = quote;
  const refused = quote.lines.filter((line) => line?.error != null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      once((options) =>
        winnow.batches.create({ items, ...(total === null ? {} : { maxCredits: total.credits }) }, options)
      ),
    onSuccess: (batch) => {
      batchChanged(batch);
      setAsked(false);
      onDraft({
        batch: {
          id: batch.id,
          items: text,
          runs: runs.map((each) => ({ id: each.id, name: nameOf(each) })),
          version: saved?.version ?? null
        }
      });
    }
  });
  const onEnd = (): void => {
    if (started !== undefined) onDraft({ batch: { ...started, items: "" } });
    // What was read may be free now.
    quote.refetch();
    changed(keys.quotes);
  };
  const button = (
    <button
      class="button"
      type="button"
      disabled={isPending || started?.items === text || (isAsked && (total === null || total.accepted === 0))}
      onClick={() => (isAsked ? mutate() : setAsked(true))}
    >
      {!isAsked
        ? tryWords.lastAsk
        : total === null
          ? tryWords.asking
          : tryWords.lastRun(number(total.credits))}
    </button>
  );
  return (
    <Panel title={tryWords.lastTitle(runs.length)} end={button}>
      <p class="hint">{tryWords.lastHint(saved?.version ?? null)}</p>
      {refused.length === 0 ? null : (
        <p class="notice calm">{tryWords.refused(refused.length, refused[0]?.error?.message ?? "")}</p>
      )}
      <Problem error={quote.error} retry={quote.refetch} />
      <Problem error={error} />
      {started === undefined ? null : <Outcome key={started.id} started={started} onEnd={onEnd} />}
    </Panel>
  );
};
