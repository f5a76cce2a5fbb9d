/**
 * The side of a process that is started as a server and speaks in frames (`ServerProcess`): answers tasks until its
 * input ends. Does not use Effect, so that the process starts fast. Tests: WorkerPool.test.ts.
 */
import { Console } from "node:console";
import { writeFileSync } from "node:fs";
import { Writable } from "node:stream";
import { type Frame, NO_BYTES, readFrames, TOO_LARGE_EXIT_CODE, writeFrame } from "./Frames.ts";

/** Larger than any body that may be read over the network; a larger frame ends the process. */
const TASK_BYTES_MAX = 256 * 2 ** 20;

/** If the machine runs out of memory, Linux ends this process and not the server. */
const dieFirst = (): void => {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Another system, or one that does not allow it.
  }
};

/**
 * `ready`: what is said of this process with the first frame. A task that throws ends the process, since libraries may
 * be left in any state. A cancelled task is answered too, with anything, once it has ended.
 */
export const serveTasks = (
  answerTo: (task: Frame, cancelled: AbortSignal) => Frame | Promise<Frame>,
  ready: object = {}
): void => {
  dieFirst();
  // Standard output carries the answers; libraries report malformed documents on the console.
  globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.once("uncaughtException", (error) =>
    process.exit(error instanceof RangeError ? TOO_LARGE_EXIT_CODE : 1)
  );
  const running = new Map<number, AbortController>();
  const answer = async (id: number, task: Frame): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    const { header, bytes } = await answerTo(task, controller.signal);
    running.delete(id);
    writeFrame(process.stdout, { header: { ...header, id }, bytes });
  };
  readFrames(process.stdin, TASK_BYTES_MAX, (frame) => {
    const { cancel, id = 0 } = frame.header as { readonly cancel?: number; readonly id?: number };
    if (cancel === undefined) void answer(id, frame);
    else running.get(cancel)?.abort();
  });
  // The server has exited or sent an invalid frame.
  process.stdin.once("close", () => process.exit(0));
  writeFrame(process.stdout, { header: { ready }, bytes: NO_BYTES });
};
