/**
 * Whether a request was made by a page of this server: browsers send the session cookie with requests of any page
 * (cross-site request forgery). Pure.
 *
 * Scripts can forge neither header. A browser that sends none of them is too old to be trusted with a cookie.
 */

/** RFC 9110, section 9.2.1: safe methods may come from anywhere. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface OriginatedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Sec-Fetch-Site (Fetch Metadata) and Origin (RFC 6454): at least one is present, and neither names another site.
 */
export const isSameOrigin = ({ method, headers }: OriginatedRequest, publicUrl: string): boolean => {
  if (SAFE_METHODS.has(method)) return true;
  const { "sec-fetch-site": site, origin } = headers;
  if (site === undefined && origin === undefined) return false;
  return (
    (site === undefined || site === "same-origin") &&
    (origin === undefined || origin === new URL(publicUrl).origin)
  );
};
