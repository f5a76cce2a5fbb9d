/**
 * Formats that ajv-formats does not check, or checks less strictly than their standards: JSON Schema refers to RFC
 * 3339, 3986, 3987, 4122, 5321, 5890, 6531 and 6570. All take linear time. No pattern has the flag `i`: with `u`, it
 * lets `k` match the Kelvin sign.
 */
import { isIP, isIPv4, isIPv6 } from "node:net";
import type { Ajv } from "ajv";
import { isHostName, isInternationalHostName } from "./hostNames.ts";

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isDate = (text: string): boolean => {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text) ?? [];
  const isLeapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = month === "02" && isLeapYear ? 29 : (DAYS_OF_MONTHS[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= days;
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
