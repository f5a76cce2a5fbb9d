/**
 * The player that other sites embed, where a platform shows it to everybody while it wants an account for its own
 * pages: newer extractors of Vimeo ask an API that only answers who has signed in. Pure.
 */

const VIMEO = /^https:\/\/vimeo\.com\/(\d+)(?:\/([0-9a-f]{8,}))?$/u;

/** The address of the player of a work, or null where there is none that is known. `url` is normalised. */
export const embeddedPlayerOf = (url: string): string | null => {
  const [, id, hash] = VIMEO.exec(url) ?? [];
  if (id === undefined) return null;
  return `https://player.vimeo.com/video/${id}${hash === undefined ? "" : `?h=${hash}`}`;
};
