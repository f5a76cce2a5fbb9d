/**
 * People signed in by a reverse proxy, which names them in a header of every request.
 *
 * Anybody can send a header. It is accepted only from the addresses of the proxy, according to the socket and not
 * to another header. Requests from elsewhere are rejected instead of being served without it, so that a network
 * misconfiguration is noticed before it is exploited. It is also accepted only under the host of the public URL: a page
 * whose name was made to resolve to the proxy (DNS rebinding) would otherwise be this server to the browser. Tests: the
 * server's proxySignIn.test.ts.
 */
import { BlockList, isIP } from "node:net";
import { readEmail, readName, type Identity } from "@winnow/core/domain/access/Member";
import {
  SignInRefused,
  type SignInStart,
  type SignInMethod,
  type SignInRequest
} from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";

export interface ProxyHeaderSettings {
  /** Case-insensitive. */
  readonly header: string;
  /** CIDR blocks and single addresses. */
  readonly trustedProxies: ReadonlyArray<string>;
}

/** Part of the path, and the issuer of the people named by the proxy. */
const PROXY_METHOD = "proxy";

/** Maximum length of what names a person, in characters. */
const SUBJECT_CHARS_MAX = 320;

const blocksOf = (trustedProxies: ReadonlyArray<string>): BlockList => {
  const blocks = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(prefix), family);
  }
  return blocks;
};

const untrusted = (address: string | null) =>
  new SignInRefused({
    reason: "untrusted_proxy",
    message: `This request did not come through the proxy that signs people in, but from ${address ?? "an unknown address"}. The operator lists the proxy in WINNOW_TRUSTED_PROXIES.`
  });

const wrongHost = ({ host }: URL) =>
  new SignInRefused({
    reason: "wrong_host",
    message: `The header that signs people in counts only at ${host}, the host of WINNOW_PUBLIC_URL. Open the server there; the proxy must pass on the Host header.`
  });

/** Proxies may pass on the host without its port. */
const isHostOf = (value: string, { protocol, host, hostname }: URL): boolean => {
  if (!/^[\w.:[\]-]+$/u.test(value) || !URL.canParse(`${protocol}//${value}`)) return false;
  const named = new URL(`${protocol}//${value}`).host;
  return named === host || named === hostname;
};

const headerMissing = (header: string) =>
  new SignInRefused({
    reason: "nobody_named",
    message: `The header ${header} from the proxy is missing; sign in to the proxy first.`
  });

const identityOf = (value: string): Identity => {
  const email = readEmail(value);
  return {
    issuer: PROXY_METHOD,
    subject: email ?? value,
    email,
    name: email === null ? readName(value) : null
  };
};

export const makeProxyHeader = ({ header, trustedProxies }: ProxyHeaderSettings): SignInMethod => {
  const name = header.toLowerCase();
  const blocks = blocksOf(trustedProxies);
  const isTrusted = (address: string | null): boolean =>
    address !== null && isIP(address) !== 0 && blocks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  /** The person named by the request. Repeated headers arrive joined by commas, which name nobody. */
  const read = ({ headers, remoteAddress, publicUrl }: Omit<SignInRequest, "callbackUrl">) => {
    if (!isTrusted(remoteAddress)) return Result.fail(untrusted(remoteAddress));
    const url = new URL(publicUrl);
    // A list if there are several proxies.
    const forwarded = headers["x-forwarded-host"]?.split(",") ?? [];
    if (![headers["host"] ?? "", ...forwarded].every((host) => isHostOf(host.trim(), url)))
      return Result.fail(wrongHost(url));
    const value = headers[name]?.trim() ?? "";
    return value === "" || value.length > SUBJECT_CHARS_MAX || value.includes(",")
      ? Result.fail(headerMissing(header))
      : Result.succeed(identityOf(value));
  };

  return {
    name: PROXY_METHOD,
    label: "your organisation",
    issuer: PROXY_METHOD,
    isAutomatic: true,
    begin: (request) =>
      Effect.fromResult(Result.map(read(request), (identity): SignInStart => ({ _tag: "Known", identity }))),
    finish: () => Effect.fail(headerMissing(header)),
    isStill: (request, subject) =>
      request.headers[name] === undefined ||
      Result.match(read(request), {
        onFailure: () => false,
        onSuccess: (identity) => identity.subject === subject
      })
  };
};
