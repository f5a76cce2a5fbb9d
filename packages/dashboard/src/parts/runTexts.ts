/** The name of an extraction. Tests: browser.test.ts, firstRun.test.ts. */
import type { ExtractionItem } from "../data/extractions.ts";

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
