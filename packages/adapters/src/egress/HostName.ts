/** What may stand as a host name, and which names never lead to the public internet. Pure. */

/** RFC 1035: octets of a whole name in text, without the trailing dot. */
const NAME_MAX_LENGTH = 253;

/** RFC 1035: 63 octets a label. Underscores occur in real host names, hyphens at the ends do not. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;

/** Lower-case ASCII (punycode for the rest), without trailing dot; one label suffices. */
export const isHostName = (host: string): boolean =>
  host.length <= NAME_MAX_LENGTH && host.split(".").every((label) => LABEL.test(label));

/** Special-use top-level names (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`) and customary ones. */
const LOCAL_TLD =
  /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|alt|test|invalid|example)$/u;

/** A single label or a special-use name: only a local resolver or a local network gives it meaning. */
export const isLocalName = (host: string): boolean => !host.includes(".") || LOCAL_TLD.test(host);
