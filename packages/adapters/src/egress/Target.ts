/**
 * Reads a URL as the guard sees it: scheme, host and port after WHATWG parsing, never the raw text. Pure.
 *
 * Says what can be said without resolving: whether the host is public is the guard's matter.
 */
import * as Result from "effect/Result";
import { Refused, type RefusalReason } from "./Refusal.ts";

/** `page`: what users submit and what is met on the way; `webhook`: where events are delivered. */
export type EgressProfile = "page" | "webhook";

interface ProfileRules {
  readonly protocols: ReadonlyArray<string>;
  /** 8080 and 8443 are the customary alternates; others belong to services that are not for browsers. */
  readonly ports: ReadonlyArray<number>;
}

export const PROFILES: Readonly<Record<EgressProfile, ProfileRules>> = {
  page: { protocols: ["http:", "https:"], ports: [80, 443, 8080, 8443] },
  webhook: { protocols: ["https:"], ports: [443, 8443] }
};

/** Longer URLs are refused: servers and tools cut them at differing places. */
export const URL_MAX_LENGTH = 2048;

export interface Target {
  readonly url: URL;
  /** Lower-case, without brackets and trailing dot: a name in ASCII or an IP address. */
  readonly host: string;
  readonly port: number;
}

// WHATWG drops tabs and newlines, takes a backslash for a slash and needs no slashes at all: a reader of the
// raw text sees another host than the one connected to, so such spellings are refused.
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
  maxLength = URL_MAX_LENGTH
): Result.Result<Target, RefusalReason> => {
  if (typeof input !== "string" || input.length > maxLength) return Result.fail("invalid_url");
  if (AMBIGUOUS.test(input) || !ABSOLUTE.test(input) || !URL.canParse(input))
    return Result.fail("invalid_url");
  const url = new URL(input);
  if (!PROFILES[profile].protocols.includes(url.protocol)) return Result.fail("scheme");
  if (url.username !== "" || url.password !== "") return Result.fail("credentials");
  return Result.succeed({ url, host: hostOf(url), port: portOf(url) });
};

/** Throws `Refused` where it cannot be read. */
export const targetOf = (url: string, profile: EgressProfile, maxLength?: number): Target => {
  const target = readTarget(url, profile, maxLength);
  if (Result.isSuccess(target)) return target.success;
  throw new Refused(target.failure, URL.canParse(url) ? new URL(url).hostname : "", 0);
};
