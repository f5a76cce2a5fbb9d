/**
 * The statement that writes a decision's changes; a batch has further ones for its many rows.
 *
 * It contains only the parts that changed, so there are a handful of statement texts, all prepared. Values are
 * passed as text and take the type of their column. Before you change its form: bench/submit.ts. Tests: PgStore.test.ts.
 */
import type { Account } from "@winnow/core/domain/money/Account";
import type { AccountView, Changes } from "@winnow/core/domain/run/Decision";
import { runningOf, startsItems, type Batch, type BatchChange } from "@winnow/core/domain/run/Batch";
import { resultCreatedAtMs, schemaIdOf, type Extraction } from "@winnow/core/domain/run/Extraction";
import {
  storedRequests,
  type SharedFields,
  type StoredRequest
} from "@winnow/core/domain/run/StoredRequests";
import type { LedgerLine } from "@winnow/core/domain/money/Ledger";
import { listItemOf, nameOf, searchTextOf } from "@winnow/core/domain/result/ExtractionList";
import { usageOf } from "@winnow/core/domain/result/CountedUsage";
import { countUsage } from "./countUsage.ts";
import { insertDeliveries } from "./insertDeliveries.ts";
import { type Columns, jsonOf, type Value, Values } from "./StatementValues.ts";

export interface ChangesStatement {
  readonly text: string;
  readonly values: ReadonlyArray<string | boolean | null>;
  /** Rows written if everything it changes exists. */
  readonly rows: number;
}

/** Rarely changes, like the next: both are omitted from most runs' statements. */
const modelUseColumn = (values: Values, { refundedModelUse }: Account, before: Account): string =>
  refundedModelUse === before.refundedModelUse
    ? ""
    : `, refunded_model_use = ${values.add(jsonOf(refundedModelUse))}::json`;

const planColumns = (values: Values, account: Account, before: Account): string =>
  account.plan === before.plan && account.limits === before.limits
    ? ""
    : `, plan = ${values.add(account.plan)}, limits = ${values.add(jsonOf(account.limits))}::json,` +
      ` plans_before = ${values.add(jsonOf(account.plansBefore))}::json`;

const updateAccount = (values: Values, account: Account, before: Account): string =>
  `update winnow.account set name = ${values.add(account.name)}, balance = ${values.add(account.balance)},` +
  ` owed_credits = ${values.add(account.owedCredits)}, slots_used = ${values.add(account.slotsUsed)}, bonus_granted = ${values.add(account.bonusGranted)}` +
  `${modelUseColumn(values, account, before)}${planColumns(values, account, before)} where id = ${values.add(account.id)}`;

/** kind, outcome, name, search_text and schema_id. */
const searchedBy = (row: Extraction): readonly [Value, Value, Value, Value, Value] => [
  listItemOf(row).kind,
  row.result?.outcome ?? null,
  nameOf(row),
  searchTextOf(row),
  schemaIdOf(row)
];

/** As in the schema: 0 outside batches, 1 in one, null in one that starts nothing. */
const turnOf = ({ batchId }: Extraction, batch: Batch | null): number | null => {
  if (batchId === null) return 0;
  return batch !== null && startsItems(batch) ? 1 : null;
};

const EXTRACTION_COLUMNS: Columns = [
  ["id", "text"],
  ["account_id", "text"],
  ["status", "text"],
  ["request", "json"],
  ["shared", "text"],
  ["cache_key", "text"],
  ["credits_debited", "bigint"],
  ["credits_refunded", "bigint"],
  ["cached_from", "text"],
  ["attempt", "integer"],
  ["excused_attempts", "integer"],
  ["result", "json"],
  ["failure", "json"],
  ["created_at_ms", "bigint"],
  ["started_at_ms", "bigint"],
  ["completed_at_ms", "bigint"],
  ["moved_at_ms", "bigint"],
  ["made_by", "text"],
  ["api_key_id", "text"],
  ["api_key_name", "text"],
  ["seen", "json"],
  ["kind", "text"],
  ["outcome", "text"],
  ["name", "text"],
  ["search_text", "text"],
  ["schema_id", "text"],
  ["made_at_ms", "bigint"],
  ["rates", "json"],
  ["batch_id", "text"],
  ["turn", "integer"]
];

interface InsertedRow {
  readonly row: Extraction;
  readonly stored: StoredRequest;
}

const insertExtractions = (
  values: Values,
  rows: ReadonlyArray<InsertedRow>,
  batch: Batch | null,
  nowMs: number
): string => {
  const tuples = rows.map(({ row, stored }) => [
    row.id,
    row.accountId,
    row.status,
    stored.json,
    stored.shared?.hash ?? null,
    row.cacheKey,
    row.creditsDebited,
    row.creditsRefunded,
    row.cachedFrom,
    row.attempt,
    row.excusedAttempts,
    jsonOf(row.result),
    jsonOf(row.failure),
    row.createdAtMs,
    row.startedAtMs,
    row.completedAtMs,
    nowMs,
    row.requester.madeBy,
    row.requester.apiKeyId,
    row.requester.apiKeyName,
    jsonOf(row.seen),
    ...searchedBy(row),
    row.cachedFrom === null ? null : resultCreatedAtMs(row),
    jsonOf(row.rates),
    row.batchId,
    turnOf(row, batch)
  ]);
  return `insert into winnow.extraction ${values.addRows(EXTRACTION_COLUMNS, tuples)}`;
};

const SHARED_COLUMNS: Columns = [
  ["batch_id", "text"],
  ["hash", "text"],
  ["account_id", "text"],
  ["fields", "json"]
];

/** Those of a retry may be there already; the update counts them as written. */
const insertShared = (
  values: Values,
  { id, accountId }: Batch,
  shared: ReadonlyArray<SharedFields>
): string =>
  `insert into winnow.shared_fields ${values.addRows(
    SHARED_COLUMNS,
    shared.map(({ hash, json }) => [id, hash, accountId, json])
  )} on conflict (batch_id, hash) do update set hash = excluded.hash`;

/** `request` is the largest document and rarely changes: null leaves it unchanged. */
const updateExtraction = (
  values: Values,
  row: Extraction,
  before: Extraction | undefined,
  nowMs: number
): string => {
  const status = values.add(row.status);
  const request = values.add(before?.request === row.request ? null : jsonOf(row.request));
  const [kind, outcome, name, searchText, schemaId] = searchedBy(row);
  const columns: ReadonlyArray<readonly [string, Value]> = [
    ["cache_key", row.cacheKey],
    ["credits_debited", row.creditsDebited],
    ["credits_refunded", row.creditsRefunded],
    ["cached_from", row.cachedFrom],
    ["attempt", row.attempt],
    ["excused_attempts", row.excusedAttempts],
    ["result", jsonOf(row.result)],
    ["failure", jsonOf(row.failure)],
    ["created_at_ms", row.createdAtMs],
    ["started_at_ms", row.startedAtMs],
    ["completed_at_ms", row.completedAtMs],
    ["kind", kind],
    ["outcome", outcome],
    ["name", name],
    ["search_text", searchText],
    ["schema_id", schemaId]
  ];
  return (
    `update winnow.extraction set status = ${status}, request = coalesce(${request}::json, request),` +
    ` moved_at_ms = case when status = ${status} then moved_at_ms else ${values.add(nowMs)} end, ` +
    columns.map(([column, value]) => `${column} = ${values.add(value)}`).join(", ") +
    ` where id = ${values.add(row.id)} and account_id = ${values.add(row.accountId)}`
  );
};

const insertLedger = (values: Values, accountId: string, lines: ReadonlyArray<LedgerLine>): string => {
  const tuples = lines.map(
    ({ kind, credits, balanceAfter, extractionId, batchId, note, createdAtMs }) =>
      `(${values.addAll([accountId, kind, credits, balanceAfter, extractionId, batchId, note, createdAtMs])})`
  );
  return (
    "insert into winnow.ledger (account_id, kind, credits, balance_after, extraction_id, batch_id, note," +
    ` created_at_ms) values ${tuples.join(", ")}`
  );
};

const ITEM_COLUMNS: Columns = [
  ["batch_id", "text"],
  ["index", "integer"],
  ["extraction_id", "text"],
  ["document", "json"]
];

const writeBatch = (values: Values, { batch, items }: BatchChange): ReadonlyArray<string> => {
  const { id, accountId, status, createdAtMs, completedAtMs } = batch;
  const row = values.addAll([id, accountId, status, jsonOf(batch), createdAtMs, completedAtMs]);
  const tuples = items.map((item) => [id, item.index, item.extractionId, jsonOf(item)]);
  return [
    "insert into winnow.batch (id, account_id, status, document, created_at_ms, completed_at_ms)" +
      ` values (${row}) on conflict (id) do update set status = excluded.status,` +
      " document = excluded.document, completed_at_ms = excluded.completed_at_ms",
    ...(items.length === 0
      ? []
      : [
          `insert into winnow.batch_item ${values.addRows(ITEM_COLUMNS, tuples)}` +
            " on conflict (batch_id, index) do update set extraction_id = excluded.extraction_id, document = excluded.document"
        ])
  ];
};

/** Pausing holds the waiting items of a batch back, however many there are; going on returns them to their turn. */
const turnsOf = (
  values: Values,
  { batch: before }: AccountView,
  batch: Batch | null
): ReadonlyArray<string> =>
  batch === null || before === null || runningOf(batch) === 0 || startsItems(batch) === startsItems(before)
    ? []
    : [
        `turns as (update winnow.extraction set turn = ${startsItems(batch) ? "1" : "null"}` +
          ` where batch_id = ${values.add(batch.id)} and account_id = ${values.add(batch.accountId)} and status = 'queued')`
      ];

/** Characters of documents that one statement of many has: it is built, sent and parsed as a whole. */
const STATEMENT_CHARS_MAX = 1_000_000;

/** And rows: those of reused results have further documents. */
const STATEMENT_ROWS_MAX = 100;

/** In order, within both limits unless a single one is too long. */
const slicesOf = <A>(all: ReadonlyArray<A>, charsOf: (one: A) => number): ReadonlyArray<ReadonlyArray<A>> => {
  const slices: Array<Array<A>> = [];
  let chars = 0;
  for (const one of all) {
    const last = slices.at(-1);
    chars += charsOf(one);
    if (last === undefined || chars > STATEMENT_CHARS_MAX || last.length === STATEMENT_ROWS_MAX) {
      slices.push([one]);
      chars = charsOf(one);
    } else last.push(one);
  }
  return slices;
};

/** With the number of rows that it writes. */
const statementOf = (rows: number, write: (values: Values) => string): ChangesStatement => {
  const values = new Values();
  const text = `with written as (${write(values)} returning 1) select count(*)::integer as rows from written`;
  return { text, values: values.list, rows };
};

/** Rows that are inserted, in slices, and the statements for what they share. */
const insertedOf = ({ batch, inserted }: Changes) => {
  const alone = (row: Extraction): StoredRequest => ({ json: JSON.stringify(row.request), shared: null });
  const stored =
    batch === null ? inserted.map(alone) : storedRequests(inserted.map(({ request }) => request));
  const rows = inserted.map((row, index) => ({ row, stored: stored[index] ?? alone(row) }));
  const shared = new Map(
    stored.flatMap(({ shared: one }) => (one === null ? [] : [[one.hash, one] as const]))
  );
  return {
    slices: slicesOf(rows, (each) => each.stored.json.length),
    shared:
      batch === null
        ? []
        : slicesOf([...shared.values()], ({ json }) => json.length).map((slice) =>
            statementOf(slice.length, (values) => insertShared(values, batch.batch, slice))
          )
  };
};

/** Everything but the further rows; null if there is nothing to write. */
const mainStatement = (
  view: AccountView,
  changes: Changes,
  nowMs: number,
  first: ReadonlyArray<InsertedRow>
): ChangesStatement | null => {
  const accountId = view.account.id;
  const values = new Values();
  const parts: Array<string> = [];
  if (changes.account !== null) parts.push(updateAccount(values, changes.account, view.account));
  const batch = changes.batch?.batch ?? null;
  if (first.length > 0) parts.push(insertExtractions(values, first, batch, nowMs));
  for (const row of changes.updated) {
    const before = [view.extraction, ...view.waiting].find((loaded) => loaded?.id === row.id);
    parts.push(updateExtraction(values, row, before ?? undefined, nowMs));
  }
  if (changes.ledger.length > 0) parts.push(insertLedger(values, accountId, changes.ledger));
  if (changes.idempotency !== null) {
    const { key, bodyDigest, extractionId, batchId } = changes.idempotency;
    parts.push(
      "insert into winnow.idempotency (account_id, key, body_digest, extraction_id, batch_id)" +
        ` values (${values.addAll([accountId, key, bodyDigest, extractionId, batchId])})`
    );
  }
  if (changes.payment !== null) {
    parts.push(
      "insert into winnow.payment (account_id, id, document)" +
        ` values (${values.addAll([accountId, changes.payment.id, jsonOf(changes.payment)])})` +
        " on conflict (id) do update set document = excluded.document" +
        " where payment.account_id = excluded.account_id"
    );
  }
  if (changes.batch !== null) parts.push(...writeBatch(values, changes.batch));
  if (changes.deliveries.length > 0) parts.push(insertDeliveries(values, changes.deliveries));
  const usage = usageOf(changes);
  if (usage.length > 0) parts.push(countUsage(values, accountId, usage));
  if (parts.length === 0) return null;
  const named = parts.map((part, index) => `part_${index} as (${part} returning 1)`);
  const counts = parts.map((_, index) => `(select count(*) from part_${index})`);
  const moved = turnsOf(values, view, batch);
  return {
    text: `with ${[...named, ...moved].join(", ")} select (${counts.join(" + ")})::integer as rows`,
    values: values.list,
    rows:
      (changes.account === null ? 0 : 1) +
      first.length +
      changes.updated.length +
      changes.ledger.length +
      (changes.idempotency === null ? 0 : 1) +
      (changes.payment === null ? 0 : 1) +
      changes.deliveries.length +
      (changes.batch === null ? 0 : 1 + changes.batch.items.length) +
      usage.length
  };
};

/** The statements that write a decision's changes, none if there are none except jobs. */
export const changesStatements = (
  view: AccountView,
  changes: Changes,
  nowMs: number
): ReadonlyArray<ChangesStatement> => {
  const { shared, slices } = insertedOf(changes);
  const [first = [], ...further] = slices;
  const main = mainStatement(view, changes, nowMs, first);
  const batch = changes.batch?.batch ?? null;
  return [
    ...(main === null ? [] : [main]),
    ...shared,
    ...further.map((rows) =>
      statementOf(rows.length, (values) => insertExtractions(values, rows, batch, nowMs))
    )
  ];
};
