/**
 * Text as a reader sees it. Characters that show nothing, or that show text in another order than it is
 * stored, are where instructions to a model are hidden from the people who read the same page.
 *
 * What a model reads goes through here, and so do quotes and texts before they are compared (FoldedText).
 */

/**
 * Zero-width space, word joiner, byte order mark, soft hyphen, invisible operators, bidi marks, embeddings,
 * overrides and isolates, tag characters, interlinear annotations and C0/C1 controls but tab and line feeds.
 * Not the joiners U+200C and U+200D: emoji and several scripts are spelt with them.
 */
export const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is removed
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The same text without them; lengths and offsets change. */
export const visibleText = (text: string): string => text.replace(UNSEEN, "");

/** A visible text, and where in the original each of its code units stands. */
export interface VisibleUnits {
  readonly text: string;
  /** Null when nothing was taken out: places are the same. */
  readonly places: Uint32Array | null;
}

export const visibleUnits = (original: string): VisibleUnits => unitsWithout(original, UNSEEN);

/** A text without what a pattern finds in it; the pattern is global. */
export const unitsWithout = (original: string, unseen: RegExp): VisibleUnits => {
  const text = original.replace(unseen, "");
  if (text.length === original.length) return { text, places: null };
  const places = new Uint32Array(text.length);
  let unit = 0;
  let from = 0;
  const keep = (until: number): void => {
    for (let at = from; at < until; at++) places[unit++] = at;
  };
  for (const { 0: found, index } of original.matchAll(unseen)) {
    keep(index);
    from = index + found.length;
  }
  keep(original.length);
  return { text, places };
};
