/**
 * What a request with an `Idempotency-Key` is: new, a replay, or a conflict (specification, "Idempotency").
 */
import { createHash } from "node:crypto";
import * as Result from "effect/Result";
import { canonicalDigest } from "./CanonicalJson.ts";
import { InvalidRequest } from "./Refusal.ts";

/** Longest key, in characters (contract 4). */
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;

export interface KeyedRequest {
  readonly key: string;
  /** Digest of the body as canonical JSON: key order and whitespace do not count. */
  readonly bodyDigest: string;
}

/**
 * Scoped to the account, shared by the alias of submit. It outlives its extraction, so that a late retry is not
 * charged as a new run; then nothing but hashes is kept, the key's own among them.
 */
export interface IdempotencyRecord extends KeyedRequest {
  /** Null of a top-up, and once the extraction was deleted. */
  readonly extractionId: string | null;
}

/** What a key is kept as once its extraction was deleted; the line feed, which no header has, keeps it apart. */
export const deletedKey = (key: string): string =>
  `deleted\n${createHash("sha256").update(key).digest("hex")}`;

export type IdempotencyDecision = "new" | "replay" | "conflict";

export const decideIdempotency = (record: KeyedRequest | null, bodyDigest: string): IdempotencyDecision => {
  if (record === null) return "new";
  return record.bodyDigest === bodyDigest ? "replay" : "conflict";
};

/** 1 to 255 printable ASCII characters; surrounding white space does not count. */
export const parseIdempotencyKey = (header: string): Result.Result<string, InvalidRequest> => {
  const key = header.trim();
  return key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX && /^[\x20-\x7e]+$/u.test(key)
    ? Result.succeed(key)
    : Result.fail(
        new InvalidRequest({
          message: `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} printable ASCII characters.`,
          details: { param: "Idempotency-Key" }
        })
      );
};

/** Null without a key. */
export const readKeyedRequest = (
  header: string | null,
  body: unknown
): Result.Result<KeyedRequest | null, InvalidRequest> =>
  header === null
    ? Result.succeed(null)
    : Result.map(parseIdempotencyKey(header), (key) => ({ key, bodyDigest: canonicalDigest(body) }));
