/** Classifies a request with an `Idempotency-Key`: new, a replay, or a conflict. */
import { createHash, hash } from "node:crypto";
import * as Result from "effect/Result";
import { canonicalDigest } from "../text/CanonicalJson.ts";
import { refuse } from "./BodyFields.ts";
import { Conflict, type InvalidRequest } from "./Refusal.ts";

export const IDEMPOTENCY_KEY_CHARS_MAX = 255;

export interface KeyedRequest {
  readonly key: string;
  /** Digest of the canonical JSON of the body, so that key order and white space do not matter. */
  readonly bodyDigest: string;
}

/**
 * Scoped to the account and shared with the alias of submit. It outlives its extraction, so that a late retry is
 * not charged as a new run; after deletion only hashes are kept, including that of the key.
 */
export interface IdempotencyRecord extends KeyedRequest {
  /** Null for a batch or a top-up, and after the extraction was deleted. */
  readonly extractionId: string | null;
  /** Only for a batch, until it is deleted. */
  readonly batchId: string | null;
}

/**
 * The stored key after its extraction was deleted. It contains a line feed, which no header can, so it cannot
 * collide.
 */
export const deletedKey = (key: string): string =>
  `deleted\n${createHash("sha256").update(key).digest("hex")}`;

const PARAM = "Idempotency-Key";

/** The key was used with another body. */
export const keyOfOtherBody = (): Conflict =>
  new Conflict({
    message: `This ${PARAM} was used with a different body; send that body again or use a new key.`,
    details: { param: PARAM }
  });

/** What a key may have made, by the reason for refusing the key after that was deleted. */
const DELETED = {
  extraction_deleted: ["extraction", "run it again, at its price"],
  schema_deleted: ["schema", "save it again"],
  endpoint_deleted: ["webhook endpoint", "register it again"]
} as const;

/** The body is the same, so repeating it with a new key would be charged again. */
export const keyOfDeleted = (reason: keyof typeof DELETED): Conflict => {
  const [what, remedy] = DELETED[reason];
  const message = `The ${what} created with this ${PARAM} was deleted; use a new key to ${remedy}.`;
  return new Conflict({ message, details: { param: PARAM, reason } });
};

/**
 * What an earlier request with this key made; null for a new request. `made` is what its record names, null once that was
 * deleted.
 *
 * @fails Conflict the body was another one, or what it made was deleted
 */
export const madeBefore = <A>(
  record: KeyedRequest | null,
  keyed: KeyedRequest | null,
  made: A | null
): Result.Result<A | null, Conflict> => {
  if (record === null || keyed === null) return Result.succeed(null);
  if (record.bodyDigest !== keyed.bodyDigest) return Result.fail(keyOfOtherBody());
  return made === null ? Result.fail(keyOfDeleted("extraction_deleted")) : Result.succeed(made);
};

/** 1 to 255 printable ASCII characters; surrounding white space is ignored. */
export const parseIdempotencyKey = (header: string): Result.Result<string, InvalidRequest> => {
  const key = header.trim();
  return key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX && /^[\x20-\x7e]+$/u.test(key)
    ? Result.succeed(key)
    : refuse(PARAM, `${PARAM} must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} printable ASCII characters.`);
};

/** Null without a key. */
export const readKeyedRequest = (
  header: string | null,
  body: unknown
): Result.Result<KeyedRequest | null, InvalidRequest> =>
  header === null
    ? Result.succeed(null)
    : Result.map(parseIdempotencyKey(header), (key) => ({ key, bodyDigest: canonicalDigest(body) }));

/** Characters after the prefix of a derived id: 128 bits, so collisions are negligible. */
const ID_CHARS = 32;

/** The same cause gives the same id. `cause` is unique within `owner`, which must not contain a line feed. */
export const derivedId = (prefix: string, owner: string, cause: string): string =>
  `${prefix}_${hash("sha256", `${owner}\n${cause}`, "hex").slice(0, ID_CHARS)}`;
