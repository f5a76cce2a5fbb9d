/** URLs of files: the name in a path, and signed links. Tests: AuthorizationHttp.test.ts. */
import { isSafeFileName } from "@winnow/core/domain/result/ArtifactName";
import type { SignedLink } from "@winnow/core/engine/extractions/FileLinks";
import { dateTime } from "../openapi/described.ts";

/**
 * "video.mp4" of "/v1/extractions/ext_1/files/video.mp4?account=…". From the raw path, not decoded by a router: `..%2f`
 * must stay visible. Null if it is not a valid file name.
 */
export const fileNameIn = (url: string): string | null => {
  const sent = /\/extractions\/[^/?#]+\/files\/([^?#]*)/u.exec(url)?.[1] ?? "";
  try {
    const name = decodeURIComponent(sent);
    return isSafeFileName(name) ? name : null;
  } catch {
    return null;
  }
};

/** `publicUrl` has no trailing slash. */
const fileLinkUrl = (link: SignedLink, publicUrl: string): string => {
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
  expiresAt: dateTime(link.expiresAtSeconds * 1_000)
});
