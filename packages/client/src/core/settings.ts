/** Settings of `new Winnow()`: its options, with environment variables as defaults. */
import { WinnowError } from "./errors.ts";

const BASE_URL_DEFAULT = "http://127.0.0.1:8787";

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Undefined if empty, or if the environment does not exist or may not be read. */
const variable = (name: string): string | undefined => {
  try {
    const value = (globalThis as Environment).process?.env?.[name];
    return value === "" ? undefined : value;
  } catch {
    return undefined;
  }
};

/** The key from the options, else from `WINNOW_API_KEY`. */
export const apiKeyOf = (given: string | undefined): string => {
  const apiKey: unknown = given ?? variable("WINNOW_API_KEY");
  const name = given === undefined ? "WINNOW_API_KEY" : "apiKey";
  if (apiKey === undefined) {
    throw new WinnowError(
      "No API key: pass it as new Winnow({ apiKey }), or set WINNOW_API_KEY. The server prints one at its " +
        "first start; `winnow key create` creates more."
    );
  }
  // For callers in JavaScript, and for settings that end in a line break.
  if (typeof apiKey === "string" && /^[\x21-\x7e]+$/u.test(apiKey)) return apiKey;
  const fault = apiKey ? "contains invalid characters" : "is empty";
  throw new WinnowError(`${name} ${fault}: pass the key as the service showed it.`);
};

/** Null if it is a valid base URL; otherwise the reason. */
const faultOf = (text: string): string | null => {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "is not a URL";
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return "does not begin with http:// or https://";
  if (url.username !== "" || url.password !== "")
    return "contains a user name or password; pass the key as apiKey";
  if (url.search !== "" || url.hash !== "") return "has a query or a fragment";
  return url.pathname.endsWith("/v1") ? "ends in /v1, which the client adds itself" : null;
};

const checked = (given: unknown, name: string): string => {
  const text = typeof given === "string" ? given.trim().replace(/\/+$/u, "") : "";
  const fault = faultOf(text);
  if (fault === null) return text;
  // The value is not quoted, since it may contain a password.
  throw new WinnowError(`${name} ${fault}. Pass the URL of the service, such as https://winnow.example.com.`);
};

/**
 * The URL from the options, else from `WINNOW_URL`, else of a server on this machine; without a trailing slash.
 */
export const baseUrlOf = (given: string | undefined): string => {
  if (given !== undefined) return checked(given, "baseUrl");
  const fromEnvironment = variable("WINNOW_URL");
  return fromEnvironment === undefined ? BASE_URL_DEFAULT : checked(fromEnvironment, "WINNOW_URL");
};

/** For pages of the server itself: a path, or an empty string. */
export const sessionBaseOf = (given = ""): string => {
  const text = given.replace(/\/+$/u, "");
  return text === "" || /^\/(?!\/)[^?#]*$/u.test(text) ? text : checked(text, "baseUrl");
};

/** NaN, for instance from `Number(undefined)`, would retry forever or give up at once. */
export const numberOf = (name: string, value: number, minimum: number): number => {
  if (value >= minimum) return value;
  throw new WinnowError(`${name} is ${String(value)}, but must be a number of ${minimum} or more.`);
};

/** The function from the options, else the runtime's. */
export const fetchOf = (given: typeof globalThis.fetch | undefined): typeof globalThis.fetch => {
  if (given === undefined) return globalThis.fetch.bind(globalThis);
  if (typeof given === "function") return given;
  throw new WinnowError("fetch must be a function with the signature of the global fetch.");
};
