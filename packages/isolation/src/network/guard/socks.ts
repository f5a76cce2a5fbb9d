/**
 * The client's side of SOCKS 5 (RFC 1928) with user and password (RFC 1929), for addresses only, never names. Tests:
 * UpstreamProxy.test.ts, LyingProxy.test.ts.
 */
import { isIPv4, type Socket } from "node:net";
import type { ProxyAddress } from "./ProxyAddress.ts";
import ipaddr from "ipaddr.js";
import { ProxyFailed } from "./EgressFailed.ts";

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USER_AND_PASSWORD = 2;
const AUTHENTICATION_VERSION = 1;
const CONNECT = 1;
const SUCCEEDED = 0;
const IPV4 = 1;
const DOMAIN = 3;
const IPV6 = 4;

/** Bytes of the address in a reply, by its type; a name begins with its length. */
const ADDRESS_BYTES: ReadonlyMap<number, number> = new Map([
  [IPV4, 4],
  [IPV6, 16]
]);
const PORT_BYTES = 2;

const rejected = () => new ProxyFailed("credentials", "The upstream proxy rejected the credentials");

const otherProtocol = () => new ProxyFailed("protocol", "The upstream proxy does not speak SOCKS 5");

const EVENTS = ["readable", "end", "close", "error"] as const;

/** Until there is something to read, or never will be. */
const nextEvent = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      for (const event of EVENTS) socket.off(event, done);
      resolve();
    };
    for (const event of EVENTS) socket.on(event, done);
  });

/** Exactly `sizeBytes`; what follows stays in the socket. */
const read = async (socket: Socket, sizeBytes: number): Promise<Buffer> => {
  let got = Buffer.alloc(0);
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null && (socket.readableEnded || socket.destroyed)) {
      throw new ProxyFailed("declined", "The upstream proxy closed the connection");
    }
    if (chunk === null) {
      await nextEvent(socket);
      continue;
    }
    got = Buffer.concat([got, chunk]);
    if (got.length > sizeBytes) socket.unshift(got.subarray(sizeBytes));
    if (got.length >= sizeBytes) return got.subarray(0, sizeBytes);
  }
};

const authenticate = async (socket: Socket, { username, password }: ProxyAddress): Promise<void> => {
  const [user, secret] = [Buffer.from(username ?? ""), Buffer.from(password ?? "")];
  socket.write(
    Buffer.concat([
      Buffer.from([AUTHENTICATION_VERSION, user.length]),
      user,
      Buffer.from([secret.length]),
      secret
    ])
  );
  const answer = await read(socket, 2);
  if (answer[1] !== SUCCEEDED) throw rejected();
};

const greet = async (socket: Socket, proxy: ProxyAddress): Promise<void> => {
  const methods = proxy.username === null ? [NO_AUTHENTICATION] : [NO_AUTHENTICATION, USER_AND_PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method = -1] = await read(socket, 2);
  if (version !== VERSION) throw otherProtocol();
  if (!methods.includes(method)) throw rejected();
  if (method === USER_AND_PASSWORD) await authenticate(socket, proxy);
};

const connectionTo = (address: string, port: number): Buffer =>
  Buffer.from([
    VERSION,
    CONNECT,
    0,
    isIPv4(address) ? IPV4 : IPV6,
    ...ipaddr.parse(address).toByteArray(),
    port >> 8,
    port & 0xff
  ]);

/** The connected socket itself. Rejects with `ProxyFailed`, and then leaves the socket open. */
export const openSocks = async (
  socket: Socket,
  proxy: ProxyAddress,
  { address, port }: { readonly address: string; readonly port: number }
): Promise<Socket> => {
  await greet(socket, proxy);
  socket.write(connectionTo(address, port));
  const [version, reply, , type = 0] = await read(socket, 4);
  if (version !== VERSION) throw otherProtocol();
  if (reply !== SUCCEEDED) {
    throw new ProxyFailed("declined", `The upstream proxy declined the connection (${reply})`);
  }
  const nameBytes = type === DOMAIN ? ((await read(socket, 1))[0] ?? 0) : 0;
  await read(socket, (ADDRESS_BYTES.get(type) ?? nameBytes) + PORT_BYTES);
  return socket;
};
