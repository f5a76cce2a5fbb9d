/**
 * The fields of a schema beside what they are tried on: the values of each try, and the content that is already
 * fetched. Tests: schemas.test.ts.
 */
import type { CompleteResult, SavedSchema } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useExtractions, useResult, useRun, type ExtractionItem } from "../../data/extractions.ts";
import { nameOf } from "../../parts/runTexts.ts";
import { Loading, Waiting } from "../../parts/Waiting.tsx";
import { Text } from "../run/Complete.tsx";
import { MediaPlayer, Playing } from "../run/player.tsx";
import { draftOf, keepDraft, readingOf, savedDraft, type Draft } from "./draft.ts";
import { Editor } from "./Editor.tsx";
import { LAST_COUNT, LastRuns } from "./LastRuns.tsx";
import { Tries } from "./Tries.tsx";
import { tryWords } from "./words.ts";

const Content = ({ id }: { readonly id: string }) => {
  const query = useResult(id, true);
  return (
    <Waiting query={query} lines={8}>
      {(result) =>
        result.status === "complete" ? (
          <>
            <MediaPlayer result={result as CompleteResult<unknown>} />
            <Text result={result as CompleteResult<unknown>} />
          </>
        ) : (
          <p class="notice">{tryWords.gone}</p>
        )
      }
    </Waiting>
  );
};

/** What can be tried on, newest first, and what is; extractions that end meanwhile do not replace that. */
const useSources = (from: string | undefined) => {
  const { items = [], isPending } = useExtractions({ status: "complete" });
  const runs = items.filter(({ fromExtraction }) => fromExtraction === undefined);
  const first = useRef<string>();
  first.current ??= runs[0]?.id;
  return { runs, fromId: from ?? first.current, isKnown: from !== undefined || !isPending };
};

interface SourceProps {
  readonly saved: SavedSchema | null;
  readonly fromId: string;
  readonly runs: ReadonlyArray<ExtractionItem>;
}

const Source = ({ saved, fromId, runs }: SourceProps) => {
  const { route } = useLocation();
  const isListed = runs.some(({ id }) => id === fromId);
  const { data: unlisted } = useRun(fromId, !isListed);
  return (
    <label class="stack tight">
      {tryWords.source}
      <select
        value={fromId}
        onChange={({ currentTarget: { value } }) =>
          route(href(`schemas/${saved?.id ?? "new"}?from=${value}`), true)
        }
      >
        {isListed ? null : (
          <option value={fromId}>{unlisted === undefined ? fromId : nameOf(unlisted)}</option>
        )}
        {runs.map((run) => (
          <option key={run.id} value={run.id}>
            {nameOf(run)}
          </option>
        ))}
      </select>
    </label>
  );
};

interface BenchProps {
  readonly saved: SavedSchema | null;
  /** The extraction to try on; without one, the newest. */
  readonly from: string | undefined;
  /** Below all of it. */
  readonly children?: ComponentChildren;
}

/** The draft, which is kept with each change. */
const useDraft = (saved: SavedSchema | null) => {
  const [draft, setDraft] = useState(() => draftOf(saved));
  const changeDraft = (change: Partial<Draft>): void =>
    setDraft((before) => {
      const next = { ...before, ...change };
      keepDraft(saved, next);
      return next;
    });
  return { draft, changeDraft };
};

export const Bench = ({ saved, from, children }: BenchProps) => {
  const { runs, fromId, isKnown } = useSources(from);
  const { draft, changeDraft } = useDraft(saved);
  const [tries, setTries] = useState(draft.running === undefined ? [] : [draft.running]);
  const tried = tries.filter((each) => each.fromId === fromId).map(({ id }) => id);
  const reading = useMemo(() => readingOf(draft), [draft.text, draft.prompt]);
  const isChanged = JSON.stringify(reading) !== JSON.stringify(readingOf(savedDraft(saved)));
  // The list is read again and again; these only count when they change.
  const ids = runs.slice(0, LAST_COUNT).map(({ id }) => id);
  const last = useMemo(() => runs.slice(0, LAST_COUNT), [ids.join(" ")]);
  // What it is tried on has a place beside the fields, and its button one before the other.
  if (!isKnown) return <Loading lines={5} />;
  return (
    <>
      <div class={fromId === undefined ? undefined : "bench"}>
        <Editor
          fromId={fromId}
          saved={saved}
          draft={draft}
          reading={reading}
          isChanged={isChanged}
          onDraft={changeDraft}
          onTry={(running) => {
            setTries((before) => [...before.filter(({ id }) => id !== running.id), running]);
            changeDraft({ running });
          }}
        />
        {fromId === undefined ? null : (
          <div class="bench-side stack">
            <Source saved={saved} fromId={fromId} runs={runs} />
            <Playing>
              <section class="stack tight" aria-label={tryWords.tries}>
                <Tries key={`${fromId} ${tried.join(" ")}`} ids={tried} />
              </section>
              <div class="stack" tabIndex={0} role="group" aria-label={tryWords.content}>
                <Content key={fromId} id={fromId} />
              </div>
            </Playing>
          </div>
        )}
      </div>
      {reading === undefined || last.length === 0 ? null : (
        <LastRuns
          runs={last}
          reading={reading}
          saved={isChanged ? saved : null}
          started={draft.batch}
          onDraft={changeDraft}
        />
      )}
      {children}
    </>
  );
};
