/**
 * Records attempts at deliveries. Those that end while a statement is on its way travel together in the next
 * one: a busy dispatcher commits once for many of them, an idle one waits for nobody.
 */
import {
  afterAttempt,
  ENDPOINT_DISABLED,
  wasSlow,
  type DeliveryAttempt,
  type WebhookDelivery
} from "@winnow/core/domain/WebhookDelivery";
import { FAILING_MS_MAX } from "@winnow/core/domain/WebhookEndpoint";
import type { ClaimedDelivery, WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Queue from "effect/Queue";
import type * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";

/** Attempts of one statement, so that none waits long for the others. */
const BATCH_MAX = 64;

const RECORD_ATTEMPTS = "select held from winnow.record_webhook_attempts($1::json, $2) held";

interface Ended {
  readonly delivery: WebhookDelivery;
  readonly claim: number;
  readonly attempt: DeliveryAttempt;
  readonly nowMs: number;
  readonly recorded: Deferred.Deferred<WebhookDelivery | null, SqlError>;
}

/** Text of strangers is JSON within JSON: any character of it passes, NUL and lone surrogates too. */
const json = (value: string | null): string | null => (value === null ? null : JSON.stringify(value));

const parameterOf = ({ delivery, claim, attempt, nowMs }: Ended): object => {
  const { id, status, attemptsLeft, nextAttemptAtMs } = afterAttempt(delivery, attempt, nowMs);
  return {
    id,
    claim,
    at_ms: attempt.atMs,
    answer: attempt.status,
    error: json(attempt.error),
    duration_ms: attempt.durationMs,
    snippet: json(attempt.responseSnippet),
    slow: wasSlow(attempt),
    status,
    attempts_left: attemptsLeft,
    next_attempt_at_ms: nextAttemptAtMs,
    now_ms: nowMs,
    give_up_before_ms: nowMs - FAILING_MS_MAX
  };
};

/** Records until the scope closes. */
export const makeAttemptRecorder = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const waiting = yield* Queue.unbounded<Ended>();

  const write = Effect.fnUntraced(function* (ended: ReadonlyArray<Ended>) {
    const parameters = JSON.stringify(ended.map(parameterOf));
    const rows = yield* sql.unsafe<{ readonly held: string }>(RECORD_ATTEMPTS, [
      parameters,
      ENDPOINT_DISABLED
    ]);
    const written = new Set(rows.map(({ held }) => held));
    for (const { delivery, claim, attempt, nowMs, recorded } of ended) {
      const after = written.has(`${delivery.id} ${claim}`) ? afterAttempt(delivery, attempt, nowMs) : null;
      yield* Deferred.succeed(recorded, after);
    }
  });

  /** One that cannot be written must not keep others from it. */
  const writeEach = (ended: ReadonlyArray<Ended>) =>
    Effect.forEach(
      ended,
      (one) =>
        Effect.flatMap(Effect.exit(write([one])), (exit) =>
          Exit.isSuccess(exit) ? Effect.void : Deferred.failCause(one.recorded, exit.cause)
        ),
      { discard: true }
    );

  yield* Queue.takeBetween(waiting, 1, BATCH_MAX).pipe(
    Effect.flatMap((ended) => Effect.catchCause(write(ended), () => writeEach(ended))),
    Effect.withTracerEnabled(false),
    Effect.forever,
    Effect.forkScoped
  );

  return Effect.fn("PgWebhookOutbox.recordAttempt")(function* (
    { delivery, claim }: Pick<ClaimedDelivery, "delivery" | "claim">,
    attempt: DeliveryAttempt,
    nowMs: number
  ) {
    const recorded = yield* Deferred.make<WebhookDelivery | null, SqlError>();
    yield* Queue.offer(waiting, { delivery, claim, attempt, nowMs, recorded });
    return yield* Deferred.await(recorded);
  }, Effect.orDie) satisfies WebhookOutbox["Service"]["recordAttempt"];
});
