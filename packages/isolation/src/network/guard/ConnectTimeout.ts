/** Opens a TCP connection, or whatever follows on it, within a limited time. Tests: UpstreamProxy.test.ts. */
import { connect, type Socket, type TcpNetConnectOpts } from "node:net";

/** For TCP, and again for TLS: responsive hosts need a fraction; 5 s allows for packet loss. */
export const CONNECT_TIMEOUT_MS = 5000;

/** The same error code as for a kernel timeout, so that it is handled like one. */
class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";
}

/**
 * Runs `start` with a function that registers the socket to destroy on timeout. The limit ends once connected; a
 * signal passed to `net.connect` would later kill the established socket.
 */
export const withinConnectTimeout = <A>(start: (guardSocket: (socket: Socket) => void) => Promise<A>) => {
  const timeout = new ConnectTimeout("The connection took too long");
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let pending: Socket | null = null;
  const timer = setTimeout(() => {
    pending?.destroy(timeout);
    reject(timeout);
  }, CONNECT_TIMEOUT_MS);
  return Promise.race([start((socket) => (pending = socket)), expired]).finally(() => clearTimeout(timer));
};

export const connectSocket = (options: TcpNetConnectOpts): Promise<Socket> =>
  withinConnectTimeout(
    (guardSocket) =>
      new Promise((resolve, reject) => {
        const socket = connect({ noDelay: true, ...options });
        guardSocket(socket);
        socket.once("error", reject);
        socket.once("connect", () => {
          socket.off("error", reject);
          resolve(socket);
        });
      })
  );
