/** The address of a proxy that an operator chose, as a URL with credentials. Pure. Tests: UpstreamProxy.test.ts. */
import * as Result from "effect/Result";

export interface ProxyAddress {
  readonly scheme: "http" | "https" | "socks5";
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Both null without credentials. */
  readonly username: string | null;
  readonly password: string | null;
}

const DEFAULT_PORTS: ReadonlyMap<string, readonly [ProxyAddress["scheme"], number]> = new Map([
  ["http:", ["http", 80]],
  ["https:", ["https", 443]],
  ["socks5:", ["socks5", 1_080]]
]);

/** RFC 1929: the length is one byte. */
const SOCKS_CREDENTIAL_MAX_BYTES = 255;

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** For messages, logs and the admin API: without credentials. */
export const shownProxy = ({ scheme, host, port }: ProxyAddress): string =>
  `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;

/**
 * `http://`, `https://` or `socks5://`, then `user:password@` if needed, host and port; without a port, the scheme's own.
 * Fails with what is wrong, to follow the name of the setting, without the password.
 */
export const readProxyAddress = (text: string): Result.Result<ProxyAddress, string> => {
  if (!URL.canParse(text))
    return Result.fail("is not a URL such as http://proxy:3128 or socks5://proxy:1080");
  const url = new URL(text);
  // An unencoded password may have ended the host early.
  const isClear = !/^[^:]*:\/\/[^@]*[/?#\\][^@]*@/u.test(text);
  const redacted = isClear ? `"${url.protocol}//${url.host}"` : "(not shown, as it may contain a password)";
  const [scheme, defaultPort] = DEFAULT_PORTS.get(url.protocol) ?? [];
  if (scheme === undefined || defaultPort === undefined) {
    return Result.fail(`${redacted} must be an http://, https:// or socks5:// URL`);
  }
  if (url.hostname === "") return Result.fail(`${redacted} must name a host`);
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") {
    return Result.fail(`${redacted} must have no path`);
  }
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (username === null || password === null) return Result.fail(`${redacted} has badly encoded credentials`);
  const isTooLong = [username, password].some((part) => Buffer.byteLength(part) > SOCKS_CREDENTIAL_MAX_BYTES);
  if (scheme === "socks5" && isTooLong) {
    return Result.fail(`${redacted} has a user or password of more than ${SOCKS_CREDENTIAL_MAX_BYTES} bytes`);
  }
  const isAnonymous = username === "" && password === "";
  return Result.succeed({
    scheme,
    host: url.hostname.replace(/^\[|\]$/gu, ""),
    port: url.port === "" ? defaultPort : Number(url.port),
    username: isAnonymous ? null : username,
    password: isAnonymous ? null : password
  });
};
