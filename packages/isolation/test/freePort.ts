/** Ports of this machine. */
import { once } from "node:events";
import { createServer } from "node:net";

/** A free port, which another program may take at any time. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { readonly port: number };
  await once(probe.close(), "close");
  return port;
};
