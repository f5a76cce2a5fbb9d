/**
 * The live heap of a Node process after a collection, through its inspector, which a signal opens. The memory that the
 * system reports differs, because V8 reserves room to grow.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { ServerProcess } from "../test/ServerProcess.ts";

/** For NODE_OPTIONS of the process; a free port, because there may be several. */
export const INSPECTOR_OPTIONS = "--inspect-port=127.0.0.1:0";

const ADDRESS = /Debugger listening on (ws:\S+)/u;
const LOOK_MS = 50;
const BYTES_PER_MB = 2 ** 20;

const inspectorOf = async (server: ServerProcess): Promise<string> => {
  if (!ADDRESS.test(server.stderr())) process.kill(server.pid, "SIGUSR1");
  for (;;) {
    const address = ADDRESS.exec(server.stderr())?.[1];
    if (address !== undefined) return address;
    await wait(LOOK_MS);
  }
};

/** Megabytes of its main thread; collects twice, since finalisers free more. */
export const liveHeapMb = async (server: ServerProcess): Promise<number> => {
  const socket = new WebSocket(await inspectorOf(server));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const ask = (id: number, method: string) =>
    new Promise<{ readonly usedSize?: number }>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result: { usedSize?: number } };
        if (answer.id === id) resolve(answer.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await ask(1, "HeapProfiler.collectGarbage");
  await ask(2, "HeapProfiler.collectGarbage");
  const { usedSize = 0 } = await ask(3, "Runtime.getHeapUsage");
  socket.close();
  return Math.round(usedSize / BYTES_PER_MB);
};
