/**
 * Status of an extraction with its progress while it has a slot; at most one per screen, because each asks the server.
 */
import { useProgress } from "../data/progress.ts";
import { wordOf, words } from "../words/words.ts";
import { Status, type StatusProps } from "./Status.tsx";

export const LiveStatus = ({ run }: Pick<StatusProps, "run">) => {
  const progress = useProgress(run.id, run.status === "pending" || run.status === "running");
  const text = progress?.step == null ? undefined : wordOf(words.steps, progress.step);
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
