/**
 * URLs of targets that are not public, in addition to those in ssrf-cases.json. `dns` is what the resolver returns
 * if the name is resolved.
 */
export interface BlockedUrl {
  readonly input: string;
  readonly why: string;
  readonly dns?: ReadonlyArray<string>;
}

const PUBLIC = "93.184.215.14";
const PUBLIC_V6 = "2606:4700:4700::1111";

const literals: ReadonlyArray<readonly [host: string, why: string]> = [
  ["[::]", "unspecified"],
  ["[0:0:0:0:0:0:0:1]", "loopback, in full"],
  ["[::ffff:a00:1]", "mapped, in hex"],
  ["[0:0:0:0:0:FFFF:169.254.169.254]", "mapped, in full"],
  ["[::ffff:0:10.0.0.1]", "translated (SIIT)"],
  ["[::10.0.0.1]", "IPv4-compatible"],
  ["[64:ff9b::10.0.0.1]", "NAT64"],
  ["[64:ff9b::a9fe:a9fe]", "NAT64 of a metadata service"],
  ["[64:ff9b:1::7f00:1]", "NAT64, local use"],
  ["[2002:a00:1::]", "6to4 of 10.0.0.1"],
  ["[2002:7f00:1::1]", "6to4 of loopback"],
  ["[2002:c0a8:101::5]", "6to4 of 192.168.1.1"],
  ["[2001:0:5ef5:79fd:0:59d:f5ff:fffe]", "Teredo of 10.0.0.1"],
  ["[2001::1]", "Teredo"],
  ["[fe80::5efe:10.0.0.1]", "ISATAP, link-local"],
  ["[2606:4700::5efe:a00:1]", "ISATAP under a public prefix"],
  ["[2606:4700::200:5efe:7f00:1]", "ISATAP, universal bit"],
  ["[2001:db8::1]", "documentation"],
  ["[3fff::1]", "documentation (RFC 9637)"],
  ["[2001:2::1]", "benchmarks"],
  ["[2001:10::1]", "ORCHID"],
  ["[2001:20::1]", "ORCHIDv2"],
  ["[5f00::1]", "SRv6"],
  ["[100::1]", "discard"],
  ["[fc00::1]", "unique local"],
  ["[fd00:ec2::254]", "metadata service in IPv6"],
  ["[fec0::1]", "site-local"],
  ["[ff02::1]", "multicast, link"],
  ["[ff0e::1]", "multicast, global"],
  ["[4000::1]", "not handed out"],
  ["0.1.2.3", "this network"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.100.100.200", "metadata service in shared space"],
  ["168.63.129.16", "wire server of a cloud"],
  ["169.254.170.2", "credentials service of containers"],
  ["172.31.255.255", "last of 172.16/12"],
  ["192.0.0.192", "metadata service in 192.0.0.0/24"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "6to4 relay"],
  ["198.19.255.255", "benchmarks"],
  ["198.51.100.7", "documentation"],
  ["203.0.113.7", "documentation"],
  ["224.0.0.251", "multicast"],
  ["239.255.255.250", "multicast, site"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["127.0.0.1.", "trailing dot"],
  ["0177.1", "octal, short"],
  ["0x7f.0x1", "hex, short"],
  ["017700000001", "octal, one number"],
  ["0xa9fea9fe", "hex, one number"],
  ["2852039166", "decimal, one number"],
  ["１６９.２５４.１６９.２５４", "full-width digits"],
  ["127。0。0。1", "ideographic full stops"],
  ["①⑦②.①⑥.⓪.①", "circled digits"],
  ["%31%32%37.0.0.1", "percent-encoded digits"],
  ["localhost.", "local name, trailing dot"],
  ["LocalHost", "local name, capitals"],
  ["a.b.localhost", "below localhost"],
  ["metadata.google.internal", "metadata service by name"],
  ["router.lan", "local zone"],
  ["printer", "single label"],
  ["1.0.0.127.in-addr.arpa", "arpa"]
];

const resolving = (why: string, ...dns: ReadonlyArray<string>): BlockedUrl => ({
  input: "http://a.example.org/",
  why: `name with ${why}`,
  dns
});

export const BLOCKED_URLS: ReadonlyArray<BlockedUrl> = [
  ...literals.map(([host, why]) => ({ input: `http://${host}/`, why })),
  resolving("a private address behind a public one", PUBLIC, "10.0.0.5"),
  resolving("a private address before a public one", "192.168.0.9", PUBLIC),
  resolving("loopback in the other family", PUBLIC, "::1"),
  resolving("a mapped address", PUBLIC_V6, "::ffff:127.0.0.1"),
  resolving("NAT64 of an inner address", "64:ff9b::c0a8:1"),
  resolving("a zone", "fe80::1%eth0"),
  resolving("the unspecified address", "0.0.0.0"),
  resolving("an answer that is none", PUBLIC, "not an address"),
  resolving("an address in a shorter form", "127.1"),
  { input: "http://example.org:22/", why: "port of another service", dns: [PUBLIC] },
  { input: "http://example.org:6379/", why: "port of a database", dns: [PUBLIC] },
  { input: "http://example.org:0/", why: "port zero", dns: [PUBLIC] },
  { input: "http://10.0.0.1:8080/", why: "inner address on an open port" },
  { input: "http://example.org@169.254.169.254/", why: "public name as user" },
  { input: "http://user:password@example.org/", why: "credentials", dns: [PUBLIC] },
  { input: "http://169.254.169.254#@example.org/", why: "fragment that looks like a host" },
  { input: "http://169.254.169.254/?@example.org/", why: "query that looks like a host" }
];
