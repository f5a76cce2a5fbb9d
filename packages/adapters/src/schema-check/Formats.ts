/**
 * Formats that ajv-formats does not check, or checks less strictly than their standards: JSON Schema refers to RFC
 * 3339, 3986, 3987, 4122, 5321, 5890, 6531 and 6570. All take linear time. No pattern has the flag `i`: with `u`, it
 * lets `k` match the Kelvin sign. For host names, in ASCII (RFC 1123) and internationalised (IDNA 2008, RFC 5890 to
 * 5893), Node's URL parser does the mapping and Punycode; the rules about the neighbours of single characters (RFC
 * 5892, appendix A) are here.
 */
import { domainToASCII, domainToUnicode } from "node:url";
import { isIP, isIPv4, isIPv6 } from "node:net";
import type { Ajv } from "ajv";
import { isDay } from "@winnow/core/domain/text/DateTimeText";

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

const isInternationalHostName = (text: string): boolean => {
  if (text.length > NAME_CHARS_MAX) return false;
  const labels = text.split(SEPARATORS);
  const isBidirectional = RIGHT_TO_LEFT.test(text);
  return (
    labels.every((label) => isLabel(label) && !(isBidirectional && /^[0-9]/u.test(label))) &&
    domainToASCII(text).length <= NAME_CHARS_MAX
  );
};

const isDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text) ?? [];
  return isDay(Number(year), Number(month), Number(day));
};

const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/u;

const MINUTES_OF_DAY = 24 * 60;

/** A leap second is only at 23:59:60 UTC. */
const isTime = (text: string): boolean => {
  const found = TIME.exec(text);
  if (found === null) return false;
  const [, hours, minutes, seconds, sign, offsetHours = "0", offsetMinutes = "0"] = found;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) {
    return false;
  }
  if (Number(seconds) < 60) return true;
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const utc = (Number(hours) * 60 + Number(minutes) - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return Number(seconds) === 60 && utc === MINUTES_OF_DAY - 1;
};

const isDateTime = (text: string): boolean => {
  const [, date = "", time = ""] = /^(.{10})[Tt](.*)$/u.exec(text) ?? [];
  return isDate(date) && isTime(time);
};

/** RFC 3339, appendix A: no unit is left out between two others. */
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/u;

const UUID = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/u;

/** Split as RFC 3986, appendix B. */
const URI = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/u;

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/u;
const USER = /^(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*$/u;
const REGISTERED_NAME = /^(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/u;
const FUTURE_ADDRESS = /^[Vv][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+$/u;
const PATH = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/u;
const QUERY = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/u;

const isAuthority = (text: string): boolean => {
  const at = text.indexOf("@");
  const [, literal, name, port = ""] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/u.exec(text.slice(at + 1)) ?? [];
  const isHost =
    literal === undefined
      ? name !== undefined && REGISTERED_NAME.test(name)
      : (isIPv6(literal) && !literal.includes("%")) || FUTURE_ADDRESS.test(literal);
  return isHost && (at === -1 || USER.test(text.slice(0, at))) && /^\d*$/u.test(port);
};

const makeIsUri =
  (isSchemeNeeded: boolean) =>
  (text: string): boolean => {
    const found = URI.exec(text);
    if (found === null) return false;
    const [, scheme, authority, path = "", query = "", fragment = ""] = found;
    if (scheme === undefined ? isSchemeNeeded || text.startsWith(":") : !SCHEME.test(scheme)) return false;
    return (
      (authority === undefined ? !path.startsWith("//") : isAuthority(authority)) &&
      PATH.test(path) &&
      QUERY.test(query) &&
      QUERY.test(fragment)
    );
  };

const isUri = makeIsUri(true);
const isUriReference = makeIsUri(false);

/** An IRI is a URI once its other characters are percent-encoded (RFC 3987, section 3.1). */
const inAscii =
  (isValid: (text: string) => boolean) =>
  (text: string): boolean =>
    text.isWellFormed() &&
    isValid(text.replaceAll(/(?![\p{Cc}\ufff0-\uffff])\P{ASCII}/gu, encodeURIComponent));

/** RFC 6570, with the apostrophe that its erratum 6937 allows. */
const URI_TEMPLATE =
  /^(?:[^\p{Cc} "<>%\\^`{|}]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*(?::[1-9]\d{0,3}|\*)?)*\})*$/u;

const LOCAL_CHARS_MAX = 64;

const ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u;
const UNICODE_ATOMS = /^(?:[\w!#$%&'*+/=?^`{|}~-]|\P{ASCII})+(?:\.(?:[\w!#$%&'*+/=?^`{|}~-]|\P{ASCII})+)*$/u;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/u;
const UNICODE_QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\P{ASCII}|\\[\x20-\x7e])*"$/u;

const isAddressLiteral = (domain: string): boolean => {
  const [, literal = ""] = /^\[(.*)\]$/u.exec(domain) ?? [];
  return /^IPv6:/iu.test(literal) ? isIPv6(literal.slice(5)) : isIPv4(literal);
};

const makeIsEmail =
  (locals: ReadonlyArray<RegExp>, isDomain: (domain: string) => boolean) =>
  (text: string): boolean => {
    const at = text.lastIndexOf("@");
    const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
    return (
      Buffer.byteLength(local) <= LOCAL_CHARS_MAX &&
      locals.some((pattern) => pattern.test(local)) &&
      (isAddressLiteral(domain) ||
        (isDomain(domain) && /[.\u3002\uff0e\uff61]/u.test(domain) && isIP(domain) === 0))
    );
  };

const FORMATS = {
  date: isDate,
  time: isTime,
  "date-time": isDateTime,
  duration: DURATION,
  uuid: UUID,
  uri: isUri,
  "uri-reference": isUriReference,
  iri: inAscii(isUri),
  "iri-reference": inAscii(isUriReference),
  "uri-template": URI_TEMPLATE,
  hostname: isHostName,
  "idn-hostname": isInternationalHostName,
  email: makeIsEmail([ATOMS, QUOTED], isHostName),
  "idn-email": makeIsEmail([UNICODE_ATOMS, UNICODE_QUOTED], isInternationalHostName)
} as const;

/** Replaces or adds the formats. */
export const addStandardFormats = (ajv: Ajv): void => {
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
};
