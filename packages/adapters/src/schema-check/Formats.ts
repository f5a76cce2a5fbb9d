/**
 * What ajv-formats lacks, the internationalised formats (RFC 3987, 5890, 6531), or reads too loosely: times without the
 * minutes of their zone or with a space before them, names of hosts that end with a full stop, UUIDs as URNs. All take
 * linear time. No pattern has the flag `i`: with `u`, it lets `k` match the Kelvin sign. Tests: OfficialSuite.test.ts.
 */
import { domainToASCII } from "node:url";
import type { Ajv } from "ajv";
import addFormats, { type FormatName } from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";

const passes =
  (name: FormatName) =>
  (text: string): boolean => {
    const format = fullFormats[name];
    if (format instanceof RegExp) return format.test(text);
    const check = typeof format === "object" ? format.validate : format;
    return (check as (text: string) => boolean)(text);
  };

const isDate = passes("date");
const isClock = passes("time");
const isAsciiHostName = passes("hostname");
const isEmail = passes("email");

const HOST_NAME_CHARS_MAX = 253;

/** RFC 3339: `23:59:60.5Z`, `08:00:00+01:00`. */
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

/** ajv-formats knows when a leap second is; a fraction it rounds. */
const isTime = (text: string): boolean => TIME.test(text) && isClock(text.replace(/\.\d+/u, ""));

const isDateTime = (text: string): boolean =>
  /^[Tt]$/u.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

/** Letters, digits and hyphens (RFC 1123). */
const isHostName = (text: string): boolean => isAsciiHostName(text) && !text.endsWith(".");

const NON_ASCII = /(?![\p{Cc}\ufff0-\uffff])\P{ASCII}/gu;

/** The name in ASCII, as browsers map it; not what they read as an address or drop. Empty if it is none. */
const asciiHostOf = (text: string): string =>
  text.length > HOST_NAME_CHARS_MAX || /[^\P{ASCII}A-Za-z0-9.-]/u.test(text) ? "" : domainToASCII(text);

/** The same as their ASCII forms, except for the characters before the `@`. */
const isInternationalEmail = (text: string): boolean => {
  const [, local = "", domain = ""] = /^(.*)@(.*)$/u.exec(text) ?? [];
  return isEmail(`${local.replaceAll(NON_ASCII, "x")}@${asciiHostOf(domain)}`);
};

/** An IRI is a URI once its other characters are percent-encoded (RFC 3987, section 3.1). */
const inAscii =
  (isValid: (text: string) => boolean) =>
  (text: string): boolean =>
    text.isWellFormed() && isValid(text.replaceAll(NON_ASCII, encodeURIComponent));

const FORMATS = {
  time: isTime,
  "date-time": isDateTime,
  uuid: /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/u,
  hostname: isHostName,
  "idn-hostname": (text: string) => isHostName(asciiHostOf(text)),
  "idn-email": isInternationalEmail,
  iri: inAscii(passes("uri")),
  "iri-reference": inAscii(passes("uri-reference"))
} as const;

/** All formats of JSON Schema and OpenAPI. */
export const addStandardFormats = (ajv: Ajv): void => {
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
};
