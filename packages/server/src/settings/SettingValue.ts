/** Kinds of setting values: how each is read from text, and what an embedder may pass. Tests: Config.test.ts, SettingError.test.ts. */
import { isIP } from "node:net";
import { readSourceUrl } from "@winnow/core/domain/url/ReadSourceUrl";
import * as Redacted from "effect/Redacted";

/** What an embedder passes: text as in the variable, or a value. */
export type Given = string | number | ReadonlyArray<string>;

/** Both functions return null for what is invalid. */
export interface Kind<A, G extends Given = string> {
  /** The text of a variable, not empty and without space around it. */
  readonly parse: (text: string) => A | null;
  /** A value that is not text; without this, only text is right. */
  accept?(value: Exclude<G, string>): A | null;
}

const kind = <A>(parse: (text: string) => A | null): Kind<A> => ({ parse });

/** A comma-separated list, or an array; `read` gets no empty items. */
export const listOf = <A>(
  read: (items: ReadonlyArray<string>) => A | null
): Kind<A, string | ReadonlyArray<string>> => {
  const trimmed = (items: ReadonlyArray<string>): A | null =>
    read(items.map((item) => item.trim()).filter((item) => item !== ""));
  return {
    parse: (text) => trimmed(text.split(",")),
    // Checked for callers in JavaScript.
    accept: (items: unknown) =>
      Array.isArray(items) && items.every((item) => typeof item === "string") ? trimmed(items) : null
  };
};

/** Both parts of a row: the kind, and "a port from 0 to 65535". */
export const whole = (what: string, minimum: number, maximum: number) => {
  const accept = (value: unknown): number | null =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : null;
  const kind: Kind<number, number | string> = {
    parse: (text) => (/^\d+$/u.test(text) ? accept(Number(text)) : null),
    accept
  };
  return {
    kind,
    expected: maximum < Number.MAX_SAFE_INTEGER ? `${what} from ${minimum} to ${maximum}` : what
  };
};

/** Both parts of a row: the kind, and "`all`, `api` or `worker`". */
export const oneOf = <const A extends string>(...values: ReadonlyArray<A>) => {
  const kind: Kind<A, A> = { parse: (text) => values.find((value) => value === text.toLowerCase()) ?? null };
  const names = values.map((value) => `\`${value}\``);
  return { kind, expected: `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` };
};

const url = (text: string, ...protocols: ReadonlyArray<string>): string | null =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/u, "") : null;

export const BASE_URL_EXPECTED = "an http or https URL without a user name, a password or a query";

const isBaseUrl = (text: string): boolean => {
  if (url(text, "http:", "https:") === null) return false;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === "";
};

/** A base URL: only scheme, host and path. */
export const baseUrl = kind((text) => (isBaseUrl(text) ? text.replace(/\/+$/u, "") : null));

export const secretUrl = (...protocols: ReadonlyArray<string>): Kind<Redacted.Redacted> =>
  kind((text) => (url(text, ...protocols) === null ? null : Redacted.make(text)));

export const list = listOf((items) => items);

export const origins = listOf((items) =>
  items.every((item) => URL.canParse(item) && new URL(item).origin === item) ? items : null
);

/** Public pages as a submit takes them, or `none`; the host is not looked up. */
export const sourceUrls = listOf((items) =>
  items.join() === "none" ? [] : items.every((item) => readSourceUrl(item).ok) ? items : null
);

export const token = kind((text) => (/^[\x21-\x7e]+$/u.test(text) ? Redacted.make(text) : null));

const readHeader = (item: string): readonly [name: string, value: string] | null => {
  // "authorization=Bearer%20abc"
  const [, name, encoded] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x2b\x2d-\x7e ]*)$/u.exec(item) ?? [];
  if (name === undefined || encoded === undefined || /%(?![\da-f]{2})/iu.test(encoded)) return null;
  const value = encoded.replaceAll(/%([\da-f]{2})/giu, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  );
  return /[^\t\x20-\xff]/u.test(value) ? null : [name.toLowerCase(), value];
};

/** `name=value,name=value`, values percent-encoded (OpenTelemetry, "OTLP exporter": the form of W3C Baggage). */
export const headerList = listOf((items): Redacted.Redacted<Readonly<Record<string, string>>> | null => {
  const headers = items.map(readHeader).filter((header) => header !== null);
  return headers.length === items.length ? Redacted.make(Object.fromEntries(headers)) : null;
});

/** RFC 9110, section 5.1, in lower case. */
export const headerName = kind((text) => (/^[\w!#$%&'*+.^`|~-]+$/u.test(text) ? text.toLowerCase() : null));

const ADDRESS_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const isAddressBlock = (text: string): boolean => {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = ADDRESS_BITS[isIP(address)];
  if (bits === undefined || rest.length > 0 || address.includes("%")) return false;
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= bits);
};

export const addressBlocks = listOf((items) =>
  items.length > 0 && items.every(isAddressBlock) ? items : null
);

/** "localhost", "127.0.0.1", "[::1]": hosts as in a URL. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u;

/** OpenID Connect Discovery 1.0, section 3: the issuer is an identifier too, so it is not normalised. */
export const issuerUrl = kind((text) => {
  if (!isBaseUrl(text)) return null;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || LOOPBACK.test(hostname) ? text : null;
});

export const anyText = kind((text) => text);

/**
 * A command line as words: single and double quotes and backslashes as in POSIX sh (XCU, section 2.2), without
 * expansion. `--name "a b" c\ d` has three. Unclosed quotes are invalid.
 */
export const shellWords = kind((text): ReadonlyArray<string> | null => {
  const pattern = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/suy;
  const trimmed = text.trim();
  const words: Array<string> = [];
  while (pattern.lastIndex < trimmed.length) {
    const match = pattern.exec(trimmed);
    if (match === null) return null;
    words.push(
      (match[1] ?? "").replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gsu, (_, single, double, escaped) =>
        single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/gu, "$1") : escaped
      )
    );
  }
  return words;
});
