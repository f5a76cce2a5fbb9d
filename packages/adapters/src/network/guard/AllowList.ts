/**
 * Private addresses the operator allows (setting WINNOW_EGRESS_ALLOW). Pure.
 *
 * An entry is `host`, `host:port` or a CIDR block and allows nothing else: `10.0.0.5:8080` allows that port of that
 * address under any name; `wiki.corp` every port of that name, wherever it resolves; a block every port of its
 * addresses. Anything else is rejected by name.
 */
import { isIP, isIPv4 } from "node:net";
import * as Result from "effect/Result";
import ipaddr from "ipaddr.js";
import { isHostName } from "./HostName.ts";
import * as Schema from "effect/Schema";

/** An invalid setting of the guard; the server does not start and names it. */
export class InvalidEgressSetting extends Schema.TaggedError<InvalidEgressSetting>()("InvalidEgressSetting", {
  setting: Schema.Literals(["allow", "upstreamProxy"]),
  /** The setting as given; for `upstreamProxy` without credentials. */
  entry: Schema.String,
  message: Schema.String
}) {}

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface AllowList {
  /** The requested name is listed for this port. */
  readonly hasName: (host: string, port: number) => boolean;
  /** The address is listed for this port, individually or by a block. */
  readonly hasAddress: (address: string, port: number) => boolean;
  /** Whether any address or block is listed, so that an unlisted name may resolve to an allowed one. */
  readonly listsAddresses: boolean;
}

interface Entry {
  /** Lower-case name; null for an address or a block. */
  readonly name: string | null;
  readonly block: Block | null;
  /** null: every port. */
  readonly port: number | null;
}

const PORT_MAX = 65_535;

const readPort = (text: string): number | null => {
  const port = /^[1-9]\d{0,4}$/u.test(text) ? Number(text) : 0;
  return port >= 1 && port <= PORT_MAX ? port : null;
};

const isPlainAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes("%");

const fullPrefix = (address: string): Block => [ipaddr.parse(address), isIPv4(address) ? 32 : 128];

const readBlock = (text: string): Entry | string => {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const bits = /^\d{1,3}$/u.test(prefix) ? Number(prefix) : -1;
  if (rest.length > 0 || !isPlainAddress(address)) return "is not a CIDR block such as 10.0.0.0/8";
  if (bits < 0 || bits > (isIPv4(address) ? 32 : 128)) return "has a prefix length out of range";
  return { name: null, block: [ipaddr.parse(address), bits], port: null };
};

const readHost = (host: string, port: number | null): Entry | string => {
  if (isPlainAddress(host)) return { name: null, block: fullPrefix(host), port };
  const name = host.toLowerCase().replace(/\.$/u, "");
  // URL parsers read a name with a numeric last label as an IPv4 address (127.1, 0x7f.1).
  if (!isHostName(name) || /(?:^|\.)(?:\d+|0x[\da-f]*)$/u.test(name)) {
    return (
      "is not a valid host: use host, host:port or a CIDR block (a name in ASCII, an IPv4 address in four " +
      "parts)"
    );
  }
  return { name, block: null, port };
};

const readEntry = (entry: string): Entry | string => {
  const text = entry.trim();
  if (text === "") return "is empty";
  if (text.includes("://")) return "is a URL: use only host or host:port";
  if (text.includes("/")) return readBlock(text);
  if (isPlainAddress(text)) return readHost(text, null);
  const match = /^(?:\[(?<v6>[^\]]*)\]|(?<host>[^:[\]]*))(?::(?<port>.*))?$/u.exec(text);
  const { v6, host, port } = match?.groups ?? {};
  if (match === null || (v6 !== undefined && isIP(v6) !== 6)) return "is not host, host:port or a CIDR block";
  const portNumber = port === undefined ? null : readPort(port);
  if (port !== undefined && portNumber === null)
    return `has a port that is not a number from 1 to ${PORT_MAX}`;
  return readHost(v6 ?? host ?? "", portNumber);
};

const contains = ([network, bits]: Block, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.kind() === address.kind() && address.match([network, bits]);

const opensPort = (entry: Entry, port: number): boolean => entry.port === null || entry.port === port;

export const parseAllowList = (
  entries: ReadonlyArray<string>
): Result.Result<AllowList, InvalidEgressSetting> => {
  const names: Array<Entry> = [];
  const blocks: Array<Entry & { readonly block: Block }> = [];
  for (const text of entries) {
    const entry = readEntry(text);
    if (typeof entry === "string") {
      const message = `Egress allow-list entry "${text}" ${entry}`;
      return Result.fail(new InvalidEgressSetting({ setting: "allow", entry: text, message }));
    }
    if (entry.block === null) names.push(entry);
    else blocks.push({ ...entry, block: entry.block });
  }
  return Result.succeed({
    hasName: (host, port) => names.some((entry) => entry.name === host && opensPort(entry, port)),
    hasAddress: (address, port) => {
      if (blocks.length === 0 || !isPlainAddress(address)) return false;
      const parsed = ipaddr.parse(address);
      return blocks.some((entry) => opensPort(entry, port) && contains(entry.block, parsed));
    },
    listsAddresses: blocks.length > 0
  });
};
