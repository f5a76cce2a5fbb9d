/**
 * The table of allowed state transitions of an extraction.
 * Terminal states have none. Tests: Laws.test.ts.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";

export const ExtractionStatus = Schema.Literals([
  "queued",
  "pending",
  "running",
  "complete",
  "failed"
]).annotate({
  identifier: "ExtractionStatus"
});
export type ExtractionStatus = typeof ExtractionStatus.Type;

/** Coarse progress derived from the status. */
export const ExtractionPhase = Schema.Literals(["queued", "processing", "done", "failed"]).annotate({
  identifier: "ExtractionPhase"
});
export type ExtractionPhase = typeof ExtractionPhase.Type;

/**
 * `dispatch` assigns a slot, `start` is a worker's claim, `release` returns a run to the queue (its worker died or
 * is stopping), `complete` and `fail` settle it; `fail` also covers cancel and expiry.
 */
export type TransitionName = "dispatch" | "start" | "release" | "complete" | "fail";

const TABLE: Readonly<Record<ExtractionStatus, { readonly [E in TransitionName]?: ExtractionStatus }>> = {
  queued: { dispatch: "pending", fail: "failed" },
  pending: { start: "running", fail: "failed" },
  running: { release: "pending", complete: "complete", fail: "failed" },
  complete: {},
  failed: {}
};

export interface IllegalTransition {
  readonly from: ExtractionStatus;
  readonly event: TransitionName;
}

export const transition = (
  from: ExtractionStatus,
  event: TransitionName
): Result.Result<ExtractionStatus, IllegalTransition> => {
  const next = TABLE[from][event];
  return next === undefined ? Result.fail({ from, event }) : Result.succeed(next);
};

export const isTerminal = (status: string): boolean => status === "complete" || status === "failed";

/** Pending and running extractions occupy slots. */
export const holdsSlot = (status: ExtractionStatus): boolean => status === "pending" || status === "running";

const PHASES: Readonly<Record<ExtractionStatus, ExtractionPhase>> = {
  queued: "queued",
  pending: "processing",
  running: "processing",
  complete: "done",
  failed: "failed"
};

export const phaseOf = (status: ExtractionStatus): ExtractionPhase => PHASES[status];
