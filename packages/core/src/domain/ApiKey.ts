/**
 * API keys: opaque to callers, `wnw_` + 40 base-62 characters + a 6-character checksum, kept only as
 * their SHA-256. The checksum lets a typo be refused without asking the store.
 */
import { createHash } from "node:crypto";

export const API_KEY_PREFIX = "wnw_";
export const API_KEY_RANDOM_CHARS = 40;

/** Random bytes to ask for: twice what is needed, so that too few never remain (1 in 10^38). */
export const API_KEY_RANDOM_BYTES = 80;

const CHECKSUM_CHARS = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${API_KEY_RANDOM_CHARS + CHECKSUM_CHARS}}$`, "u");

/** Stored form of a key. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Hex SHA-256 of the whole key. */
  readonly hash: string;
  readonly createdAtMs: number;
}

const checksum = (body: string): string =>
  [...createHash("sha256").update(body).digest().subarray(0, CHECKSUM_CHARS)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join("");

/**
 * Makes a key of random bytes, one a character; bytes of 248 and more would favour some letters and are
 * skipped. Throws a RangeError, a defect, when fewer than {@link API_KEY_RANDOM_CHARS} remain.
 */
export const apiKeyFrom = (random: Uint8Array): string => {
  const body = [...random]
    .filter((byte) => byte < ALPHABET.length * 4)
    .slice(0, API_KEY_RANDOM_CHARS)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join("");
  if (body.length < API_KEY_RANDOM_CHARS) throw new RangeError("Not enough random bytes for an API key");
  return `${API_KEY_PREFIX}${body}${checksum(body)}`;
};

export const hashApiKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Shape and checksum; says nothing about whether the key exists. */
export const isApiKey = (text: string): boolean => {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(API_KEY_PREFIX.length, -CHECKSUM_CHARS);
  return text.slice(-CHECKSUM_CHARS) === checksum(body);
};
