/** Waiting for a socket to connect, for a bounded time. */
import { connect, type Socket, type TcpNetConnectOpts } from "node:net";

/** TCP, and TLS again: a host that is up needs a fraction; 5 s allows for lost packets and their repeats. */
export const CONNECT_TIMEOUT_MS = 5000;

/** `code` as Node has it, so that it maps like a timeout of the kernel. */
export class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";
}

/**
 * Runs `start` with a function that takes the socket to destroy when the time is over. The limit ends with the
 * connection: a signal handed to `net.connect` would go on to kill the established socket.
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
