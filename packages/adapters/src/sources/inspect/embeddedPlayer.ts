/**
 * Finds a platform's embeddable player, which is often public when the page itself requires an account: newer Vimeo
 * extractors use an API that requires a log-in, and owners may hide videos from Vimeo's own pages only. Pure.
 */

const VIMEO = /^https:\/\/vimeo\.com\/(\d+)(?:\/([0-9a-f]{8,}))?$/u;

/** The URL of a work's player; null if none is known. `url` must be normalised. */
export const embeddedPlayerOf = (url: string): string | null => {
  const [, id, hash] = VIMEO.exec(url) ?? [];
  if (id === undefined) return null;
  return `https://player.vimeo.com/video/${id}${hash === undefined ? "" : `?h=${hash}`}`;
};
