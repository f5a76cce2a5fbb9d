/**
 * How many tokens inputs take, without a tokenizer: those of foreign models are not known, and their
 * counts differ by less than the slack that ContextBudget leaves.
 */

/** English has about 4.5 bytes a token, code and CJK about 3. */
const BYTES_PER_TOKEN = 3.5;

export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** A picture is cut into tiles of this side, and each costs this much, by the dearest of the providers. */
const TILE_SIDE_PIXELS = 512;
const TILE_TOKENS = 260;

/** Of a picture whose longest side is so many pixels, as if it were square. */
export const imageTokens = (sidePixels: number): number =>
  Math.ceil(sidePixels / TILE_SIDE_PIXELS) ** 2 * TILE_TOKENS;

/** Sound, by the dearest of the providers. */
const AUDIO_TOKENS_PER_SECOND = 32;

export const audioTokens = (seconds: number): number => Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND);
