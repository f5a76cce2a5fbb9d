/**
 * Waits at start-up for an unavailable database or bucket, so that the server starts once it recovers. Permanent
 * errors (a password, a name) are left to the start itself, which reports them and ends. Tests: outages.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const PAUSE_MS = 2_000;
const LOG_INTERVAL_MS = 60_000;

/**
 * Polls until the check returns null; a sentence describes what is unavailable. Logs one line when the wait starts,
 * and one a minute.
 */
export const waitFor = Effect.fnUntraced(function* (awayWhy: Effect.Effect<string | null>) {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const why = yield* awayWhy;
    if (why === null) return;
    if (waitedMs % LOG_INTERVAL_MS === 0) yield* Effect.logWarning(`${why} Waiting until it is available.`);
    yield* Effect.sleep(PAUSE_MS);
  }
});

/** Description of a transient failure; null if there is none, or if waiting cannot fix it. */
export const sentenceOf = <E>(
  probing: Effect.Effect<unknown, E>,
  sentence: (error: E) => string | null
): Effect.Effect<string | null> =>
  Effect.map(Effect.flip(probing).pipe(Effect.option), (failed) =>
    Option.match(failed, { onNone: () => null, onSome: sentence })
  );
