/** Ends long answers when the key or session of their request is revoked. Tests: revocation.test.ts. */
import { Unauthorized } from "@winnow/core/domain/request/Refusal";
import type { WhileAllowed } from "@winnow/core/engine/batches/Batches";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import type { Principal } from "./Authorization.ts";

/** Each long answer asks this often: revoked access ends it within this time and one query. */
export const ACCESS_CHECK_INTERVAL_MS = 3_000;

type IsLive = Principal["Service"]["isLive"];

/** If the store does not respond, the answer continues. */
export const isStillLive = (isLive: IsLive): Effect.Effect<boolean> =>
  Effect.catchDefect(isLive, () => Effect.succeed(true));

/** Completes when access is revoked. */
const revoked = (isLive: IsLive): Effect.Effect<void> =>
  Effect.asVoid(
    Effect.repeat(Effect.delay(isStillLive(isLive), ACCESS_CHECK_INTERVAL_MS), { while: (live) => live })
  );

/** Sends nothing that appears after access was revoked, and ends. */
export const eventsWhileLive = <A, E, R>(events: Stream.Stream<A, E, R>, isLive: IsLive) =>
  events.pipe(
    Stream.takeWhileEffect(() => isStillLive(isLive)),
    Stream.interruptWhen(revoked(isLive))
  );

/** Cuts the answer: its length was promised, so an early end must not look complete. */
export const bytesWhileLive = <A, E, R>(bytes: Stream.Stream<A, E, R>, isLive: IsLive) =>
  Stream.interruptWhen(bytes, Effect.andThen(revoked(isLive), Effect.interrupt));

/** Checked once more at its end; shorter ones were checked at their beginning. */
const LONG_ANSWER_MS = 1_000;

/** An answer that may take long to find; `refusal` if access was revoked meanwhile. */
export const answerWhileLive = <A, E, R>(
  answer: Effect.Effect<A, E, R>,
  isLive: IsLive,
  refusal: A
): Effect.Effect<A, E, R> =>
  Effect.raceFirst(answer, Effect.as(revoked(isLive), refusal)).pipe(
    Effect.timed,
    Effect.flatMap(([took, found]) =>
      Duration.toMillis(took) < LONG_ANSWER_MS
        ? Effect.succeed(found)
        : Effect.map(isStillLive(isLive), (live) => (live ? found : refusal))
    )
  );

const REVOKED = new Unauthorized({
  message: "The API key was revoked, or the session ended, before this was done: nothing was."
});

/** Work that may take long before it changes anything. @fails Unauthorized access was revoked meanwhile */
export const workWhileLive =
  (isLive: IsLive): WhileAllowed =>
  (work) =>
    Effect.flatMap(answerWhileLive(Effect.asSome(work), isLive, Option.none()), (done) =>
      Option.isNone(done) ? Effect.fail(REVOKED) : Effect.succeed(done.value)
    );
