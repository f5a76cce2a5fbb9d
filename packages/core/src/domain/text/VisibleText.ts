/**
 * Text as a reader sees it. Invisible characters, and characters that change the display order, can hide
 * instructions for a model from people who read the same page.
 *
 * Applied to everything a model reads, and to quotes and texts before they are compared (FoldedText).
 */

/**
 * Zero-width space, word joiner, byte order mark, soft hyphen, invisible operators, bidi marks, embeddings,
 * overrides and isolates, tag characters, interlinear annotations and C0/C1 controls but tab and line feeds.
 * Not the joiners U+200C and U+200D: emoji and several scripts are spelt with them.
 */
export const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are removed
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text without them; lengths and offsets change. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, "");

/** A visible text, with the original position of each code unit. */
export interface VisibleUnits {
  readonly text: string;
  /** Null if nothing was removed, so that positions are unchanged. */
  readonly places: Uint32Array | null;
}

export const visibleUnits = (original: string): VisibleUnits => unitsWithout(original, INVISIBLE);

/** Removes all matches of a pattern, which must have the global flag. */
export const unitsWithout = (original: string, unseen: RegExp): VisibleUnits => {
  const text = original.replace(unseen, "");
  if (text.length === original.length) return { text, places: null };
  const places = new Uint32Array(text.length);
  let unit = 0;
  let from = 0;
  const copyUntil = (until: number): void => {
    for (let at = from; at < until; at++) places[unit++] = at;
  };
  for (const { 0: found, index } of original.matchAll(unseen)) {
    copyUntil(index);
    from = index + found.length;
  }
  copyUntil(original.length);
  return { text, places };
};
