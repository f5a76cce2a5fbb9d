/**
 * Records delivery attempts. Attempts that end while a statement is in flight are batched into the next one: a busy
 * dispatcher commits once for many of them, and an idle one does not wait.
 */
import {
  afterAttempt,
  ENDPOINT_DISABLED,
  freshSchedule,
  type DeliveryAttempt,
  type WebhookDelivery
} from "@winnow/core/domain/webhook/WebhookDelivery";
import { FAILING_MS_MAX } from "@winnow/core/domain/webhook/WebhookEndpoint";
import type { ClaimedDelivery, WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Queue from "effect/Queue";
import type * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { jsonOf } from "./StatementValues.ts";
import { orUnavailable } from "./StorageFault.ts";

/** Maximum attempts per statement, so that none waits long for the others. */
const BATCH_MAX = 64;

const RECORD_ATTEMPTS = "select id, claim, renewed from winnow.record_webhook_attempts($1::json, $2)";

/** An attempt that counts; `renewed`: its delivery was made due again while it was in flight. */
interface RecordedAttempt {
  readonly id: string;
  readonly claim: number;
  readonly renewed: boolean;
}

interface Ended {
  readonly delivery: WebhookDelivery;
  readonly claim: number;
  readonly attempt: DeliveryAttempt;
  readonly nowMs: number;
  readonly recorded: Deferred.Deferred<WebhookDelivery | null, SqlError>;
}

const afterOf = ({ delivery, attempt, nowMs }: Ended, renewed: boolean): WebhookDelivery =>
  afterAttempt(renewed ? { ...delivery, ...freshSchedule(nowMs) } : delivery, attempt, nowMs);

const parameterOf = (ended: Ended): object => {
  const { claim, attempt, nowMs } = ended;
  const { id, status, attemptsLeft, nextAttemptAtMs } = afterOf(ended, false);
  const renewed = afterOf(ended, true);
  return {
    id,
    claim,
    at_ms: attempt.atMs,
    headers: attempt.requestHeaders,
    answer: attempt.status,
    // Untrusted text is JSON within JSON, so that any character passes, including NUL and unpaired surrogates.
    error: jsonOf(attempt.error),
    duration_ms: attempt.durationMs,
    snippet: jsonOf(attempt.responseSnippet),
    status,
    attempts_left: attemptsLeft,
    next_attempt_at_ms: nextAttemptAtMs,
    renewed_status: renewed.status,
    renewed_attempts_left: renewed.attemptsLeft,
    renewed_next_attempt_at_ms: renewed.nextAttemptAtMs,
    now_ms: nowMs,
    give_up_before_ms: nowMs - FAILING_MS_MAX
  };
};

/** Records until the scope closes. */
export const makeAttemptRecorder = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const waiting = yield* Queue.unbounded<Ended>();

  const write = Effect.fnUntraced(function* (ended: ReadonlyArray<Ended>) {
    const parameters = JSON.stringify(ended.map(parameterOf));
    const rows = yield* sql.unsafe<RecordedAttempt>(RECORD_ATTEMPTS, [parameters, ENDPOINT_DISABLED]);
    const written = new Map(rows.map((row) => [`${row.id} ${row.claim}`, row]));
    for (const one of ended) {
      const recorded = written.get(`${one.delivery.id} ${one.claim}`);
      yield* Deferred.succeed(one.recorded, recorded === undefined ? null : afterOf(one, recorded.renewed));
    }
  });

  /** One that cannot be written must not block the others. */
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
  }, orUnavailable) satisfies WebhookOutbox["Service"]["recordAttempt"];
});
