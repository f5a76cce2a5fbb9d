/**
 * Language tags (BCP 47): parsed from what sources provide, and matched against what a caller requests. A label
 * that names no language is "und"; tags are never guessed.
 */

/** "und" is the tag of an undetermined language (RFC 5646, section 4.1). */
export const LANGUAGE_UNKNOWN = "und";

/** Longest tag kept, in characters (RFC 5646, section 4.4.1). */
const LANGUAGE_CHARS_MAX = 35;

/** Maximum label length that is parsed; no platform's language name is near it. */
const LABEL_CHARS_MAX = 140;

/** ISO 639-1 codes have two letters, which covers every language name that players use instead of a tag. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

const namesIn = (locale: string): Intl.DisplayNames =>
  new Intl.DisplayNames([locale], { type: "language", fallback: "none" });

let english: Intl.DisplayNames | null = null;

/** Made when it is first needed: it takes ten milliseconds, and most commands need none. */
const englishNames = (): Intl.DisplayNames => (english ??= namesIn("en"));

const isKnown = (language: string): boolean => englishNames().of(language) !== undefined;

/** Canonical case; null if the text is not a well-formed tag of an existing language. */
const canonicalTag = (text: string): string | null => {
  if (text.length > LANGUAGE_CHARS_MAX || !/^[A-Za-z]{2,3}(?:[-_][0-9A-Za-z]{1,8})*$/u.test(text))
    return null;
  try {
    const tag = Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0] ?? "";
    return tag.length <= LANGUAGE_CHARS_MAX && isKnown(primaryOf(tag)) ? tag : null;
  } catch {
    return null;
  }
};

const folded = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .trim()
    .toLowerCase();

let codesByName: ReadonlyMap<string, string> | null = null;

/** Codes by the English and native names of languages ("German", "Deutsch"). */
const namedCodes = (): ReadonlyMap<string, string> => {
  if (codesByName !== null) return codesByName;
  const found = new Map<string, string>();
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const englishName = englishNames().of(code);
    if (englishName === undefined) continue;
    for (const name of [englishName, namesIn(code).of(code)]) {
      if (name !== undefined && !found.has(folded(name))) found.set(folded(name), code);
    }
  }
  codesByName = found;
  return found;
};

/** The primary language of a canonical tag: `pt` of `pt-BR`. */
export const primaryOf = (tag: string): string => tag.toLowerCase().split(/[-_]/u)[0] ?? "";

/** A caller's tag in canonical form; null if it is invalid. */
export const parseLanguageTag = (text: string): string | null => {
  const tag = canonicalTag(text);
  return tag === LANGUAGE_UNKNOWN ? null : tag;
};

/**
 * Parses a source's tag (underscores allowed) or label ("English", "Português (Brasil)", "Deutsch - automatisch").
 * Different spellings of a tag give the same tag.
 */
export const languageTagOf = (label: string): string => {
  const text = label.slice(0, LABEL_CHARS_MAX).trim();
  const tag = canonicalTag(text);
  if (tag !== null) return tag;
  // oxlint-disable-next-line no-control-regex -- labels do not contain them
  if (/[/\\.:\u0000-\u001f]/u.test(text)) return LANGUAGE_UNKNOWN;
  const name = text.split(/[([]| [-–—|] /u)[0] ?? "";
  return namedCodes().get(folded(name)) ?? LANGUAGE_UNKNOWN;
};

/**
 * How well a track matches a requested language: 0 for the same tag, 1 for the same language with or without region
 * or script (RFC 4647, section 3.4), null for another language. `zh-Hant` does not match `zh-Hans`.
 */
export const languageDistance = (tag: string, requested: string): number | null => {
  const [one, other] = [tag.toLowerCase(), requested.toLowerCase()];
  if (one === other) return 0;
  return one.startsWith(`${other}-`) || other.startsWith(`${one}-`) ? 1 : null;
};

/** Labels and names of tracks that translate signs and foreign words only: "en-forced", "Français (forcé)", "Signs". */
const FORCED =
  /(?<![\p{L}\p{N}])(?:forced|forcée?s?|forzad[oa]s?|forçad[oa]s?|forzat[oaie]|erzwungene?|geforceerde?|wymuszone|vynucené|tvungn?e|tvingande|pakotet?tu|zorunlu|форсированн\p{L}+|signs(?:\s*(?:&|and|\+|\/)\s*songs)?(?:\s+only)?|foreign\s+(?:parts|language|dialogue)(?:\s+only)?)(?![\p{L}\p{N}])|強制|强制|강제/iu;

export const isForced = (label: string): boolean => FORCED.test(label.normalize("NFC"));
