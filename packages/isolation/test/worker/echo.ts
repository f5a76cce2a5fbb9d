/** A worker that echoes its tasks, and may then exit, or fill memory, compute without end, or throw. */
import { jsonFrame, jsonOf } from "../../src/process/Frames.ts";
import { serveTasks } from "../../src/process/serveTasks.ts";

export interface EchoTask {
  readonly text: string;
  readonly then?: "exits" | "fills its heap" | "fills buffers" | "computes" | "throws" | "answers at length";
}

const fill = (more: () => object): never => {
  const held: Array<object> = [];
  for (;;) held.push(more());
};

serveTasks((task) => {
  const { text, then } = jsonOf(task) as EchoTask;
  if (then === "fills its heap") fill(() => Array.from({ length: 10_000 }, (_, at) => ({ at })));
  if (then === "fills buffers") fill(() => Buffer.alloc(16 * 2 ** 20, 1));
  if (then === "computes") for (;;) Math.random();
  if (then === "throws") throw new Error(text);
  if (then === "answers at length") return jsonFrame({ text: text.repeat(1_000_000) });
  if (then === "exits") setImmediate(() => process.exit(1));
  return jsonFrame({ text, pid: process.pid });
});
