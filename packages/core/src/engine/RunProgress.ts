/**
 * Where the runs of this process stand, for whoever watches. Nothing depends on it being seen: events
 * that no one takes up in time are dropped, the oldest first.
 */
import * as Effect from "effect/Effect";
import * as PubSub from "effect/PubSub";
import * as RcMap from "effect/RcMap";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { ExtractionPhase } from "../domain/Transition.ts";
import type { FetchProgress } from "../ports/Downloader.ts";

export interface RunProgress {
  readonly phase: ExtractionPhase;
  /** Null before the first step and after the last. */
  readonly step: FetchProgress["step"] | "analysing" | "storing" | null;
  /** 0 to 100 of the step; null while unknown. */
  readonly percent: number | null;
  /** Fetched so far. */
  readonly bytes: number;
}

/** Events kept for a slow watcher. */
const KEPT_EVENTS_MAX = 64;

export interface ProgressBoard {
  /** Keeps the extraction's last event for watchers that come late, until the scope closes. */
  readonly hold: (extractionId: string) => Effect.Effect<void, never, Scope.Scope>;
  readonly publish: (extractionId: string, progress: RunProgress) => Effect.Effect<void>;
  /** From the last event on, up to the one that says how the run ended. */
  readonly watch: (extractionId: string) => Stream.Stream<RunProgress>;
}

export const makeProgressBoard: Effect.Effect<ProgressBoard, never, Scope.Scope> = Effect.map(
  RcMap.make({
    lookup: (_extractionId: string) =>
      Effect.acquireRelease(
        PubSub.sliding<RunProgress>({ capacity: KEPT_EVENTS_MAX, replay: 1 }),
        PubSub.shutdown
      )
  }),
  (boards): ProgressBoard => ({
    hold: (id) => Effect.asVoid(RcMap.get(boards, id)),
    publish: (id, progress) =>
      Effect.scoped(Effect.flatMap(RcMap.get(boards, id), (board) => PubSub.publish(board, progress))),
    watch: (id) =>
      Stream.unwrap(Effect.map(RcMap.get(boards, id), (board) => Stream.fromPubSub(board))).pipe(
        Stream.takeUntil(({ phase }) => phase === "done" || phase === "failed")
      )
  })
);
