/**
 * For `node --import`: names below `example` (RFC 2606) lead to the site on this machine whose port is in
 * EXAMPLE_SITE_PORT. Pictures then show names that belong to nobody instead of loopback addresses.
 */
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";

/** Of the block for documentation (RFC 5737): nobody answers there. */
const ADDRESS = "192.0.2.1";

const port = Number(process.env["EXAMPLE_SITE_PORT"]);

/** The guard vets addresses first, and connects to the name with the addresses that it vetted. */
const lookup = dns.lookup as (host: string, options: object) => Promise<unknown>;
const lookupHere = async (host: string, options: { readonly all?: boolean } = {}): Promise<unknown> => {
  if (!host.endsWith(".example")) return lookup(host, options);
  const answer = { address: ADDRESS, family: 4 };
  return options.all === true ? [answer] : answer;
};
Object.assign(dns, { lookup: lookupHere });
syncBuiltinESMExports();

// eslint-disable-next-line typescript/unbound-method -- called with the socket below
const connect = Socket.prototype.connect as (this: Socket, ...args: ReadonlyArray<unknown>) => Socket;
const connectHere = function (this: Socket, ...args: ReadonlyArray<unknown>): Socket {
  // `net.connect` passes its arguments as one list.
  const [options] = args.flat() as ReadonlyArray<{ host?: string; port?: number } | undefined>;
  if (options?.host?.endsWith(".example") === true) Object.assign(options, { host: "127.0.0.1", port });
  return connect.apply(this, [...args]);
};
Object.assign(Socket.prototype, { connect: connectHere });
