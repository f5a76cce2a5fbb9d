/**
 * Whether an IP address belongs to the public internet. Pure.
 *
 * Based on the IANA special-purpose registries in ipaddr.js, with its known gaps closed. Addresses not known to be
 * public are not public.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The only allocated block of IPv6 global unicast (RFC 4291, IANA); `::a.b.c.d` is outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Addresses in public ranges that the hypervisors of cloud providers serve. */
const CLOUD_INTERNAL_IPV4: ReadonlySet<string> = new Set(["168.63.129.16"]); // Azure WireServer

/**
 * ISATAP (RFC 5214): the second half of the address is `0:5efe` or `200:5efe` and an IPv4 address, to which a local
 * router forwards the packet.
 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** Accepts plain forms only: no brackets, no zone id, IPv4 as four decimal parts. */
export const isPublicAddress = (address: string): boolean => {
  const family = address.includes("%") ? 0 : isIP(address);
  if (family === 4) {
    return !CLOUD_INTERNAL_IPV4.has(address) && ipaddr.IPv4.parse(address).range() === "unicast";
  }
  if (family === 6) {
    const parsed = ipaddr.IPv6.parse(address);
    return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast" && !isIsatap(parsed);
  }
  return false;
};
