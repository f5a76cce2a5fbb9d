/**
 * Which schemes and ports pages and webhook receivers may have, and whether a URL has them: by WHATWG rules, never
 * from the raw text. Pure.
 *
 * Checks everything that needs no resolving; the guard decides whether the host is public. Tests: VetUrl.test.ts,
 * EgressProxy.test.ts.
 */
import { URL_CHARS_MAX } from "@winnow/core/domain/url/UrlLength";
import * as Result from "effect/Result";
import { EgressRefused, type RefusalReason } from "./EgressRefused.ts";

/** `page`: submitted URLs and everything they lead to; `webhook`: receivers of events. */
export type EgressProfile = "page" | "webhook";

interface ProfileRules {
  readonly protocols: ReadonlyArray<string>;
  /** 8080 and 8443 are the usual alternative ports; others belong to services that are not for browsers. */
  readonly ports: ReadonlyArray<number>;
}

export const PROFILES: Readonly<Record<EgressProfile, ProfileRules>> = {
  page: { protocols: ["http:", "https:"], ports: [80, 443, 8080, 8443] },
  webhook: { protocols: ["https:"], ports: [443, 8443] }
};

export interface Target {
  readonly url: URL;
  /** Lower-case, without brackets and trailing dot: a name in ASCII or an IP address. */
  readonly host: string;
  readonly port: number;
}

// WHATWG parsing drops tabs and newlines, treats a backslash as a slash and does not require slashes: someone
// reading the raw text would see another host than the one connected to, so these are rejected.
// oxlint-disable-next-line no-control-regex
const AMBIGUOUS = /[\u0000-\u0020\u007f\\]/u;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/]/iu;

/** Without brackets and trailing dot. */
export const hostOf = (url: URL): string =>
  url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname.replace(/\.$/u, "");

export const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);

export const readTarget = (
  input: unknown,
  profile: EgressProfile,
  maxLength = URL_CHARS_MAX
): Result.Result<Target, RefusalReason> => {
  if (typeof input !== "string" || input.length > maxLength) return Result.fail("invalid_url");
  if (AMBIGUOUS.test(input) || !ABSOLUTE.test(input) || !URL.canParse(input))
    return Result.fail("invalid_url");
  const url = new URL(input);
  if (!PROFILES[profile].protocols.includes(url.protocol)) return Result.fail("scheme");
  if (url.username !== "" || url.password !== "") return Result.fail("credentials");
  return Result.succeed({ url, host: hostOf(url), port: portOf(url) });
};

/** Throws `EgressRefused` if it cannot be parsed. */
export const targetOf = (url: string, profile: EgressProfile, maxLength?: number): Target => {
  const target = readTarget(url, profile, maxLength);
  if (Result.isSuccess(target)) return target.success;
  throw new EgressRefused(target.failure, URL.canParse(url) ? new URL(url).hostname : "", 0);
};
