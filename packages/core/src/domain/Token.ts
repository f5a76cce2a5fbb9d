/**
 * Secrets that are handed out once: a prefix that says what it is, 40 random base-62 characters and a
 * 6-character checksum. Stores keep only the SHA-256. The checksum lets a typo be refused without asking
 * the store.
 */
import { hash } from "node:crypto";

export const TOKEN_RANDOM_CHARS = 40;

/** Random bytes to ask for: twice what is needed, so that too few never remain (1 in 10^38). */
export const TOKEN_RANDOM_BYTES = 80;

const CHECKSUM_CHARS = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = new RegExp(`^[0-9A-Za-z]{${TOKEN_RANDOM_CHARS + CHECKSUM_CHARS}}$`, "u");

const checksum = (body: string): string =>
  [...hash("sha256", body, "buffer").subarray(0, CHECKSUM_CHARS)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join("");

/**
 * Makes a token of random bytes, one a character; bytes of 248 and more would favour some letters and are
 * skipped. Throws a RangeError, a defect, when fewer than {@link TOKEN_RANDOM_CHARS} remain.
 */
export const tokenFrom = (prefix: string, random: Uint8Array): string => {
  const body = [...random]
    .filter((byte) => byte < ALPHABET.length * 4)
    .slice(0, TOKEN_RANDOM_CHARS)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join("");
  if (body.length < TOKEN_RANDOM_CHARS) throw new RangeError("Not enough random bytes for a token");
  return `${prefix}${body}${checksum(body)}`;
};

/** Hex SHA-256 of the whole token; no salt is needed for what nobody chose. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** Prefix, shape and checksum; says nothing about whether the token exists. */
export const isToken = (prefix: string, text: string): boolean => {
  if (!text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length);
  return BODY.test(body) && body.slice(-CHECKSUM_CHARS) === checksum(body.slice(0, -CHECKSUM_CHARS));
};
