/**
 * Whether an IP address is one that anybody on the internet may be told to connect to. Pure.
 *
 * The IANA special-purpose registries decide, by way of ipaddr.js; its known holes are closed here. What is
 * not known to be public is not public.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Only this block of IPv6 is handed out as global unicast (RFC 4291, IANA); `::a.b.c.d` lies outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Ordinary public ranges by number, but answered by the cloud's own hypervisor. */
const CLOUD_INTERNAL_IPV4: ReadonlySet<string> = new Set(["168.63.129.16"]); // Azure WireServer

/**
 * ISATAP (RFC 5214): the second half of the address is `0:5efe` or `200:5efe` and an IPv4 address, which a
 * router of the local network takes the packet to.
 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** Takes the plain form only: no brackets, no zone id, IPv4 as four decimal parts. */
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
