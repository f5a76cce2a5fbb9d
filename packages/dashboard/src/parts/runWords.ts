/** What to call an extraction, and what it costs in words. */
import type { ExtractionItem } from "../data/extractions.ts";
import { number } from "../words/format.ts";
import { words } from "../words/words.ts";

/** Without scheme and `www.`: what tells addresses apart. */
export const shortUrl = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/u, "").replace(/\/$/u, "");

export const siteOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host.replace(/^www\./u, "") : url;

export const nameOf = ({ title, url }: Pick<ExtractionItem, "title" | "url">): string =>
  title == null || title === "" ? shortUrl(url) : title;

/** Only these are links: an address of a result may be anything. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//iu.test(url);

export const paidCredits = ({ creditsDebited, creditsRefunded }: ExtractionItem): number =>
  creditsDebited - creditsRefunded;

export const moneyWords = (run: ExtractionItem): string => {
  if (run.cached) return words.money.cached;
  if (run.creditsRefunded === 0) return words.money.debited(number(run.creditsDebited));
  return run.creditsRefunded === run.creditsDebited
    ? words.money.allBack(number(run.creditsDebited))
    : words.money.partBack(number(run.creditsDebited), number(run.creditsRefunded));
};
