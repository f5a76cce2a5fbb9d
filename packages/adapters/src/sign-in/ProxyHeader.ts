/**
 * People whom a proxy in front of the server has signed in: it names them in a header of every request.
 *
 * Anybody can send a header. It counts only from the addresses of the proxy, as the socket tells them and not
 * another header; from elsewhere the request is refused rather than read without it, so that a mistake in the
 * network is seen before somebody makes use of it.
 */
import { BlockList, isIP } from "node:net";
import { readEmail, type Identity } from "@winnow/core/domain/Member";
import {
  SignInRefused,
  type Begun,
  type SignInMethod,
  type SignInRequest
} from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";

export interface ProxyHeaderSettings {
  /** In any case. */
  readonly header: string;
  /** CIDR blocks and single addresses. */
  readonly trustedProxies: ReadonlyArray<string>;
}

/** Part of the path, and the issuer of whom the proxy names. */
export const PROXY_METHOD = "proxy";

/** Longest name of a person, in characters. */
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

const nobody = (header: string) =>
  new SignInRefused({
    reason: "nobody_named",
    message: `The header ${header} from the proxy is missing; sign in to the proxy first.`
  });

const identityOf = (value: string): Identity => {
  const email = readEmail(value);
  return { issuer: PROXY_METHOD, subject: email ?? value, email, name: email === null ? value : null };
};

export const makeProxyHeader = ({ header, trustedProxies }: ProxyHeaderSettings): SignInMethod => {
  const name = header.toLowerCase();
  const blocks = blocksOf(trustedProxies);
  const isTrusted = (address: string | null): boolean =>
    address !== null && isIP(address) !== 0 && blocks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  /** Whom the request names. Several headers of the name arrive as one with commas, which names nobody. */
  const read = ({ headers, remoteAddress }: Omit<SignInRequest, "callbackUrl">) => {
    if (!isTrusted(remoteAddress)) return Result.fail(untrusted(remoteAddress));
    const value = headers[name]?.trim() ?? "";
    return value === "" || value.length > SUBJECT_CHARS_MAX || value.includes(",")
      ? Result.fail(nobody(header))
      : Result.succeed(identityOf(value));
  };

  return {
    name: PROXY_METHOD,
    label: "your organisation",
    issuer: PROXY_METHOD,
    isAutomatic: true,
    begin: (request) =>
      Effect.fromResult(Result.map(read(request), (identity): Begun => ({ _tag: "Known", identity }))),
    finish: () => Effect.fail(nobody(header)),
    isStill: (request, subject) =>
      request.headers[name] === undefined ||
      Result.match(read(request), {
        onFailure: () => false,
        onSuccess: (identity) => identity.subject === subject
      })
  };
};
