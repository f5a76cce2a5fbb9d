/**
 * Host names, in ASCII (RFC 1123) and internationalised (IDNA 2008, RFC 5890 to 5893). Node's URL parser does the
 * mapping and Punycode; the rules about the neighbours of single characters (RFC 5892, appendix A) are here.
 */
import { domainToASCII, domainToUnicode } from "node:url";

const NAME_CHARS_MAX = 253;
const LABEL_CHARS_MAX = 63;

// Without the flag `i`, with which `k` also matches the Kelvin sign.
const LETTERS_DIGITS_HYPHENS = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/u;

/** Full stops of other scripts separate labels too. */
const SEPARATORS = /[.\u3002\uff0e\uff61]/u;

/** Letters, signs that combine with them, digits, exceptions, and what only a context allows. */
const CHARACTERS =
  /^(?:[\p{L}\p{M}\p{Nd}\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb-]|\u200c|\u200d)*$/u;

/** Exceptions among them. */
const DISALLOWED = /[\u0640\u07fa\u3031-\u3035\u303b]|\u302e|\u302f/u;

/** Characters that need others beside them; a label with the first must not match the second. */
const CONTEXTS: ReadonlyArray<readonly [present: RegExp, violated: RegExp]> = [
  [/\u00b7/u, /(?<!l)\u00b7|\u00b7(?!l)/u],
  [/\u0375/u, /\u0375(?!\p{Script=Greek})/u],
  [/[\u05f3\u05f4]/u, /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u],
  [/\u30fb/u, /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u],
  [/[\u0660-\u0669]/u, /[\u06f0-\u06f9]/u]
];

/** Combining signs that join letters, after which joiners may stand. */
const VIRAMAS =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u0f84\u1039\u103a\u17d2]/u;

/** Between letters that join, the non-joiner may stand too. */
const BETWEEN_LETTERS = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu;

const hasLooseJoiner = (label: string): boolean =>
  [...label.replaceAll(BETWEEN_LETTERS, "")].some(
    (char, index, chars) => /[\u200c\u200d]/u.test(char) && !VIRAMAS.test(chars[index - 1] ?? "")
  );

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** RFC 5893, as far as scripts tell the direction. */
const isMixed = (label: string): boolean =>
  RIGHT_TO_LEFT.test(label) &&
  (/^[0-9]/u.test(label) ||
    /[A-Za-z]/u.test(label) ||
    (/[\u0660-\u0669]/u.test(label) && /[0-9]/u.test(label)));

const isUnicodeLabel = (label: string): boolean =>
  !/^-|-$|^..--/u.test(label) &&
  !/^\p{M}/u.test(label) &&
  CHARACTERS.test(label) &&
  !DISALLOWED.test(label) &&
  !hasLooseJoiner(label) &&
  !isMixed(label) &&
  CONTEXTS.every(([present, violated]) => !present.test(label) || !violated.test(label));

/** `xn--…`: what it stands for must need Punycode, and give the same again. */
const isPunycodeLabel = (label: string): boolean => {
  const unicode = domainToUnicode(label.toLowerCase());
  return (
    /\P{ASCII}/u.test(unicode) &&
    domainToASCII(unicode) === label.toLowerCase() &&
    isUnicodeLabel(unicode.normalize("NFC"))
  );
};

const isAsciiLabel = (label: string): boolean => {
  if (label.length > LABEL_CHARS_MAX || !LETTERS_DIGITS_HYPHENS.test(label)) return false;
  return /^[Xx][Nn]--/u.test(label) ? isPunycodeLabel(label) : !/^..--/u.test(label);
};

/** Letters, digits and hyphens; A-labels (`xn--…`) must be valid. */
export const isHostName = (text: string): boolean =>
  text.length <= NAME_CHARS_MAX && text.split(".").every(isAsciiLabel);

const isLabel = (label: string): boolean => {
  if (/^\p{ASCII}*$/u.test(label)) return isAsciiLabel(label);
  const ascii = domainToASCII(label);
  return ascii !== "" && ascii.length <= LABEL_CHARS_MAX && !ascii.includes(".") && isUnicodeLabel(label);
};

export const isInternationalHostName = (text: string): boolean => {
  if (text.length > NAME_CHARS_MAX) return false;
  const labels = text.split(SEPARATORS);
  const isBidirectional = RIGHT_TO_LEFT.test(text);
  return (
    labels.every((label) => isLabel(label) && !(isBidirectional && /^[0-9]/u.test(label))) &&
    domainToASCII(text).length <= NAME_CHARS_MAX
  );
};
