/**
 * The one cleaning of whatever a stranger wrote, at the edge where it enters: titles, names, captions, comments,
 * answers of receivers, words of a model.
 *
 * Without controls, C1 among them, bidirectional overrides, and characters that show nothing but reach a model, a
 * terminal or a file name. Texts that are compared place by place take VisibleText, which only removes.
 */

/** C0 and C1 controls except tab and newline. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Soft hyphen, zero width, bidirectional, tags, fillers; without joiners and variation selectors. */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]|[\ufff9-\ufffb]/gv;

/** Variation selectors pick a glyph for a character; a run of them carries hidden bytes. */
const SELECTOR_RUNS = /(?<=\p{Variation_Selector})\p{Variation_Selector}+/gu;

/** Joiners are spelling in many scripts and in emoji, and hide words beside ASCII. */
const STRAY_JOINERS = /(?<!\P{ASCII})[\u200c\u200d]+|[\u200c\u200d]+(?![\P{ASCII}--[\u200c\u200d]])/gv;

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

const SUSPECT = /[^\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]/;

/**
 * The same text as people see it. White space stays, line ends become `\n`; what is no Unicode becomes U+FFFD.
 */
export const cleanText = (text: string): string =>
  SUSPECT.test(text)
    ? text
        .replace(LINE_ENDS, "\n")
        .replace(CONTROLS, "")
        .replace(INVISIBLE, "")
        .replace(SELECTOR_RUNS, "")
        .replace(STRAY_JOINERS, "")
        .toWellFormed()
    : text;

/** The same on one line; null when nothing is left. */
export const cleanLine = (text: string): string | null => {
  const line = cleanText(text).replace(/\s+/g, " ").trim();
  return line === "" ? null : line;
};

/** What {@link cleanText} would take out, but for strays; JSON itself escapes C0 only. */
const UNSEEN_IN_JSON =
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]/gv;

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`
  ).join("");

/** The same JSON with what nobody sees spelt out, so that it may be shown on a terminal and loses nothing. */
export const escapeUnseen = (json: string): string => json.replace(UNSEEN_IN_JSON, escaped);
