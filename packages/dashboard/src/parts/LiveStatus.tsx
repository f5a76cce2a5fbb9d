/**
 * Status of an extraction with its progress while it has a slot; at most one per screen, because each asks the server.
 */
import type { ExtractionProgress } from "@winnow/client";
import { useProgress } from "../data/progress.ts";
import { wordOf, stepsWords, transcribed } from "../words/words.ts";
import { Status, type StatusProps } from "./Status.tsx";

const SECONDS_PER_MINUTE = 60;

/** "Transcribing 12 of 55 min"; of other steps the name. */
export const stepText = ({ step, doneSec, totalSec }: ExtractionProgress): string | undefined => {
  if (step === null) return undefined;
  if (doneSec === undefined || totalSec === undefined) return wordOf(stepsWords, step);
  const [unit, seconds] =
    totalSec < 2 * SECONDS_PER_MINUTE ? (["s", 1] as const) : (["min", SECONDS_PER_MINUTE] as const);
  return transcribed(Math.floor(doneSec / seconds), Math.round(totalSec / seconds), unit);
};

export const LiveStatus = ({ run }: Pick<StatusProps, "run">) => {
  const progress = useProgress(run.id, run.status === "pending" || run.status === "running");
  const text = progress === null ? undefined : stepText(progress);
  const percent = progress?.percent ?? null;
  return (
    <Status run={run} text={text}>
      {percent === null ? null : (
        <>
          <progress aria-label={text} max={100} value={percent} />
          <span class="percent">{Math.round(percent)} %</span>
        </>
      )}
    </Status>
  );
};
