/** The values of each try, and how they differ from those of the try before. Tests: schemas.test.ts. */
import type { CompleteResult } from "@winnow/client";
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { hasEnded, useResult, useRun } from "../../data/extractions.ts";
import { useProgress } from "../../data/progress.ts";
import { Tabs } from "../../parts/Tabs.tsx";
import { Loading, Problem } from "../../parts/Waiting.tsx";
import { Values } from "../run/Values.tsx";
import { cellsOf } from "./comparison.ts";
import { Comparison } from "./Comparison.tsx";
import { tryWords } from "./words.ts";

const useTry = (id: string) => {
  const run = useRun(id);
  const isOver = run.data !== undefined && hasEnded(run.data);
  useProgress(id, !isOver);
  return { run, result: useResult(id, isOver).data };
};

const valuesOf = (result: ReturnType<typeof useTry>["result"]): unknown =>
  result?.status === "complete" && result.outcome === "ok" ? result.extraction : undefined;

const Try = ({ id }: { readonly id: string }) => {
  const { run, result } = useTry(id);
  if (run.error !== null) return <Problem error={run.error} retry={() => void run.refetch()} />;
  if (run.data?.status === "failed") return <p class="fault">{run.data.error}</p>;
  if (result?.status !== "complete") {
    return (
      <>
        <p class="hint" role="status">
          {tryWords.running}
        </p>
        <Loading lines={4} />
      </>
    );
  }
  return <Values result={result as CompleteResult<unknown>} />;
};

const Compared = ({
  before,
  after,
  number
}: {
  readonly before: string;
  readonly after: string;
  readonly number: number;
}) => {
  const [old, now] = [useTry(before).result, useTry(after).result];
  const cells = cellsOf(valuesOf(old), valuesOf(now));
  return cells.every((cell) => cell.before === cell.after) ? (
    <p class="hint">{tryWords.same}</p>
  ) : (
    <Comparison
      label={tryWords.compare}
      groups={[{ name: null, href: null, cells }]}
      before={tryWords.tryNumber(number - 1)}
      after={tryWords.tryNumber(number)}
    />
  );
};

interface TriesProps {
  /** Ids of the extractions, oldest first. */
  readonly ids: ReadonlyArray<string>;
}

/** The newest is shown until another one is chosen; its parent gives each number of tries a new key. */
export const Tries = ({ ids }: TriesProps) => {
  const [at, setAt] = useState(ids.length - 1);
  const [isCompared, setCompared] = useState(false);
  const [id, before] = [ids[at], ids[at - 1]];
  if (id === undefined) return <p class="panel hint">{tryWords.noTry}</p>;
  return (
    <>
      <div class="row">
        <Tabs
          label={tryWords.tries}
          tabs={ids.map((_, index) => [index, tryWords.tryNumber(index + 1)])}
          shown={at}
          onShow={setAt}
        />
        <a class="end" href={href(`runs/${id}`)}>
          {tryWords.open}
        </a>
      </div>
      {before === undefined ? null : (
        <label class="row">
          <input type="checkbox" checked={isCompared} onChange={() => setCompared(!isCompared)} />
          {tryWords.compare}
        </label>
      )}
      {isCompared && before !== undefined ? (
        <Compared before={before} after={id} number={at + 1} />
      ) : (
        <Try key={id} id={id} />
      )}
    </>
  );
};
