/**
 * Decodes documents from the database with the domain's schemas. A row that does not decode is a defect.
 *
 * The SQL functions `winnow.*_json` create the documents. Tests: PgStore.test.ts.
 */
import { Account } from "@winnow/core/domain/money/Account";
import type { ApiKeyRecord } from "@winnow/core/domain/access/ApiKey";
import { Batch, BatchItem } from "@winnow/core/domain/run/Batch";
import type { AccountView } from "@winnow/core/domain/run/Decision";
import { Extraction } from "@winnow/core/domain/run/Extraction";
import type { IdempotencyRecord } from "@winnow/core/domain/request/Idempotency";
import { LedgerLine, type LedgerEntry } from "@winnow/core/domain/money/Ledger";
import { Payment } from "@winnow/core/domain/money/Payment";
import type { RunRequest } from "@winnow/core/domain/request/RunRequest";
import { joinedRequest } from "@winnow/core/domain/run/StoredRequests";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import * as Schema from "effect/Schema";

/** The single column of the store's queries. */
export interface DocumentRow {
  readonly document: unknown;
}

const IdempotencyDocument = Schema.Struct({
  key: Schema.String,
  bodyDigest: Schema.String,
  extractionId: Schema.NullOr(Schema.String),
  batchId: Schema.NullOr(Schema.String)
}) satisfies Schema.Schema<IdempotencyRecord>;

/** The result of the function that locks an account. */
type LockedView = Omit<AccountView, "plan" | "usedByKey" | "payment">;

const ViewDocument = Schema.Struct({
  account: Account,
  waitingCount: Schema.Int,
  waiting: Schema.Array(Extraction),
  extraction: Schema.NullOr(Extraction),
  idempotency: Schema.NullOr(IdempotencyDocument),
  replayed: Schema.NullOr(Extraction),
  batch: Schema.NullOr(Batch),
  batchItemsWaiting: Schema.Int,
  known: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      status: ExtractionStatus,
      cachedFrom: Schema.NullOr(Schema.String),
      isItem: Schema.Boolean
    })
  ),
  webhookEndpoints: Schema.Array(Schema.Struct({ id: Schema.String, url: Schema.String }))
}) satisfies Schema.Schema<LockedView>;

const decodeView = Schema.decodeUnknownSync(ViewDocument);

const LedgerDocument = Schema.Struct({
  ...LedgerLine.fields,
  id: Schema.String,
  accountId: Schema.String
}) satisfies Schema.Schema<Omit<LedgerEntry, "extractionTitle">>;

const ApiKeyDocument = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  name: Schema.String,
  hash: Schema.String,
  start: Schema.String,
  dailyCredits: Schema.NullOr(Schema.Int),
  createdBy: Schema.NullOr(Schema.String),
  lastUsedAtMs: Schema.NullOr(Schema.Int),
  createdAtMs: Schema.Int
}) satisfies Schema.Schema<ApiKeyRecord>;

/** In place, because the document was parsed for us. Gives an extraction the fields that it shares. */
const joined = (document: unknown): unknown => {
  const fields = document as Record<string, unknown> | null;
  if (fields?.["shared"] != null) {
    fields["request"] = joinedRequest(fields["request"] as RunRequest, fields["shared"] as RunRequest);
  }
  delete fields?.["shared"];
  return document;
};

const decodeExtraction = Schema.decodeUnknownSync(Extraction);

/**
 * Without validating each field, for data that is only shown to its owner. Validation changes nothing, so the value
 * is the same; it would take an eighth of a poll's time.
 */
export const shownExtraction = (document: unknown): Extraction => joined(document) as Extraction;

export const readAccount = Schema.decodeUnknownSync(Account);
export const readExtraction = (document: unknown): Extraction => decodeExtraction(joined(document));
export const readIdempotency = Schema.decodeUnknownSync(IdempotencyDocument);
const decodeLedgerEntry = Schema.decodeUnknownSync(LedgerDocument);
export const readLedgerEntry = (document: unknown, extractionTitle: string | null): LedgerEntry => ({
  ...decodeLedgerEntry(document),
  extractionTitle
});
export const readBatch = Schema.decodeUnknownSync(Batch);
export const readBatchItem = Schema.decodeUnknownSync(BatchItem);
export const readApiKey = Schema.decodeUnknownSync(ApiKeyDocument);

/** Null for a payment that nothing is known of yet. */
export const readPayment = Schema.decodeUnknownSync(Schema.NullOr(Payment));

/** Null if there is no such account. */
export const readView = (document: unknown): LockedView | null => {
  const view = document as Record<keyof LockedView, unknown> | null;
  if (view === null) return null;
  for (const each of [view.extraction, view.replayed, ...(view.waiting as ReadonlyArray<unknown>)])
    joined(each);
  return decodeView(view);
};
