/**
 * A port that remains the test's while nothing listens on it: the system does not assign these ports, neither on
 * request nor to connections (Linux begins at 32768, others at 49152).
 */
import { createServer } from "node:net";

const FIRST = 12_000;
/** For each process; those of tests that run at once have numbers close to each other. */
const PORTS_EACH = 20;
const PROCESSES = 400;

let taken = 0;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

export const ownPort = async (): Promise<number> => {
  const start = FIRST + (process.pid % PROCESSES) * PORTS_EACH;
  while (taken < PORTS_EACH) {
    const port = start + taken++;
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports from ${start} is free.`);
};
