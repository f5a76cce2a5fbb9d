/**
 * The declarations of a style attribute (CSS Syntax 3), as far as they decide whether text is seen.
 * Retrain: train/train-page-text.ts. Tests: HiddenText.test.ts.
 */

/** Lower-case values by property; of several, the one that counts. */
export type InlineStyle = ReadonlyMap<string, string>;

/** Longer attributes hold pictures; what hides an element stands at their beginning. */
const STYLE_CHARS_MAX = 4_000;

const NO_STYLE: InlineStyle = new Map();

const IMPORTANT = /\s*!\s*important\s*$/;

/** Declarations between semicolons, except those in brackets: `background:url(data:image/png;base64,…)` is one. */
const DECLARATION = /(?:[^;()]|\([^()]*\)|[()])+/g;

export const inlineStyle = (written: string | undefined): InlineStyle => {
  if (written === undefined || written.trim() === "") return NO_STYLE;
  const style = new Map<string, string>();
  const important = new Set<string>();
  for (const [declaration] of written.slice(0, STYLE_CHARS_MAX).toLowerCase().matchAll(DECLARATION)) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim();
    const value = declaration.slice(colon + 1).trim();
    const isImportant = IMPORTANT.test(value);
    if (value === "" || (important.has(property) && !isImportant)) continue;
    if (isImportant) important.add(property);
    style.set(property, value.replace(IMPORTANT, ""));
  }
  return style;
};
