/** Progress of a run as reported by its worker (`GET /v1/extractions/{id}/events`). Tests: RunWatch.test.ts. */
import * as Schema from "effect/Schema";
import type { Extraction } from "./Extraction.ts";
import { Modality } from "../source/Modality.ts";
import { ExtractionPhase, phaseOf } from "./Transition.ts";

export const RunStep = Schema.Literals([
  "inspecting",
  "fetching",
  "converting",
  "transcribing",
  "analysing",
  "storing"
]);
export type RunStep = typeof RunStep.Type;

export const RunProgress = Schema.Struct({
  phase: ExtractionPhase,
  /** Null before the first step and after the last. */
  step: Schema.NullOr(RunStep),
  /** 0 to 100 within the step; null if unknown. */
  percent: Schema.NullOr(Schema.Finite),
  /** Bytes fetched so far. */
  bytes: Schema.Int,
  /** Auto mode: the inputs of the current rung. Null otherwise. */
  rung: Schema.NullOr(Schema.Array(Modality)),
  /** Of `transcribing` only: seconds of the recording that are written down, and of all of it. */
  doneSec: Schema.optionalKey(Schema.Finite),
  totalSec: Schema.optionalKey(Schema.Finite)
});
export type RunProgress = typeof RunProgress.Type;

/** What a port or the engine says of a step. */
export type StepProgress = (
  | {
      readonly step: Exclude<RunStep, "transcribing">;
      /** 0 to 100; null if unknown. */
      readonly percent: number | null;
      /** Fetched so far. */
      readonly bytes: number;
    }
  | {
      readonly step: "transcribing";
      /** Seconds of the recording that are done, silence included; never fewer than before, at the end all. */
      readonly doneSeconds: number;
      readonly totalSeconds: number;
    }
) & {
  /** Added by the engine: the inputs of the current rung in auto mode. Default: null. */
  readonly rung?: RunProgress["rung"];
};

/** Progress with the attempt that reports it, which fences it: nothing of an earlier attempt follows. */
export const RunEvent = Schema.Struct({ attempt: Schema.Int, ...RunProgress.fields });
export type RunEvent = typeof RunEvent.Type;

/** The progress implied by the stored state, which has no steps. */
export const eventOf = ({ status, attempt }: Pick<Extraction, "status" | "attempt">): RunEvent => ({
  attempt,
  phase: phaseOf(status),
  step: null,
  percent: null,
  bytes: 0,
  rung: null
});

/** Nothing follows it. */
export const isLast = ({ phase }: RunProgress): boolean => phase === "done" || phase === "failed";
