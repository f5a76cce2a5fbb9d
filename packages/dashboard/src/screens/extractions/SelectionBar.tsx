/**
 * The bar that acts on the selected rows: on those that an action fits, after a question, one after the other.
 * Tests: selection.test.ts.
 */
import { isFree } from "../../data/free.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { runsChanged, type ExtractionItem, type Filters } from "../../data/extractions.ts";
import { Ask } from "../../parts/Dialog.tsx";
import { IconButton } from "../../parts/Icon.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { note } from "../../parts/Toasts.tsx";
import { number } from "../../words/format.ts";
import {
  ACTIONS,
  actOnEach,
  allThatMatch,
  FITS,
  type Action,
  type Failure,
  type Progress,
  type Watched
} from "./bulk.ts";
import type { SelectedRows } from "./selection.ts";
import { selectionWords as texts } from "./words.ts";

const FAILURES_SHOWN_MAX = 3;

interface BarProps {
  readonly rows: SelectedRows;
  /** The rows that are shown, as they are now. */
  readonly items: ReadonlyArray<ExtractionItem>;
  readonly hasMore: boolean;
  readonly filters: Filters;
  /** Stable. */
  readonly onChange: (rows: SelectedRows) => void;
}

interface Job extends Progress {
  readonly doing: keyof typeof texts.doing;
}

const JobState = ({ job, onStop }: { readonly job: Job; readonly onStop: () => void }) => (
  <>
    <p class="grow">
      {texts.progress(texts.doing[job.doing], job.done, job.total)}
      {job.waitSeconds === 0 ? null : <span class="hint"> {texts.waits(job.waitSeconds)}</span>}
    </p>
    <button class="button" type="button" onClick={onStop}>
      {texts.stop}
    </button>
  </>
);

interface Failed {
  readonly action: Action;
  readonly failures: ReadonlyArray<Failure>;
}

const Failures = ({ action, failures }: Failed) => (
  <div class="problem" role="alert">
    <p>{texts.failed(action, failures.length)}</p>
    <ul>
      {failures.slice(0, FAILURES_SHOWN_MAX).map(({ item, message }) => (
        <li key={item.id}>
          <strong dir="auto">{nameOf(item)}</strong>: {message}
        </li>
      ))}
      {failures.length > FAILURES_SHOWN_MAX ? (
        <li>{texts.more(failures.length - FAILURES_SHOWN_MAX)}</li>
      ) : null}
    </ul>
  </div>
);

interface Asked {
  readonly action: Action;
  readonly items: ReadonlyArray<ExtractionItem>;
}

interface QuestionProps extends Asked {
  readonly selected: number;
  readonly onClose: () => void;
  readonly onAct: () => void;
}

const Question = ({ action, items, selected, onClose, onAct }: QuestionProps) => (
  <Ask
    title={texts.title(action, items.length)}
    action={`${texts.actions[action]} ${number(items.length)}`}
    isDangerous={action !== "retry"}
    keep={texts.back}
    does={async () => onAct()}
    onClose={onClose}
  >
    <p>
      {texts.fits(action, items.length, selected)}{" "}
      {action === "retry" && items.length === selected ? null : texts.text[action]}
    </p>
    {action === "retry" && !isFree ? (
      <p>{texts.atMost(items.reduce((sum, item) => sum + item.creditsDebited, 0))}</p>
    ) : null}
  </Ask>
);

/** At most one job at a time; it ends when the list is left. */
const useJobs = ({ rows, filters, onChange }: BarProps) => {
  const [job, setJob] = useState<Job | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const controller = useRef(new AbortController());
  const stop = (): void => controller.current.abort();
  useEffect(() => stop, []);
  const latest = useRef(rows);
  latest.current = rows;
  const start = (doing: Job["doing"]): Watched => {
    controller.current = new AbortController();
    return {
      signal: controller.current.signal,
      onProgress: (progress) => setJob({ doing, ...progress })
    };
  };
  const act = async ({ action, items }: Asked): Promise<void> => {
    setFailed(null);
    const { done, failures } = await actOnEach(action, items, start(action));
    setJob(null);
    runsChanged();
    const ids = new Set(done.map(({ id }) => id));
    onChange(new Map([...latest.current].filter(([id]) => !ids.has(id))));
    setFailed(failures.length === 0 ? null : { action, failures });
    const isWhole = done.length + failures.length === items.length;
    note(isWhole ? texts.done(action, done.length) : texts.stopped(action, done.length, items.length));
  };
  const selectAll = async (): Promise<void> => {
    try {
      const all = await allThatMatch(filters, start("select"));
      onChange(all.rows);
      note(texts.allSelected(all.rows.size, all.isMore));
    } catch (error) {
      if (error instanceof Error && error.name !== "AbortError") note(error.message);
    }
    setJob(null);
  };
  return { job, stop, failed, act, selectAll };
};

export const SelectionBar = (props: BarProps) => {
  const { rows, items, hasMore, onChange } = props;
  const { job, stop, failed, act, selectAll } = useJobs(props);
  const [asked, setAsked] = useState<Asked | null>(null);
  const now = new Map(items.map((item) => [item.id, item]));
  const selected = [...rows.values()].map((item) => now.get(item.id) ?? item);
  const selectShown = (): void => onChange(new Map([...rows, ...now]));
  return (
    <section class="selection-bar" aria-label={texts.label}>
      {failed === null ? null : <Failures {...failed} />}
      <div class="row">
        {job === null ? (
          <>
            <div class="row grow">
              <p class="grow" role="status">
                <strong>{texts.selected(rows.size)}</strong>
              </p>
              {!hasMore && items.every(({ id }) => rows.has(id)) ? null : (
                <button
                  class="button quiet"
                  type="button"
                  onClick={() => (hasMore ? void selectAll() : selectShown())}
                >
                  {hasMore ? texts.allThatMatch : texts.all(items.length)}
                </button>
              )}
              <IconButton icon="cross" label={texts.clear} onClick={() => onChange(new Map())} />
            </div>
            {ACTIONS.map((action) => {
              const fitting = selected.filter(FITS[action]);
              return (
                <button
                  key={action}
                  class="button"
                  type="button"
                  title={texts.fits(action, fitting.length, rows.size)}
                  disabled={fitting.length === 0}
                  onClick={() => setAsked({ action, items: fitting })}
                >
                  {texts.actions[action]} {number(fitting.length)}
                </button>
              );
            })}
          </>
        ) : (
          <JobState job={job} onStop={stop} />
        )}
      </div>
      {asked === null ? null : (
        <Question
          {...asked}
          selected={rows.size}
          onClose={() => setAsked(null)}
          onAct={() => void act(asked)}
        />
      )}
    </section>
  );
};
