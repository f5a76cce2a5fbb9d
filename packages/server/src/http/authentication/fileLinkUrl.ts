/** Builds and parses the URLs of file links. */
import type { SignedLink } from "@winnow/core/engine/extractions/FileLinks";
import { fileNameIn } from "./fileName.ts";
import { dateTime } from "../openapi/described.ts";

const MILLISECONDS = 1_000;

/** `publicUrl` has no trailing slash. */
export const fileLinkUrl = (link: SignedLink, publicUrl: string): string => {
  const { accountId, extractionId, name, expiresAtSeconds, signature } = link;
  const query = new URLSearchParams({ account: accountId, expires: String(expiresAtSeconds), signature });
  return `${publicUrl}/v1/extractions/${extractionId}/files/${encodeURIComponent(name)}?${query}`;
};

/** Null for a request without a link. `url` is the original path and query. */
export const fileLinkIn = (url: string): SignedLink | null => {
  const [, extractionId] = /\/extractions\/([^/?#]+)\/files\//u.exec(url) ?? [];
  const query = new URLSearchParams(/\?([^#]*)/u.exec(url)?.[1] ?? "");
  const [accountId, expires, signature] = ["account", "expires", "signature"].map((name) => query.get(name));
  const name = fileNameIn(url);
  if (extractionId === undefined || name === null || !accountId || !expires || !signature) return null;
  return { accountId, extractionId, name, expiresAtSeconds: Number(expires), signature };
};

/** As returned by the API and the embedded engine. */
export const fileLinkItem = (link: SignedLink, publicUrl: string) => ({
  url: fileLinkUrl(link, publicUrl),
  expiresAt: dateTime(link.expiresAtSeconds * MILLISECONDS)
});
