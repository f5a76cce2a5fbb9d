/** A run that has not ended: its steps, the bar and bytes of the current one, and the time since the submit. */
import type { ExtractionDetail, Submission, ExtractionProgress } from "@winnow/client";
import { useEffect, useState } from "preact/hooks";
import { useRequest } from "../../data/extractions.ts";
import { useProgress } from "../../data/progress.ts";
import { statusText } from "../../parts/Status.tsx";
import { clock, size } from "../../words/format.ts";
import { stepsWords, transcribed, wordOf } from "../../words/words.ts";
import { runWords } from "./words.ts";

const SECONDS_PER_MINUTE = 60;

/** "Transcribing 12 of 55 min"; of other steps the name. */
export const stepText = ({ step, doneSec, totalSec }: ExtractionProgress): string | undefined => {
  if (step === null) return undefined;
  if (doneSec === undefined || totalSec === undefined) return wordOf(stepsWords, step);
  const [unit, seconds] =
    totalSec < 2 * SECONDS_PER_MINUTE ? (["s", 1] as const) : (["min", SECONDS_PER_MINUTE] as const);
  return transcribed(Math.floor(doneSec / seconds), Math.round(totalSec / seconds), unit);
};

type Step = keyof typeof stepsWords;

/** Steps that this run may take, in order; the current one always. */
export const stepsOf = (
  { schema, schemaId, speech }: Partial<Submission>,
  current: string | null
): ReadonlyArray<Step> => {
  const isTaken: Partial<Record<Step, boolean>> = {
    transcribing: speech === true,
    analysing: schema !== undefined || schemaId !== undefined
  };
  return (Object.keys(stepsWords) as ReadonlyArray<Step>).filter(
    (step) => step === current || isTaken[step] !== false
  );
};

const TICK_MS = 1_000;

/** Rendered by itself, so that a second does not render the rest again. */
const Elapsed = ({ since }: { readonly since: string }) => {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{clock((nowMs - Date.parse(since)) / 1_000)}</>;
};

export const Steps = ({ run }: { readonly run: ExtractionDetail }) => {
  const { data: request = {} } = useRequest(run.id);
  const progress = useProgress(run.id, run.status === "pending" || run.status === "running");
  const step = progress?.step ?? null;
  const percent = progress?.percent ?? null;
  const bytes = progress?.bytes ?? 0;
  const text = (progress === null ? undefined : stepText(progress)) ?? statusText(run);
  return (
    <section class="panel stack under-way" aria-label={runWords.progress}>
      <div class="row">
        <h2>{text}</h2>
        <span class="percent end">{percent === null ? "" : `${Math.round(percent)} %`}</span>
      </div>
      <progress aria-label={text} max={100} {...(percent === null ? {} : { value: percent })} />
      <p class="hint row">
        <span>
          <Elapsed since={run.createdAt} />
        </span>
        <span>{bytes === 0 ? "" : runWords.fetched(size(bytes))}</span>
      </p>
      <ol class="steps">
        {stepsOf(request, step).map((name) => (
          <li key={name} aria-current={name === step ? "step" : undefined}>
            {stepsWords[name]}
          </li>
        ))}
      </ol>
      <p class="hint">{runWords.underWay}</p>
    </section>
  );
};
