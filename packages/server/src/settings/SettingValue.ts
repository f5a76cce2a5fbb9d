/**
 * Kinds of setting values: how each is parsed from an environment variable, and what an embedder may pass instead.
 */
import { isIP } from "node:net";
import * as Redacted from "effect/Redacted";

/** The type an embedder passes: text, or `Given`. */
type GivenValue = string | number | ReadonlyArray<string>;

/** Parses the text of a variable; null if it is invalid. */
export interface Parse<A, Given extends GivenValue = string> {
  (text: string): A | null;
  /** Exists only for the type. */
  readonly given?: Given;
}

export const whole =
  (minimum: number, maximum: number): Parse<number, number | string> =>
  (text) => {
    const value = Number(text);
    return /^\d+$/u.test(text) && value >= minimum && value <= maximum ? value : null;
  };

export const oneOf =
  <const A extends string>(...values: ReadonlyArray<A>): Parse<A, A> =>
  (text) =>
    values.find((value) => value === text.toLowerCase()) ?? null;

const url =
  (...protocols: ReadonlyArray<string>): Parse<string> =>
  (text) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/u, "") : null;

export const BASE_URL_EXPECTED = "an http or https URL without a user name, a password or a query";

/** A base URL: only scheme, host and path. */
export const baseUrl: Parse<string> = (text) => {
  if (url("http:", "https:")(text) === null) return null;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === "") ? text.replace(/\/+$/u, "") : null;
};

export const secretUrl =
  (...protocols: ReadonlyArray<string>): Parse<Redacted.Redacted> =>
  (text) =>
    url(...protocols)(text) === null ? null : Redacted.make(text);

export const list: Parse<ReadonlyArray<string>, string | ReadonlyArray<string>> = (text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export const origins: Parse<ReadonlyArray<string>, string | ReadonlyArray<string>> = (text) => {
  const items = list(text) ?? [];
  return items.every((item) => URL.canParse(item) && new URL(item).origin === item) ? items : null;
};

export const token: Parse<Redacted.Redacted> = (text) =>
  /^[\x21-\x7e]+$/u.test(text) ? Redacted.make(text) : null;

/** `name=value,name=value`, values percent-encoded (OpenTelemetry, "OTLP exporter": the form of W3C Baggage). */
export const headerList: Parse<Redacted.Redacted<Readonly<Record<string, string>>>> = (text) => {
  const headers: Record<string, string> = {};
  for (const item of list(text) ?? []) {
    const [, name, encoded] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x2b\x2d-\x7e ]*)$/u.exec(item) ?? [];
    if (name === undefined || encoded === undefined || /%(?![\da-f]{2})/iu.test(encoded)) return null;
    const value = encoded.replaceAll(/%([\da-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    );
    if (/[^\t\x20-\xff]/u.test(value)) return null;
    headers[name.toLowerCase()] = value;
  }
  return Redacted.make(headers);
};

/** RFC 9110, section 5.1, in lower case. */
export const headerName: Parse<string> = (text) =>
  /^[\w!#$%&'*+.^`|~-]+$/u.test(text) ? text.toLowerCase() : null;

const ADDRESS_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const isAddressBlock = (text: string): boolean => {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = ADDRESS_BITS[isIP(address)];
  if (bits === undefined || rest.length > 0 || address.includes("%")) return false;
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= bits);
};

export const addressBlocks: Parse<ReadonlyArray<string>, string | ReadonlyArray<string>> = (text) => {
  const items = list(text) ?? [];
  return items.length > 0 && items.every(isAddressBlock) ? items : null;
};

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u;

/** OpenID Connect Discovery 1.0, section 3: the issuer is an identifier too, so it is not normalised. */
export const issuerUrl: Parse<string> = (text) => {
  if (baseUrl(text) === null) return null;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || LOOPBACK.test(hostname) ? text : null;
};

export const anyText: Parse<string> = (text) => text;
