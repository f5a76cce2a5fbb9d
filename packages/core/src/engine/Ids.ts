/**
 * Ids of the engine: a prefix, the time and random digits, so that they sort by time and show their kind. Randomness
 * comes from the system, never from a seed.
 */
import { randomBytes } from "node:crypto";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { derivedId, parseIdempotencyKey } from "../domain/request/Idempotency.ts";
import type { InvalidRequest } from "../domain/request/Refusal.ts";

export type IdPrefix = "ext" | "bat" | "acc" | "key" | "ses" | "mem" | "sch" | "whe" | "whd";

/** As many bits as in a UUID of version 7 (RFC 9562, section 5.7). */
const TIME_DIGITS = 12;
const RANDOM_BYTES = 7;

export const systemRandomBytes = (count: number): Effect.Effect<Uint8Array> =>
  Effect.sync(() => randomBytes(count));

const digitsOf = (timeMs: number): string => timeMs.toString(16).padStart(TIME_DIGITS, "0");

/** `makeId("ext")` returns `ext_` and 26 hexadecimal digits: 12 of the Clock's time in milliseconds, 14 random. */
export const makeId = (prefix: IdPrefix): Effect.Effect<string> =>
  Effect.zipWith(
    Clock.currentTimeMillis,
    systemRandomBytes(RANDOM_BYTES),
    (nowMs, random) => `${prefix}_${digitsOf(nowMs)}${Buffer.from(random).toString("hex")}`
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
