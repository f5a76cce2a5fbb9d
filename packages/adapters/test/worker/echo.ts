/** A worker that echoes its messages, and may then exit, or fill memory and never respond. */
import { parentPort } from "node:worker_threads";

export interface EchoTask {
  readonly text: string;
  readonly thenEnd: boolean;
  readonly hoards?: boolean;
}

const hoard = (): void => {
  const held: Array<Uint8Array> = [];
  for (;;) if (held.length < 16) held.push(new Uint8Array(16 * 2 ** 20));
};

parentPort?.on("message", ({ text, thenEnd, hoards }: EchoTask) => {
  if (hoards === true) hoard();
  parentPort?.postMessage(text);
  if (thenEnd) setImmediate(() => process.exit(1));
});
parentPort?.postMessage("ready");
