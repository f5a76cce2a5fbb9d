/**
 * The worker process's side: answers one task after another until its input ends. Does not use Effect, so that the
 * process starts fast.
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
 * The first frame says that the process is ready. A task that throws ends the process, since libraries may be left
 * in any state.
 */
export const serveTasks = (answerTo: (task: Frame) => Frame | Promise<Frame>): void => {
  dieFirst();
  // Standard output carries the answers; libraries report malformed documents on the console.
  globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.once("uncaughtException", (error) =>
    process.exit(error instanceof RangeError ? TOO_LARGE_EXIT_CODE : 1)
  );
  const answer = async (task: Frame): Promise<void> => writeFrame(process.stdout, await answerTo(task));
  readFrames(process.stdin, TASK_BYTES_MAX, (task) => void answer(task));
  // The server has exited or sent an invalid frame.
  process.stdin.once("close", () => process.exit(0));
  writeFrame(process.stdout, { header: {}, bytes: NO_BYTES });
};
