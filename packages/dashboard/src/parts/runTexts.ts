/** The name of an extraction, and its cost as text. */
import type { ExtractionItem } from "../data/extractions.ts";
import { number } from "../words/format.ts";
import { moneyWords } from "../words/words.ts";

/** Without scheme and `www.`, to show the distinguishing part. */
export const shortUrl = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/u, "").replace(/\/$/u, "");

export const siteOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host.replace(/^www\./u, "") : url;

export const nameOf = ({ title, url }: Pick<ExtractionItem, "title" | "url">): string =>
  title == null || title === "" ? shortUrl(url) : title;

/** Only these become links, because the URL of a result may be anything. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//iu.test(url);

export const paidCredits = ({ creditsDebited, creditsRefunded }: ExtractionItem): number =>
  creditsDebited - creditsRefunded;

export const moneyText = (run: ExtractionItem): string => {
  if (run.cached) return moneyWords.cached;
  if (run.creditsRefunded === 0) return moneyWords.debited(number(run.creditsDebited));
  return run.creditsRefunded === run.creditsDebited
    ? moneyWords.allBack(number(run.creditsDebited))
    : moneyWords.partBack(number(run.creditsDebited), number(run.creditsRefunded));
};
