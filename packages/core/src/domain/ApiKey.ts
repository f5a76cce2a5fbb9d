/**
 * API keys: tokens that begin with `wnw_`, opaque to callers, kept only as their SHA-256.
 */
import { hashToken, isToken, TOKEN_RANDOM_BYTES, tokenFrom } from "./Token.ts";

export const API_KEY_PREFIX = "wnw_";

/** Random bytes to ask for. */
export const API_KEY_RANDOM_BYTES = TOKEN_RANDOM_BYTES;

/** Live keys of an account: far more than programs that one person looks after, few enough for one list. */
export const API_KEYS_MAX = 100;

/** Characters after the prefix that lists show; the 36 that stay hidden are beyond guessing. */
const SHOWN_CHARS = 4;

/** Stored form of a key. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Hex SHA-256 of the whole key. */
  readonly hash: string;
  /** How the key begins, for people to tell theirs apart: `wnw_8Kd2`. Null for keys older than this field. */
  readonly start: string | null;
  /** Credits that it may spend in a day (UTC); null for as many as the account has. */
  readonly dailyCredits: number | null;
  /** To the minute; null when it was never used. */
  readonly lastUsedAtMs: number | null;
  readonly createdAtMs: number;
}

/** Whom a key speaks for. */
export type KeyHolder = Pick<ApiKeyRecord, "id" | "name" | "accountId" | "dailyCredits">;

export const holderOf = ({ id, name, accountId, dailyCredits }: ApiKeyRecord): KeyHolder => ({
  id,
  name,
  accountId,
  dailyCredits
});

/** A use is written down once in so long. */
export const LAST_USE_INTERVAL_MS = 60_000;

/** Throws a RangeError, a defect, when the bytes do not do for a key. */
export const apiKeyFrom = (random: Uint8Array): string => tokenFrom(API_KEY_PREFIX, random);

export const hashApiKey = hashToken;

/** `wnw_8Kd2`. */
export const apiKeyStart = (key: string): string => key.slice(0, API_KEY_PREFIX.length + SHOWN_CHARS);

/** Shape and checksum; says nothing about whether the key exists. */
export const isApiKey = (text: string): boolean => isToken(API_KEY_PREFIX, text);
