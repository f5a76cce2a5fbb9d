/**
 * Cursors of newest-first lists: opaque to callers, bound to an account and a list.
 *
 * The checksum detects cursors that were mistyped, truncated or taken from another list. It need not be secret: a
 * forged cursor only reaches other places in the caller's own list.
 */
import { createHash } from "node:crypto";
import * as Result from "effect/Result";
import { refuse } from "./BodyFields.ts";
import type { InvalidRequest } from "./Refusal.ts";

/** Position in a list; the page starts after it. */
export interface CursorPosition {
  readonly createdAtMs: number;
  readonly id: string;
}

/** Part of the checksum, so that a cursor is valid for one list only. */
export type CursorList =
  | "accounts"
  | "batches"
  | "extractions"
  | "ledger"
  | "results"
  | "schemas"
  | "webhook-deliveries";

/** Order of newest-first lists; ids break ties. */
export const newestFirst = (left: CursorPosition, right: CursorPosition): number => {
  if (left.createdAtMs !== right.createdAtMs) return right.createdAtMs - left.createdAtMs;
  if (left.id === right.id) return 0;
  return left.id < right.id ? 1 : -1;
};

/** Whether a row comes after the position; null means the start of the list. */
export const isPast =
  (after: CursorPosition | null) =>
  (row: CursorPosition): boolean =>
    after === null || newestFirst(after, row) < 0;

/** Maximum cursor length that is decoded, in characters; real ones have about 60. */
const CURSOR_CHARS_MAX = 512;

const CHECKSUM_BYTES = 9;
const PAYLOAD = /^(0|[1-9]\d{0,14})\.(.+)$/su;

const checksum = (accountId: string, list: CursorList, payload: string): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([accountId, list, payload]))
    .digest()
    .subarray(0, CHECKSUM_BYTES);

/** Base64url. The id must not be empty. */
export const encodeCursor = (
  accountId: string,
  position: CursorPosition,
  list: CursorList = "extractions"
): string => {
  const payload = `${position.createdAtMs}.${position.id}`;
  return Buffer.concat([checksum(accountId, list, payload), Buffer.from(payload)]).toString("base64url");
};

const read = (accountId: string, text: string, list: CursorList): CursorPosition | null => {
  if (text.length > CURSOR_CHARS_MAX) return null;
  const bytes = Buffer.from(text, "base64url");
  // Several base64 spellings decode to the same bytes; only the canonical one is accepted.
  if (bytes.toString("base64url") !== text) return null;
  const payload = bytes.subarray(CHECKSUM_BYTES).toString();
  if (!checksum(accountId, list, payload).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null;
  const [, createdAtMs, id] = PAYLOAD.exec(payload) ?? [];
  return createdAtMs === undefined || id === undefined ? null : { createdAtMs: Number(createdAtMs), id };
};

/** @fails InvalidRequest {param:"cursor"}: not a cursor that {@link encodeCursor} made for this account */
export const decodeCursor = (
  accountId: string,
  text: string,
  list: CursorList = "extractions"
): Result.Result<CursorPosition, InvalidRequest> => {
  const position = read(accountId, text, list);
  return position === null
    ? refuse("cursor", "`cursor` was not issued by this list; pass `next_cursor` unchanged.")
    : Result.succeed(position);
};

/** Null without a cursor. @fails as {@link decodeCursor} */
export const readCursor = (
  accountId: string,
  cursor: string | null,
  list: CursorList
): Result.Result<CursorPosition | null, InvalidRequest> =>
  cursor === null ? Result.succeed(null) : decodeCursor(accountId, cursor, list);

/** Which page of a list. */
export interface PageRequest {
  /** Positive. */
  readonly limit: number;
  /** Null for the first page. */
  readonly cursor: string | null;
}

/** Of a list. */
export interface Page<Row> {
  /** Newest first. Where some are left out, there may be fewer than asked for although more follow. */
  readonly rows: ReadonlyArray<Row>;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** The first `limit` rows and the cursor of the next page, which is null if there are no more rows. */
export const pageOf = <Row extends CursorPosition>(
  rows: ReadonlyArray<Row>,
  limit: number,
  of: { readonly accountId: string; readonly list: CursorList }
): Page<Row> => {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const isLast = last === undefined || rows.length <= limit;
  return { rows: pageRows, nextCursor: isLast ? null : encodeCursor(of.accountId, last, of.list) };
};

/** A page ends with the row that reaches it: readers may be slow, and what is read waits for them in memory. */
export const PAGE_BYTES = 1_048_576;

/** Up to the row whose content reaches the bytes, as JSON. */
export const upToBytes = <Row>(
  rows: ReadonlyArray<Row>,
  contentOf: (row: Row) => unknown,
  maxBytes = PAGE_BYTES
): ReadonlyArray<Row> => {
  let bytes = 0;
  const end = rows.findIndex(
    (row) => (bytes += Buffer.byteLength(JSON.stringify(contentOf(row)))) >= maxBytes
  );
  return end === -1 ? rows : rows.slice(0, end + 1);
};
