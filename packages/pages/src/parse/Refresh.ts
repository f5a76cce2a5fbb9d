/** Where a page sends its readers by itself: `<meta http-equiv="refresh">` and the header of that name (HTML, 4.2.5.3). */
import { ADDRESS_CHARS_MAX } from "../PageLimits.ts";
import type { Resolve } from "./Address.ts";

/** A longer time lets a reader read the page first, in seconds. */
const REFRESH_SECONDS_MAX = 10;

/** A time and an address in characters; what is cut is too long for an address. */
const REFRESH_CHARS_MAX = 2 * ADDRESS_CHARS_MAX;

/** "5; url=/next", "0;'/next'". */
const REFRESH =
  /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/isu;

const withoutFragment = (url: string): string => url.split("#", 1)[0] ?? url;

/** The absolute URL of the page that follows soon; null if none does, or only this one again. */
export const refreshUrl = (content: string, resolve: Resolve, pageUrl: string): string | null => {
  const [, seconds, double, single, plain] = REFRESH.exec(content.slice(0, REFRESH_CHARS_MAX)) ?? [];
  if (seconds === undefined || Number(seconds) > REFRESH_SECONDS_MAX) return null;
  const url = resolve(double ?? single ?? plain);
  return url === null || withoutFragment(url) === withoutFragment(pageUrl) ? null : url;
};
