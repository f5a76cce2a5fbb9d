/**
 * Publishes progress of runs to watchers in all processes. Nothing depends on delivery: events may be dropped, and
 * a feed that is down loses them; the Store is authoritative.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type * as Stream from "effect/Stream";
import type { RunEvent } from "../domain/run/RunProgress.ts";

/** Events buffered for a slow watcher. */
export const KEPT_EVENTS_MAX = 64;

/** How long the newest event is kept without a watcher: browsers and clients come back within seconds. */
export const KEPT_EVENT_MS = 10_000;

export class RunFeed extends Context.Service<
  RunFeed,
  {
    /** Never fails and never waits for watchers. */
    readonly publish: (extractionId: string, event: RunEvent) => Effect.Effect<void>;

    /**
     * Events published after this returns, by any process that shares the feed, in order, and before them the newest
     * one, if there is or recently was another watcher in this process. A slow watcher misses the oldest. Ends when the scope closes.
     */
    readonly watch: (extractionId: string) => Effect.Effect<Stream.Stream<RunEvent>, never, Scope.Scope>;
  }
>()("@winnow/core/ports/RunFeed") {}
