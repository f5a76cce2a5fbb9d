/** Makes the URLs of a page absolute; drops those that are not http or https. Tests: Media.test.ts. */
import { ADDRESS_CHARS_MAX } from "../PageLimits.ts";

/** Resolves one reference; null if it is empty, malformed, too long or has another scheme. */
export type Resolve = (reference: string | null | undefined) => string | null;

const parse = (reference: string, base: string): URL | null => {
  const url = URL.parse(reference, base);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
};

/** If `base` is unusable, the page's own URL is used. */
export const resolver = (pageUrl: string, baseHref: string | null): Resolve => {
  const base = (baseHref === null ? null : parse(baseHref, pageUrl)?.href) ?? pageUrl;
  return (reference) => {
    const trimmed = reference?.trim() ?? "";
    if (trimmed === "" || trimmed.length > ADDRESS_CHARS_MAX) return null;
    const url = parse(trimmed, base);
    if (url === null || url.username !== "" || url.password !== "") return null;
    return url.href.length > ADDRESS_CHARS_MAX ? null : url.href;
  };
};

/** In order, without duplicates and those that do not resolve. */
export const resolveAll = (
  resolve: Resolve,
  references: Iterable<string | null | undefined>,
  countMax: number
): ReadonlyArray<string> => {
  const found = new Set<string>();
  for (const reference of references) {
    const url = resolve(reference);
    if (url !== null) found.add(url);
    if (found.size >= countMax) break;
  }
  return [...found];
};
