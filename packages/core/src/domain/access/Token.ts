/**
 * Secrets that are shown once: a prefix that names the kind, 40 random base-62 characters and a 6-character
 * checksum. Stores keep only the SHA-256. The checksum detects typos without a query.
 */
import { hash } from "node:crypto";

const TOKEN_RANDOM_CHARS = 40;

/** Random bytes to request: twice the number needed, so that running out is impossible in practice (1 in 10^38). */
export const TOKEN_RANDOM_BYTES = 80;

const CHECKSUM_CHARS = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = new RegExp(`^[0-9A-Za-z]{${TOKEN_RANDOM_CHARS + CHECKSUM_CHARS}}$`, "u");

const checksum = (body: string): string =>
  [...hash("sha256", body, "buffer").subarray(0, CHECKSUM_CHARS)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join("");

/**
 * Creates a token from random bytes, one per character. Bytes from 248 are skipped because they would bias some
 * letters. Throws a RangeError (a defect) if fewer than {@link TOKEN_RANDOM_CHARS} remain.
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

/** Hex SHA-256 of the whole token; random secrets need no salt. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** Checks prefix, shape and checksum; the token may still not exist. */
export const isToken = (prefix: string, text: string): boolean => {
  if (!text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length);
  return BODY.test(body) && body.slice(-CHECKSUM_CHARS) === checksum(body.slice(0, -CHECKSUM_CHARS));
};
