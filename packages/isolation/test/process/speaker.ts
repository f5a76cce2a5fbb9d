/**
 * A server that does what its requests say, in frames or in lines of JSON. Arguments: the channel, and how it starts.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { jsonFrame } from "../../src/process/Frames.ts";
import { serveTasks } from "../../src/process/serveTasks.ts";

export interface Request {
  readonly say?: string;
  readonly then?: "waits" | "ignores" | "exits" | "answers at length" | "reports";
}

const [, , channel, start] = process.argv;

const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** Resolves once the request is cancelled. */
const cancellation = (cancelled: AbortSignal): Promise<void> =>
  new Promise((resolve) => cancelled.addEventListener("abort", () => resolve()));

const answerTo = async ({ say = "", then }: Request, cancelled: AbortSignal): Promise<object> => {
  if (then === "exits") process.exit(3);
  if (then === "ignores") await new Promise(() => {});
  if (then === "waits") await cancellation(cancelled);
  return { said: then === "answers at length" ? say.repeat(100_000) : say, pid: process.pid };
};

const serveLines = (): void => {
  const running = new Map<number, AbortController>();
  const answer = async (request: Request & { readonly id: number }): Promise<void> => {
    const controller = new AbortController();
    running.set(request.id, controller);
    if (request.then === "reports") write({ id: request.id, progress: { done: 1 } });
    write({ id: request.id, ...(await answerTo(request, controller.signal)) });
  };
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const message = JSON.parse(line) as { readonly cancel?: number; readonly id: number };
      if (message.cancel === undefined) void answer(message);
      else running.get(message.cancel)?.abort();
    })
    .once("close", () => process.exit(0));
  process.stdout.write('null\n5\n"x"\n[]\n{\nlibraries print\n');
  write({ ready: { channel: "lines" } });
};

// It keeps the pipes open, and its process id tells the test whether it lives.
const follower = spawn("/bin/sleep", ["1000"], { stdio: "inherit" });
process.stderr.write(`follower ${follower.pid}\n`);

if (start === "hangs") setInterval(() => {}, 1_000);
else if (start === "fails") process.exit(1);
else if (channel === "lines") serveLines();
else
  serveTasks(async ({ header }, cancelled) => jsonFrame(await answerTo(header as Request, cancelled)), {
    channel: "frames",
    follower: follower.pid
  });
