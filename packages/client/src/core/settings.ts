/** Settings of the clients: their options, with environment variables as defaults. */
import { WinnowError } from "./apiError.ts";
import type { Transport } from "./request.ts";
import { warnOfWaits, type Logger } from "./log.ts";
import { MAX_RETRIES_DEFAULT } from "./retry.ts";

/** Options that do not depend on the kind of authentication. */
export interface ConnectionOptions {
  /**
   * URL of the service, without `/v1`. Default: the environment variable `WINNOW_URL`, else a server on this
   * machine.
   */
  readonly baseUrl?: string | undefined;
  /** Retries after 408, 429, 5xx and dropped connections; 0 disables them. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Time limit of one attempt; for files, until the response starts. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Receives every response and retry: method, path, status and duration; never a key or a body. Default: one
   * `console.warn` at the first wait of 10 s or more, such as for a rate limit.
   */
  readonly logger?: Logger | undefined;
}

const TIMEOUT_MS_DEFAULT = 60_000;

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

/** Keys and ids that are sent in headers. Checked for callers in JavaScript and settings that end in a line break. */
export const printable = (name: string, value: unknown): string => {
  if (typeof value === "string" && /^[\x21-\x7e]+$/u.test(value)) return value;
  const fault = value ? "contains invalid characters" : "is empty";
  throw new WinnowError(`${name} ${fault}: pass it as the service showed it.`);
};

/** What an option gives, else an environment variable. */
const secretOf = (given: string | undefined, option: string, setting: string, missing: string): string => {
  const secret = given ?? variable(setting);
  if (secret === undefined) throw new WinnowError(missing);
  return printable(given === undefined ? setting : option, secret);
};

export const apiKeyOf = (given: string | undefined): string =>
  secretOf(
    given,
    "apiKey",
    "WINNOW_API_KEY",
    "No API key: pass it as new Winnow({ apiKey }), or set WINNOW_API_KEY. The server prints one at its " +
      "first start; `winnow key create` creates more."
  );

export const adminTokenOf = (given: string | undefined): string =>
  secretOf(
    given,
    "token",
    "WINNOW_ADMIN_TOKEN",
    "No admin token: pass it as new AdminClient({ token }), or set WINNOW_ADMIN_TOKEN. Without the setting, the " +
      "server keeps its token in the file admin-token of its data folder."
  );

/** Null if it is a valid base URL; otherwise the reason. */
const faultOf = (text: string): string | null => {
  if (!URL.canParse(text)) return "is not a URL";
  const url = new URL(text);
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
export const pageBaseOf = (given = ""): string => {
  const text = given.replace(/\/+$/u, "");
  return text === "" || /^\/(?!\/)[^?#]*$/u.test(text) ? text : checked(text, "baseUrl");
};

/** NaN, for instance from `Number(undefined)`, would retry forever or give up at once. */
export const numberOf = (name: string, value: number, minimum: number): number => {
  if (value >= minimum) return value;
  throw new WinnowError(`${name} is ${String(value)}, but must be a number of ${minimum} or more.`);
};

/** The function from the options, else the runtime's. */
const fetchOf = (given: typeof globalThis.fetch | undefined): typeof globalThis.fetch => {
  if (given === undefined) return globalThis.fetch.bind(globalThis);
  if (typeof given === "function") return given;
  throw new WinnowError("fetch must be a function with the signature of the global fetch.");
};

export const connectionOf = (options: ConnectionOptions): Omit<Transport, "apiKey" | "baseUrl"> => ({
  maxRetries: numberOf("maxRetries", options.maxRetries ?? MAX_RETRIES_DEFAULT, 0),
  timeoutMs: numberOf("timeoutMs", options.timeoutMs ?? TIMEOUT_MS_DEFAULT, 1),
  fetch: fetchOf(options.fetch),
  logger: options.logger ?? warnOfWaits()
});

/** Pages and their workers: anyone who opens the page can read their code. */
export const isBrowser = (): boolean => {
  if ("window" in globalThis && "document" in globalThis) return true;
  // Servers and edge runtimes have a navigator too, but only browsers report Mozilla.
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return "WorkerGlobalScope" in globalThis && navigator?.userAgent?.startsWith("Mozilla/") === true;
};
