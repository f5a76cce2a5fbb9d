/**
 * Chooses a port of 127.0.0.1 for the server.
 */
import { createServer } from "node:net";

/** The preferred port if it is free, else another free one. Another program may take it before it is used. */
export const choosePort = async (preferred: number | null): Promise<number> =>
  (preferred === null ? null : await tryPort(preferred)) ?? (await tryPort(0)) ?? Promise.reject(NO_PORT);

const NO_PORT = new Error("no free port on 127.0.0.1");

const tryPort = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });
