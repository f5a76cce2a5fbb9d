/** The insert of deliveries: of a decision within its single statement, of others on their own. Tests: PgWebhooks.test.ts. */
import { receiverOf, type WebhookDelivery } from "@winnow/core/domain/webhook/WebhookDelivery";
import type { Values } from "./StatementValues.ts";

/** A body goes to several receivers and may be long, so it is sent once. */
export const insertDeliveries = (values: Values, deliveries: ReadonlyArray<WebhookDelivery>): string => {
  const bodies = new Map<string | null, string>();
  const placeholderOf = (body: string | null): string => {
    const place = bodies.get(body) ?? values.add(body);
    bodies.set(body, place);
    return place;
  };
  const tuples = deliveries.map((delivery) => {
    const { id, accountId, event, extractionId, endpointId, url, status, nextAttemptAtMs } = delivery;
    const { attemptCount, lastStatus, attemptsLeft, failureNote, createdAtMs } = delivery;
    const first = [id, accountId, event, extractionId, endpointId, url, receiverOf(delivery), status];
    const rest = [attemptCount, lastStatus, attemptsLeft, nextAttemptAtMs, failureNote, createdAtMs];
    const dueAtMs = nextAttemptAtMs ?? createdAtMs;
    return `(${values.addAll(first)}, ${placeholderOf(delivery.body)}, ${values.addAll([...rest, dueAtMs])})`;
  });
  return (
    "insert into winnow.webhook_delivery (id, account_id, event, extraction_id, endpoint_id, url, receiver," +
    " status, body, attempt_count, last_status, attempts_left, next_attempt_at_ms, failure_note, created_at_ms," +
    " due_at_ms)" +
    ` values ${tuples.join(", ")}`
  );
};
