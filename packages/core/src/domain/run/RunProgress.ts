/** Progress of a run as reported by its worker (`GET /v1/extractions/{id}/events`). */
import * as Schema from "effect/Schema";
import type { Extraction } from "./Extraction.ts";
import { Modality } from "../source/Modality.ts";
import { ExtractionPhase, isTerminal, phaseOf } from "./Transition.ts";

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

/** Progress within a step. */
export type StepProgress = Omit<RunProgress, "phase" | "rung">;

/** Progress with its position. A greater `sequence` is later, across all attempts of an extraction. */
export const RunEvent = Schema.Struct({ sequence: Schema.Int, ...RunProgress.fields });
export type RunEvent = typeof RunEvent.Type;

/** More than one attempt can report: at most 4 events a second within its time limit. */
const EVENTS_PER_ATTEMPT = 1_000_000;

/** Sequence of the n-th event of an attempt, from 1. */
export const sequenceOf = (attempt: number, index: number): number =>
  attempt * EVENTS_PER_ATTEMPT + Math.min(index, EVENTS_PER_ATTEMPT - 2);

const lastSequenceOf = (attempt: number): number => (attempt + 1) * EVENTS_PER_ATTEMPT - 1;

/** The last possible sequence of the attempt that a sequence belongs to. */
export const endOf = (sequence: number): number => lastSequenceOf(Math.floor(sequence / EVENTS_PER_ATTEMPT));

/** Whether nothing can follow this sequence; the initial position does not count. */
export const isLastSequence = (sequence: number): boolean => sequence >= 0 && sequence === endOf(sequence);

/** The progress implied by the stored state: before any event of its attempt, or after all of them. */
export const eventOf = ({ status, attempt }: Pick<Extraction, "status" | "attempt">): RunEvent => ({
  sequence: isTerminal(status)
    ? lastSequenceOf(attempt)
    : attempt * EVENTS_PER_ATTEMPT + (attempt === 0 && status === "pending" ? 1 : 0),
  phase: phaseOf(status),
  step: null,
  percent: null,
  bytes: 0,
  rung: null
});

/** Nothing follows it. */
export const isLast = ({ phase }: RunProgress): boolean => phase === "done" || phase === "failed";
