/**
 * Parameters of a statement built from parts: passed as text, they take the type of their column. And the part that
 * inserts deliveries, of a decision within its single statement, of others on their own.
 */
import { receiverOf, type WebhookDelivery } from "@winnow/core/domain/webhook/WebhookDelivery";

export type Value = string | number | boolean | null;

/** For a JSON column; null means no value. */
export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** As the text of an array. */
const arrayOf = (values: ReadonlyArray<Value>): string => {
  const texts = values.map((value) =>
    value === null ? "null" : `"${String(value).replaceAll(/["\\]/gu, "\\$&")}"`
  );
  return `{${texts.join(",")}}`;
};

/** Columns of an insert with their types. */
export type Columns = ReadonlyArray<readonly [name: string, type: "text" | "json" | "bigint" | "integer"]>;

/** Numbers each value in order of first use. */
export class Values {
  readonly list: Array<string | boolean | null> = [];

  /** `$7` for the value. */
  add(value: Value): string {
    this.list.push(typeof value === "number" ? String(value) : value);
    return `$${this.list.length}`;
  }

  addAll(values: ReadonlyArray<Value>): string {
    return values.map((value) => this.add(value)).join(", ");
  }

  /**
   * `(columns) values (...)` for one row. For more, an array for each column: a statement has at most 32,767 values, and
   * its text does not depend on the number of rows.
   */
  addRows(columns: Columns, rows: ReadonlyArray<ReadonlyArray<Value>>): string {
    const names = columns.map(([name]) => name).join(", ");
    const [first = []] = rows;
    if (rows.length === 1) return `(${names}) values (${this.addAll(first)})`;
    const arrays = columns.map(
      (_, place) => `${this.add(arrayOf(rows.map((row) => row[place] ?? null)))}::text::text[]`
    );
    const typed = columns.map(([name, type]) => `r.${name}::${type}`).join(", ");
    return `(${names}) select ${typed} from unnest(${arrays.join(", ")}) as r (${names})`;
  }
}

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
    const { attemptCount, attemptsLeft, failureNote, createdAtMs } = delivery;
    const first = [id, accountId, event, extractionId, endpointId, url, receiverOf(delivery), status];
    const rest = [attemptCount, attemptsLeft, nextAttemptAtMs, failureNote, createdAtMs];
    const dueAtMs = nextAttemptAtMs ?? createdAtMs;
    return `(${values.addAll(first)}, ${placeholderOf(delivery.body)}, ${values.addAll([...rest, dueAtMs])})`;
  });
  return (
    "insert into winnow.webhook_delivery (id, account_id, event, extraction_id, endpoint_id, url, receiver," +
    " status, body, attempt_count, attempts_left, next_attempt_at_ms, failure_note, created_at_ms, due_at_ms)" +
    ` values ${tuples.join(", ")}`
  );
};
