import { assert, describe, it } from "@effect/vitest";
import { isPublicAddress } from "../../src/network/guard/Guard.ts";

const PUBLIC = ["8.8.8.8", "93.184.215.14", "172.32.0.0", "168.63.129.15", "2606:4700:4700::1111", "2a00::1"];

const NOT_PUBLIC: ReadonlyArray<readonly [address: string, why: string]> = [
  ["127.0.0.1", "loopback"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["169.254.169.254", "cloud metadata"],
  ["168.63.129.16", "Azure WireServer"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.127.255.255", "carrier-grade NAT"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "this network"],
  ["192.0.0.8", "IETF protocol assignments"],
  ["192.0.2.1", "documentation"],
  ["198.18.0.1", "benchmarking"],
  ["198.19.255.255", "benchmarking"],
  ["192.88.99.1", "6to4 relay"],
  ["192.31.196.1", "AS112"],
  ["192.52.193.1", "AMT"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::ffff:8.8.8.8", "IPv4-mapped, even of a public address"],
  ["::ffff:127.0.0.1", "IPv4-mapped"],
  ["::127.0.0.1", "IPv4-compatible"],
  ["::8.8.8.8", "IPv4-compatible"],
  ["64:ff9b::a9fe:a9fe", "NAT64"],
  ["64:ff9b:1::7f00:1", "NAT64, local use"],
  ["2002:7f00:1::", "6to4"],
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo"],
  ["2001:db8::1", "documentation"],
  ["3fff::1", "documentation"],
  ["2001:2::1", "benchmarking"],
  ["2001:20::1", "ORCHIDv2"],
  ["2620:4f:8000::1", "AS112"],
  ["100::1", "discard only"],
  ["100:0:0:1::1", "dummy prefix, RFC 9780"],
  ["5f00::1", "segment routing"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "AWS metadata"],
  ["fe80::1", "link-local"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
  ["4000::1", "not handed out"],
  ["2606:4700:4700::1111%eth0", "zone id"],
  ["fe80::1%1", "zone id"],
  ["127.1", "not the plain form"],
  ["0x7f.0.0.1", "not the plain form"],
  ["[::1]", "not the plain form"],
  ["example.org", "no address"],
  ["", "no address"]
];

describe("isPublicAddress", () => {
  it.each(PUBLIC)("%s is public", (address) => assert.isTrue(isPublicAddress(address)));
  it.each(NOT_PUBLIC)("%s is not public: %s", (address) => assert.isFalse(isPublicAddress(address)));
});
