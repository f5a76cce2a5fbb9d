/**
 * What a start waits for: a database or a bucket that is away comes back, and whoever waits is up with it. What is
 * wrong for good (a password, a name) is left to the start itself, which says so and ends.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const PAUSE_MS = 2_000;
const SAID_EVERY_MS = 60_000;

/**
 * Asks until the answer is null: until then it is a sentence about what is away. One line of the log when the
 * waiting begins, and one a minute.
 */
export const waitFor = Effect.fnUntraced(function* (awayWhy: Effect.Effect<string | null>) {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const why = yield* awayWhy;
    if (why === null) return;
    if (waitedMs % SAID_EVERY_MS === 0) yield* Effect.logWarning(`${why} Waiting until it is available.`);
    yield* Effect.sleep(PAUSE_MS);
  }
});

/** The sentence of a failure that passes; null when it is there, or wrong in a way that waiting does not mend. */
export const sentenceOf = <E>(
  asking: Effect.Effect<unknown, E>,
  sentence: (error: E) => string | null
): Effect.Effect<string | null> =>
  Effect.map(Effect.flip(asking).pipe(Effect.option), (failed) =>
    Option.match(failed, { onNone: () => null, onSome: sentence })
  );
