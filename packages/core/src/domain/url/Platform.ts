/**
 * Classifies URLs of the ten platforms that people use most from the URL alone: tables, no network.
 *
 * Only URLs that cannot be a single work are rejected here; for sites without a table, only those with a universal
 * sign. The downloader inspects the rest, and refuses what turns out to be a listing.
 */
import { DETOURS } from "./platforms/detours.ts";
import { listingSign } from "./platforms/listingSigns.ts";
import type { ListingKind, Meaning, Platform } from "./platforms/Route.ts";
import { SOCIAL } from "./platforms/social.ts";
import { SOUNDCLOUD } from "./platforms/soundcloud.ts";
import { VIDEO } from "./platforms/video.ts";
import { YOUTUBE } from "./platforms/youtube.ts";

export type { ListingKind } from "./platforms/Route.ts";

const PLATFORMS: ReadonlyArray<Platform> = [...YOUTUBE, ...SOCIAL, ...VIDEO, ...SOUNDCLOUD, ...DETOURS];

/** The table's verdict on a URL; `unknown` for most of the web. */
export type UrlClass =
  | { readonly _tag: "work"; readonly url: string }
  | { readonly _tag: "listing"; readonly kind: ListingKind }
  /** The page redirects to `url`, which is untrusted input. */
  | { readonly _tag: "elsewhere"; readonly url: string }
  | { readonly _tag: "unknown" };

const UNKNOWN: UrlClass = { _tag: "unknown" };

type Groups = ReadonlyArray<string | undefined>;

const fill = (template: string, groups: Groups): string => {
  const GROUP = /\$(\d)/gu;
  const value = (number: string): string => groups[Number(number)] ?? "";
  return template
    .replace(/\[([^\]]*)\]/gu, (_, part: string) =>
      [...part.matchAll(GROUP)].every(([, number = ""]) => value(number) !== "") ? part : ""
    )
    .replace(GROUP, (_, number: string) => value(number));
};

const classFor = (meaning: Meaning, url: URL, groups: Groups): UrlClass => {
  if (meaning === "item") return UNKNOWN;
  if (meaning.startsWith("https://")) return { _tag: "work", url: fill(meaning, groups) };
  if (meaning.startsWith("leads to ")) {
    const target = URL.parse(fill(meaning.slice("leads to ".length), groups) + url.hash);
    if (target === null) return UNKNOWN;
    if (/[^/]\/+$/u.test(url.pathname)) target.pathname = target.pathname.replace(/\/?$/u, "/");
    return { _tag: "elsewhere", url: target.href };
  }
  if (!meaning.startsWith("parameter ")) return { _tag: "listing", kind: meaning as ListingKind };
  const value = url.searchParams.get(meaning.slice("parameter ".length));
  const target = value === null ? null : URL.parse(value, url.href);
  return target === null ? UNKNOWN : { _tag: "elsewhere", url: target.href };
};

/**
 * Adds the fragment to the path on platforms that once put names there: `x.com/#!/name`. Returns `url` unchanged
 * elsewhere.
 */
export const withFragmentInPath = (url: URL): URL => {
  if (url.hash === "" || url.search !== "") return url;
  const fragment = PLATFORMS.find(
    (platform) => platform.host.test(url.hostname) && platform.fragment
  )?.fragment;
  if (fragment === undefined) return url;
  const whole = (url.pathname + url.hash).replace(...fragment);
  // Not relative to the origin: a path that begins with two slashes would name another host.
  return URL.parse(url.origin + whole) ?? url;
};

/** `url` must be a parsed http or https URL without a meaningless fragment. */
export const classifyUrl = (url: URL): UrlClass => {
  const path = `/${url.pathname.split("/").filter(Boolean).join("/")}`.replaceAll("%40", "@");
  const target = path + url.search;
  let isKnown = false;
  for (const { host, routes } of PLATFORMS) {
    if (!host.test(url.hostname)) continue;
    isKnown = true;
    for (const [pattern, meaning] of routes) {
      const match = pattern.exec(target);
      if (match !== null) return classFor(meaning, url, match);
    }
  }
  const kind = isKnown ? null : listingSign(url);
  return kind === null ? UNKNOWN : { _tag: "listing", kind };
};
