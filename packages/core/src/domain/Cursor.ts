/**
 * Cursors of newest-first lists: opaque to callers, bound to an account and a list (contract 5).
 *
 * The checksum refuses what was mistyped, cut or taken from elsewhere. It is not a secret and need not be:
 * whoever forges a cursor reaches other places of their own list, nothing else.
 */
import { createHash } from "node:crypto";
import * as Result from "effect/Result";
import { InvalidRequest } from "./Refusal.ts";

/** Place in a list; the page starts after it. */
export interface CursorPosition {
  readonly createdAtMs: number;
  readonly id: string;
}

/** A cursor of one list is none of another. */
export type CursorList = "accounts" | "extractions" | "ledger" | "schemas" | "webhook-deliveries";

/** Order of newest-first lists; ids break ties. */
export const newestFirst = (left: CursorPosition, right: CursorPosition): number => {
  if (left.createdAtMs !== right.createdAtMs) return right.createdAtMs - left.createdAtMs;
  if (left.id === right.id) return 0;
  return left.id < right.id ? 1 : -1;
};

/** Whether a row belongs on the page that starts after the place; null starts with the newest. */
export const isPast =
  (after: CursorPosition | null) =>
  (row: CursorPosition): boolean =>
    after === null || newestFirst(after, row) < 0;

/** Longest cursor looked at, in characters; ours have about 60. */
const CURSOR_CHARS_MAX = 512;

const CHECKSUM_BYTES = 9;
const PAYLOAD = /^(0|[1-9]\d{0,14})\.(.+)$/su;

const checksum = (accountId: string, list: CursorList, payload: string): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([accountId, list, payload]))
    .digest()
    .subarray(0, CHECKSUM_BYTES);

/** Base64url. The id is not empty. */
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
  // Base64 has several spellings of the same bytes; only ours counts.
  if (bytes.toString("base64url") !== text) return null;
  const payload = bytes.subarray(CHECKSUM_BYTES).toString();
  if (!checksum(accountId, list, payload).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null;
  const [, createdAtMs, id] = PAYLOAD.exec(payload) ?? [];
  return createdAtMs === undefined || id === undefined ? null : { createdAtMs: Number(createdAtMs), id };
};

/** @fails InvalidRequest {param:"cursor"}: anything that {@link encodeCursor} did not give this account. */
export const decodeCursor = (
  accountId: string,
  text: string,
  list: CursorList = "extractions"
): Result.Result<CursorPosition, InvalidRequest> => {
  const position = read(accountId, text, list);
  return position === null
    ? Result.fail(
        new InvalidRequest({
          message: "`cursor` was not issued by this list; pass `next_cursor` unchanged.",
          details: { param: "cursor" }
        })
      )
    : Result.succeed(position);
};

/** Null without a cursor. @fails as {@link decodeCursor} */
export const readCursor = (
  accountId: string,
  cursor: string | null,
  list: CursorList
): Result.Result<CursorPosition | null, InvalidRequest> =>
  cursor === null ? Result.succeed(null) : decodeCursor(accountId, cursor, list);

/** The first `limit` of the rows, and where the next page starts: null when there are no more rows than that. */
export const pageOf = <Row extends CursorPosition>(
  rows: ReadonlyArray<Row>,
  limit: number,
  of: { readonly accountId: string; readonly list: CursorList }
): { readonly rows: ReadonlyArray<Row>; readonly nextCursor: string | null } => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isLast = last === undefined || rows.length <= limit;
  return { rows: shown, nextCursor: isLast ? null : encodeCursor(of.accountId, last, of.list) };
};
