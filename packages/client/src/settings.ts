/** What `new Winnow()` goes by: its options, and the environment where they are silent. */
import { WinnowError } from "./errors.ts";

const BASE_URL_DEFAULT = "http://127.0.0.1:8787";

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Undefined where it is empty, and where there is no environment or no leave to read it. */
const variable = (name: string): string | undefined => {
  try {
    const value = (globalThis as Environment).process?.env?.[name];
    return value === "" ? undefined : value;
  } catch {
    return undefined;
  }
};

/** The key of the options, else of `WINNOW_API_KEY`. */
export const apiKeyOf = (given: string | undefined): string => {
  const apiKey: unknown = given ?? variable("WINNOW_API_KEY");
  const name = given === undefined ? "WINNOW_API_KEY" : "apiKey";
  if (apiKey === undefined) {
    throw new WinnowError(
      "There is no API key: pass it as new Winnow({ apiKey }), or set WINNOW_API_KEY. A server shows one at its first start, and `winnow key create` makes more."
    );
  }
  // Of JavaScript, and of settings with a line break at their end.
  if (typeof apiKey === "string" && /^[\x21-\x7e]+$/u.test(apiKey)) return apiKey;
  const fault = apiKey ? "has characters that no key has" : "is empty";
  throw new WinnowError(`${name} ${fault}: give the key that the service showed you.`);
};

/** Null when it is a base; else why it is none. */
const faultOf = (text: string): string | null => {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "is not a URL";
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return "does not begin with http:// or https://";
  if (url.username !== "" || url.password !== "")
    return "has a user or password in it; the key goes into apiKey";
  if (url.search !== "" || url.hash !== "") return "has a query or a fragment";
  return url.pathname.endsWith("/v1") ? "ends in /v1, which the client adds itself" : null;
};

const checked = (given: unknown, name: string): string => {
  const text = typeof given === "string" ? given.trim().replace(/\/+$/u, "") : "";
  const fault = faultOf(text);
  if (fault === null) return text;
  // Not repeated: it may hold a password.
  throw new WinnowError(
    `${name} ${fault}. It is the address of the service, such as https://winnow.example.com.`
  );
};

/** The address of the options, else of `WINNOW_URL`, else of a server on this machine; no slash at its end. */
export const baseUrlOf = (given: string | undefined): string => {
  if (given !== undefined) return checked(given, "baseUrl");
  const fromEnvironment = variable("WINNOW_URL");
  return fromEnvironment === undefined ? BASE_URL_DEFAULT : checked(fromEnvironment, "WINNOW_URL");
};

/** For pages of the server itself: a path, or nothing. */
export const sessionBaseOf = (given = ""): string => {
  const text = given.replace(/\/+$/u, "");
  return text === "" || /^\/(?!\/)[^?#]*$/u.test(text) ? text : checked(text, "baseUrl");
};
