/** Idempotency keys: what is repeated with the same one is done once. */

const BYTES = 16;

/** A new one, of 128 random bits. `crypto.randomUUID` is missing in pages that came over plain http. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("");
