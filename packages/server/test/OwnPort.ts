/**
 * A port that stays free for the test while nothing listens on it: it is below the range from which systems
 * assign ephemeral ports (Linux from 32768, others from 49152).
 */
import { createServer } from "node:net";

const FIRST = 12_000;
/** Per process. Processes that run at the same time have similar ids, and so separate ranges. */
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
