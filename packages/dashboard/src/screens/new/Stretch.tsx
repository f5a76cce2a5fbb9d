/** Only a stretch of a video: two times to type and, once its length is known, two handles on one track. Tests: price.test.ts. */
import { clockText, readClock, stretchText } from "@winnow/client/clock";
import type { ProbeResponse } from "@winnow/client";
import { spokenClock } from "../../words/format.ts";
import { rangeOf, wrongEnds, type Draft } from "./draft.ts";
import { stretchWords } from "./words.ts";

const ENDS = ["from", "to"] as const;

interface StretchProps {
  readonly draft: Draft;
  /** Undefined before the first answer. */
  readonly probe: ProbeResponse | undefined;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** The least between the handles, and what an arrow key moves one by. */
const STEP_SECONDS = 1;

const Handles = ({ draft, max, onChange }: Omit<StretchProps, "probe"> & { readonly max: number }) => {
  const within = (text: string, outer: number): number => Math.min(readClock(text) ?? outer, max);
  const at = { from: within(draft.from, 0), to: within(draft.to, max) };
  const move = (end: (typeof ENDS)[number], handle: HTMLInputElement): void => {
    const [least, most] = end === "from" ? [0, at.to - STEP_SECONDS] : [at.from + STEP_SECONDS, max];
    const seconds = Math.min(most, Math.max(least, handle.valueAsNumber));
    handle.value = String(seconds);
    // At its outer end, it cuts nothing off.
    onChange({ [end]: seconds <= 0 || seconds >= max ? "" : clockText(seconds) });
  };
  return (
    <div class="handles" style={{ "--from": at.from / max, "--to": at.to / max }}>
      {ENDS.map((end) => (
        <input
          key={end}
          type="range"
          max={max}
          step={STEP_SECONDS}
          value={at[end]}
          aria-label={stretchWords.ends[end]}
          aria-valuetext={spokenClock(at[end])}
          // Where both are at the end, only the first can be moved.
          style={{ zIndex: end === "from" && at.from > max / 2 ? 1 : 0 }}
          onInput={({ currentTarget }) => move(end, currentTarget)}
        />
      ))}
    </div>
  );
};

/** What is cut out, and how long that is if it is known. */
const titleOf = (draft: Draft, durationSec: number): string => {
  const range = rangeOf(draft) ?? undefined;
  if (range === undefined) return stretchWords.title;
  const seconds = Math.min(range.endSec ?? Infinity, durationSec) - (range.startSec ?? 0);
  const isKnown = seconds > 0 && seconds < Infinity;
  return stretchWords.only(stretchText(range), isKnown ? clockText(seconds) : "");
};

/** In its place from the start, so that nothing moves once it is known what the link leads to. */
export const Stretch = ({ draft, probe, onChange }: StretchProps) => {
  const durationSec = probe?.durationSec ?? Infinity;
  const wrong = wrongEnds(draft, durationSec);
  return (
    <details style={{ visibility: (probe?.kind ?? "video") === "video" ? undefined : "hidden" }}>
      <summary>{titleOf(draft, durationSec)}</summary>
      <div class="stack tight">
        {durationSec < Infinity ? (
          <Handles draft={draft} max={Math.ceil(durationSec)} onChange={onChange} />
        ) : null}
        <div class="row">
          {ENDS.map((end) => (
            <label key={end} class="stack tight">
              {stretchWords.ends[end]}
              <input
                size={5}
                value={draft[end]}
                placeholder={stretchWords.outer[end]}
                aria-invalid={wrong.includes(end) || undefined}
                aria-describedby="stretch-hint"
                onInput={({ currentTarget }) => onChange({ [end]: currentTarget.value })}
              />
            </label>
          ))}
        </div>
        <p id="stretch-hint" class={wrong.length > 0 ? "fault" : "hint"}>
          {stretchWords.hint}
        </p>
      </div>
    </details>
  );
};
