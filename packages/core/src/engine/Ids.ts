/**
 * Ids of the engine: a prefix and a lower-case ULID, so that they sort by time and show their kind. Randomness
 * comes from the system, never from a seed.
 */
import { randomBytes } from "node:crypto";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { derivedId, parseIdempotencyKey } from "../domain/request/Idempotency.ts";
import type { InvalidRequest } from "../domain/request/Refusal.ts";

export type IdPrefix = "ext" | "bat" | "acc" | "key" | "ses" | "mem" | "sch" | "whe" | "whd";

/** Crockford's base 32 (github.com/ulid/spec), in lower case. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const BITS_PER_CHAR = 5;
const TIME_CHARS = 10;
const RANDOM_BYTES = 10;

export const systemRandomBytes = (count: number): Effect.Effect<Uint8Array> =>
  Effect.sync(() => randomBytes(count));

const encodeTime = (timeMs: number): string => {
  let rest = timeMs;
  let text = "";
  for (let position = 0; position < TIME_CHARS; position++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
};

/** Five bytes encode to eight characters. */
const encodeRandom = (bytes: Uint8Array): string => {
  let text = "";
  let lastMs = 0;
  let bits = 0;
  for (const byte of bytes) {
    lastMs = (lastMs << 8) | byte;
    bits += 8;
    for (; bits >= BITS_PER_CHAR; bits -= BITS_PER_CHAR) {
      text += ALPHABET.charAt((lastMs >>> (bits - BITS_PER_CHAR)) & (ALPHABET.length - 1));
    }
    lastMs &= (1 << bits) - 1;
  }
  return text;
};

/** `makeId("ext")` returns `ext_` and 26 characters: 10 of the Clock's time, 16 random. */
export const makeId = (prefix: IdPrefix): Effect.Effect<string> =>
  Effect.zipWith(
    Clock.currentTimeMillis,
    systemRandomBytes(RANDOM_BYTES),
    (nowMs, random) => `${prefix}_${encodeTime(nowMs)}${encodeRandom(random)}`
  );

/**
 * The id of what a request creates: derived from its `Idempotency-Key`, so that repeating the request finds the
 * original; a new one without a key.
 *
 * @fails InvalidRequest the key is invalid
 */
export const makeKeyedId = Effect.fnUntraced(function* (
  idempotencyKey: string | null,
  prefix: IdPrefix,
  accountId: string
): Effect.fn.Return<string, InvalidRequest> {
  if (idempotencyKey === null) return yield* makeId(prefix);
  const key = yield* Effect.fromResult(parseIdempotencyKey(idempotencyKey));
  return derivedId(prefix, accountId, key);
});

/**
 * Whether a text has the form of such an id. Stores are only queried for these, because databases reject some
 * texts, such as NUL.
 */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9a-z]{1,64}$/u.test(text.slice(prefix.length + 1));
