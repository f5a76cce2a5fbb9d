/**
 * The player that other sites embed, where a platform shows it to everybody and its own page to nobody, or only with
 * an account: newer extractors of Vimeo ask an API that only answers who has signed in, and owners hide videos from
 * its pages alone. Pure.
 */

const VIMEO = /^https:\/\/vimeo\.com\/(\d+)(?:\/([0-9a-f]{8,}))?$/u;

/** The address of the player of a work, or null where there is none that is known. `url` is normalised. */
export const embeddedPlayerOf = (url: string): string | null => {
  const [, id, hash] = VIMEO.exec(url) ?? [];
  if (id === undefined) return null;
  return `https://player.vimeo.com/video/${id}${hash === undefined ? "" : `?h=${hash}`}`;
};
