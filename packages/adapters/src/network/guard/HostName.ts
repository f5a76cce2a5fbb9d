/** Valid host names, and names that never lead to the public internet. Pure. */

/** RFC 1035: maximum octets of a name in text, without the trailing dot. */
const NAME_MAX_LENGTH = 253;

/** RFC 1035: 63 octets per label. Underscores occur in real host names, hyphens at either end do not. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;

/** Lower-case ASCII (punycode for the rest) without trailing dot; one label is enough. */
export const isHostName = (host: string): boolean =>
  host.length <= NAME_MAX_LENGTH && host.split(".").every((label) => LABEL.test(label));

/** Special-use top-level names (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`) and customary ones. */
const LOCAL_TLD =
  /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|alt|test|invalid|example)$/u;

/** Single labels and special-use names only have a meaning in a local network. */
export const isLocalName = (host: string): boolean => !host.includes(".") || LOCAL_TLD.test(host);
