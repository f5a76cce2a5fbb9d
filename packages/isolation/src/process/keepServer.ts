/**
 * One server for all: started when it is first needed, again once it has died, and released with the scope or after
 * `idleMs` without use. After a failed start it is left alone for a while, and every use fails at once. Tests: ServerProcess.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as RcRef from "effect/RcRef";
import type * as Scope from "effect/Scope";
import type { ServerProcess } from "./ServerProcess.ts";

/** Pause after a failed start; each further failure doubles it. */
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 300_000;

export const keepServer = <S extends Pick<ServerProcess, "alive">, E, R>(
  start: Effect.Effect<S, E, R>,
  idleMs: number = Infinity
): Effect.Effect<Effect.Effect<S, E, Scope.Scope>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    let failed: { readonly error: E; readonly pauseMs: number; readonly untilMs: number } | null = null;
    const attempt = start.pipe(
      Effect.tap(() => Effect.sync(() => void (failed = null))),
      Effect.tapError((error) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          const pauseMs = failed === null ? PAUSE_MS : Math.min(2 * failed.pauseMs, PAUSE_MAX_MS);
          failed = { error, pauseMs, untilMs: nowMs + pauseMs };
        })
      )
    );
    const acquire = Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      failed !== null && nowMs < failed.untilMs ? Effect.fail(failed.error) : attempt
    );
    const server = yield* RcRef.make({ acquire, idleTimeToLive: idleMs });
    return Effect.flatMap(RcRef.get(server), (kept) =>
      // It may have died while nobody used it.
      kept.alive() ? Effect.succeed(kept) : Effect.andThen(RcRef.invalidate(server), RcRef.get(server))
    );
  });
