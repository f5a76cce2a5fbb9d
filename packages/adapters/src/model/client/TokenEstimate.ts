/**
 * Estimates tokens without a tokenizer: the models' tokenizers are unknown, and differ by less than the reserve in
 * ContextBudget.
 */

/** English has about 4.5 bytes a token, code and CJK about 3. */
const BYTES_PER_TOKEN = 3.5;

export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** Images are split into tiles of this side length, each with this cost, by the most expensive provider. */
const TILE_SIDE_PIXELS = 512;
const TILE_TOKENS = 260;

/** Tokens of a square image with this side length in pixels. */
export const imageTokens = (sidePixels: number): number =>
  Math.ceil(sidePixels / TILE_SIDE_PIXELS) ** 2 * TILE_TOKENS;

/** Tokens of audio, by the most expensive provider. */
const AUDIO_TOKENS_PER_SECOND = 32;

export const audioTokens = (seconds: number): number => Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND);
