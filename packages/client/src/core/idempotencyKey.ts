/** Idempotency keys: what is repeated with the same one is done once. Tests: batch.test.ts, runtimes.test.ts. */

/** In lower case. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A new one, of 128 random bits. `crypto.randomUUID` is missing in pages that came over plain http. */
export const newIdempotencyKey = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)));
