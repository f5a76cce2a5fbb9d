/** The header `Retry-After`: whole seconds or a date (RFC 9110, section 10.2.3). */

/** "Sun, 06 Nov 1994 08:49:37 GMT" and its two older forms, as in the client, which depends on nothing. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/u;

/** Milliseconds from now, not below 0; null if it is absent or neither. */
export const retryAfterMs = (value: string | null | undefined, nowMs: number): number | null => {
  const text = value?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1_000;
  // `Date.parse` also takes "-3" for a date; all formats of the header begin with the day of the week and are in GMT.
  const atMs = HTTP_DATE.test(text) ? Date.parse(text.replace(/(?: GMT)?$/u, " GMT")) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};
