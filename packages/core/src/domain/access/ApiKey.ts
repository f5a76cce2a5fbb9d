/** API keys: tokens that begin with `wnw_`, opaque to callers, kept only as their SHA-256. */
import { hashToken, isToken, TOKEN_RANDOM_BYTES, tokenFrom } from "./Token.ts";

export const API_KEY_PREFIX = "wnw_";

/** Random bytes needed to create a key. */
export const API_KEY_RANDOM_BYTES = TOKEN_RANDOM_BYTES;

/** Maximum live keys per account: more than one person needs, few enough to show in one list. */
export const API_KEYS_MAX = 100;

/** Number of characters after the prefix that lists show. The other 36 cannot be guessed. */
const SHOWN_CHARS = 4;

/** Stored form of a key. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Hex SHA-256 of the whole key. */
  readonly hash: string;
  /** First characters of the key, by which people recognise it: `wnw_8Kd2`. */
  readonly start: string;
  /** Maximum credits per UTC day; null for no limit. */
  readonly dailyCredits: number | null;
  /** Id of the member who created it, who may have been removed since; null if it was nobody known. */
  readonly createdBy: string | null;
  /** Rounded to the minute; null if the key was never used. */
  readonly lastUsedAtMs: number | null;
  readonly createdAtMs: number;
}

/** The account and limits that a key stands for. */
export type KeyHolder = Pick<ApiKeyRecord, "id" | "name" | "accountId" | "dailyCredits" | "createdBy">;

export const keyHolderOf = ({ id, name, accountId, dailyCredits, createdBy }: ApiKeyRecord): KeyHolder => ({
  id,
  name,
  accountId,
  dailyCredits,
  createdBy
});

/** Minimum interval between two writes of `lastUsedAt`. */
export const LAST_USE_INTERVAL_MS = 60_000;

/** Throws a RangeError (a defect) if there are not enough usable bytes. */
export const apiKeyFrom = (random: Uint8Array): string => tokenFrom(API_KEY_PREFIX, random);

export const hashApiKey = hashToken;

/** `wnw_8Kd2`. */
export const apiKeyStart = (key: string): string => key.slice(0, API_KEY_PREFIX.length + SHOWN_CHARS);

/** Checks shape and checksum only; the key may still not exist. */
export const isApiKey = (text: string): boolean => isToken(API_KEY_PREFIX, text);
