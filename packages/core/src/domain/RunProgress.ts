/**
 * Where a run stands, as its worker tells it (contract 8, `GET /v1/extractions/{id}/events`).
 */
import * as Schema from "effect/Schema";
import type { Extraction } from "./Extraction.ts";
import { Modality } from "./Modality.ts";
import { ExtractionPhase, isTerminal, phaseOf } from "./Transition.ts";

export const RunStep = Schema.Literals(["inspecting", "fetching", "converting", "analysing", "storing"]);
export type RunStep = typeof RunStep.Type;

export const RunProgress = Schema.Struct({
  phase: ExtractionPhase,
  /** Null before the first step and after the last. */
  step: Schema.NullOr(RunStep),
  /** 0 to 100 of the step; null while unknown. */
  percent: Schema.NullOr(Schema.Finite),
  /** Fetched so far. */
  bytes: Schema.Int,
  /** Auto mode: the inputs of the rung that is being tried. Null otherwise. */
  rung: Schema.NullOr(Schema.Array(Modality))
});
export type RunProgress = typeof RunProgress.Type;

/** Progress in its place. A greater `sequence` is later, over all attempts of an extraction. */
export const RunEvent = Schema.Struct({ sequence: Schema.Int, ...RunProgress.fields });
export type RunEvent = typeof RunEvent.Type;

/** More than an attempt can tell: at most 4 events a second, and it has a time limit. */
const EVENTS_PER_ATTEMPT = 1_000_000;

/** The place of the n-th thing that an attempt tells, from 1. */
export const sequenceOf = (attempt: number, index: number): number =>
  attempt * EVENTS_PER_ATTEMPT + Math.min(index, EVENTS_PER_ATTEMPT - 2);

const lastSequenceOf = (attempt: number): number => (attempt + 1) * EVENTS_PER_ATTEMPT - 1;

/** The place that nothing is told after in the attempt of a sequence. */
export const endOf = (sequence: number): number => lastSequenceOf(Math.floor(sequence / EVENTS_PER_ATTEMPT));

/** Whether it is the place of an event that nothing is told after; what is before all of them is none. */
export const isLastSequence = (sequence: number): boolean => sequence >= 0 && sequence === endOf(sequence);

/** What the stored state alone says: before whatever its attempt tells, or after all of it. */
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

/** Nothing is told after it. */
export const isLast = ({ phase }: RunProgress): boolean => phase === "done" || phase === "failed";
