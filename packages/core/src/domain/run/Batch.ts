/**
 * A batch: up to 1,000 submits that were quoted, debited and accepted together. Its items are ordinary extractions; the
 * batch counts how they end. Tests: Laws.test.ts.
 */
import * as Schema from "effect/Schema";
import { Credits } from "../money/Credits.ts";
import { ExtractionStatus, isTerminal } from "./Transition.ts";
import { type Extraction, isCached } from "./Extraction.ts";
import { WireRange } from "../source/TimeRange.ts";

/** Maximum items of a batch. */
export const BATCH_ITEMS_MAX = 1_000;

/**
 * Maximum bytes of the body that creates or quotes a batch: 1,000 items with a schema of 2 KB each fit; larger schemas
 * are saved and named by `schemaId`.
 */
export const BATCH_BODY_BYTES_MAX = 4_194_304;

/** Maximum bytes of all requests of a batch as they are stored, fields that several of them share counted once. */
export const BATCH_STORED_BYTES_MAX = 16 * 1024 * 1024;

/** Maximum items for one listing in a batch. */
export const LISTED_ITEMS_MAX = 200;

/** Maximum listings in a batch: all are read before the first item is quoted. */
export const LISTINGS_MAX = 50;

/** `paused` and `cancelled`: no further item starts. `complete`: every item has ended. */
export const BatchStatus = Schema.Literals(["running", "paused", "complete", "cancelled"]).annotate({
  identifier: "BatchStatus"
});
export type BatchStatus = typeof BatchStatus.Type;

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const Batch = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** Given, or of its hosts and schema; can be changed. */
  name: Schema.String,
  status: BatchStatus,
  /** Items, refused ones included. */
  total: Count,
  refused: Count,
  /** Items whose result was reused; they are complete and cost nothing. */
  reused: Count,
  complete: Count,
  failed: Count,
  creditsDebited: Credits,
  creditsRefunded: Credits,
  createdAtMs: Schema.Int,
  /** When the last item ended; null before. */
  completedAtMs: Schema.NullOr(Schema.Int)
});
export type Batch = typeof Batch.Type;

/** Why an item was refused: code, message and details of the API error that a single submit would get. */
export const ItemError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
});
export type ItemError = typeof ItemError.Type;

export const BatchItem = Schema.Struct({
  /** Place in the submitted list, from 0. */
  index: Schema.Int,
  /** As submitted. */
  url: Schema.String,
  /** The stretch that is asked of it; absent for the whole, and if that could not be read. */
  range: Schema.optionalKey(WireRange),
  /** Null for a refused item. */
  extractionId: Schema.NullOr(Schema.String),
  error: Schema.NullOr(ItemError),
  creditsDebited: Credits
});
export type BatchItem = typeof BatchItem.Type;

/** What tells an item from the others. */
export type ItemPlace = Pick<BatchItem, "index" | "url" | "range">;

/** An item with the state of its extraction: null if it was refused, or deleted since. */
export interface ItemState extends BatchItem {
  readonly status: ExtractionStatus | null;
}

/** Rows that a decision about a batch writes; items replace those with the same index. */
export interface BatchChange {
  readonly batch: Batch;
  readonly items: ReadonlyArray<BatchItem>;
}

const acceptedOf = ({ total, refused }: Batch): number => total - refused;

/** Accepted items that have not ended. */
export const runningOf = (batch: Batch): number => acceptedOf(batch) - batch.complete - batch.failed;

/** As shown: accepted items are running, which includes waiting, or have ended. */
export const countsOf = (batch: Batch) => {
  const { total, refused, reused, complete, failed } = batch;
  return {
    total,
    accepted: acceptedOf(batch),
    refused,
    reused,
    running: runningOf(batch),
    complete,
    failed
  };
};

/** Whether waiting items of the batch may start. */
export const startsItems = ({ status }: Pick<Batch, "status">): boolean => status === "running";

/** With its status and end, once all items have ended. */
export const settledBatch = (batch: Batch, nowMs: number): Batch =>
  runningOf(batch) > 0
    ? batch
    : {
        ...batch,
        status: batch.status === "cancelled" ? "cancelled" : "complete",
        completedAtMs: batch.completedAtMs ?? nowMs
      };

/** The batch after one of its extractions ended. */
export const withEnded = (batch: Batch, ended: Extraction, nowMs: number): Batch => {
  const { status, creditsRefunded } = ended;
  if (!isTerminal(status)) return batch;
  const counts =
    status === "complete"
      ? { complete: batch.complete + 1, reused: batch.reused + (isCached(ended) ? 1 : 0) }
      : { failed: batch.failed + 1 };
  return settledBatch(
    { ...batch, ...counts, creditsRefunded: batch.creditsRefunded + creditsRefunded },
    nowMs
  );
};
