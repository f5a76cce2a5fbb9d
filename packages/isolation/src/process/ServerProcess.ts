/**
 * The server kind of child process: it starts, says that it is ready, and answers requests until it ends, many at a
 * time. (`BoundedProcess` is the other kind: it runs a program once.)
 *
 * Headers of messages say what they are. From the process, `ready` is the first; then `id` names the request that a
 * message answers or, with `progress`, reports on. To the process, `id` names a new request, and `cancel` one to end,
 * which is answered too. It has its own process group, which ends with it; on Linux it dies with this process, if
 * its command says so (`limited`).
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import * as Data from "effect/Data";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { endGroup, lineSplitter, OUTPUT_AFTER_EXIT_MS, signalGroup } from "./BoundedProcess.ts";
import { type Frame, NO_BYTES, readFrames, writeFrame } from "./Frames.ts";
import { readJson } from "./ProgramOutput.ts";

/** Only the end of standard error is kept, which contains the reason. */
const STDERR_MAX_CHARS = 8_192;

/** How messages are written to the pipes. */
export interface Channel {
  readonly write: (to: Writable, message: Frame) => void;
  /** Destroys the stream with an error if a message exceeds a limit. */
  readonly read: (from: Readable, onMessage: (message: Frame) => void) => void;
}

/** With their lengths, so that they may carry bytes. */
export const frames = (bytesMax: number): Channel => ({
  write: writeFrame,
  read: (from, onMessage) => readFrames(from, bytesMax, onMessage)
});

/** A line of JSON each, without bytes. Other output is skipped, because libraries may print anything. */
export const jsonLines: Channel = {
  write: (to, { header }) => void to.write(`${JSON.stringify(header)}\n`),
  read: (from, onMessage) => {
    const lines = lineSplitter((line) => {
      const header = readJson(line);
      if (isJsonObject(header)) onMessage({ header, bytes: NO_BYTES });
    });
    from.setEncoding("utf8").on("data", lines.push);
  }
};

/** It ended by itself or was ended, or never became ready, or sent more than it may and is being ended. */
export class ServerEnded extends Data.TaggedError("ServerEnded")<{
  readonly reason: "not_started" | "answer_too_large" | "exited";
  /** Null if a signal ended it, or it has not ended yet. */
  readonly exitCode: number | null;
  /** The end of its standard error, for the log. */
  readonly message: string;
}> {}

export interface ServerOptions {
  /** With its limits and its sandbox, outermost first. */
  readonly command: ReadonlyArray<string>;
  readonly folder?: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly channel: Channel;
  /** Time limit until it is ready. */
  readonly startTimeoutMs: number;
  /** A process that has not ended a cancelled request by then hangs and is ended; 0 for one that cannot cancel. */
  readonly cancelTimeoutMs: number;
}

export interface ServerProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly alive: () => boolean;
  /** The message with which it became ready. */
  readonly ready: Effect.Effect<Frame, ServerEnded>;
  /** May be called before it is ready. After an interruption, the request has ended before this returns. */
  readonly ask: (
    request: Frame,
    onProgress?: (progress: unknown) => void
  ) => Effect.Effect<Frame, ServerEnded>;
  /** Whether it keeps this process alive. */
  readonly setHeld: (isHeld: boolean) => void;
  /** Ends it and its group. */
  readonly end: Effect.Effect<void>;
}

interface Pending {
  readonly settle: (answer: Effect.Effect<Frame, ServerEnded>) => void;
  readonly onProgress: (progress: unknown) => void;
}

/** The requests in flight, by id. `hang`: called if a cancelled one is not answered in time. */
const makeRequests = (send: (message: Frame) => void, cancelTimeoutMs: number, hang: () => void) => {
  const pending = new Map<number, Pending>();
  let asked = 0;
  let ended: ServerEnded | null = null;
  const ask: ServerProcess["ask"] = (request, onProgress = () => {}) =>
    Effect.callback((resume) => {
      if (ended !== null) return resume(Effect.fail(ended));
      const id = ++asked;
      const answered = Promise.withResolvers<void>();
      const settle: Pending["settle"] = (answer) => {
        answered.resolve();
        resume(answer);
      };
      pending.set(id, { settle, onProgress });
      send({ header: { ...request.header, id }, bytes: request.bytes });
      return Effect.promise(() => {
        if (pending.has(id)) send({ header: { cancel: id }, bytes: NO_BYTES });
        const timer = setTimeout(hang, cancelTimeoutMs);
        return answered.promise.then(() => clearTimeout(timer));
      });
    });
  return {
    ask,
    receive: (message: Frame): void => {
      const { id, progress } = message.header as { readonly id?: number; readonly progress?: unknown };
      const request = id === undefined ? undefined : pending.get(id);
      if (id === undefined || request === undefined) return;
      if (progress !== undefined) return request.onProgress(progress);
      pending.delete(id);
      request.settle(Effect.succeed(message));
    },
    fail: (reason: ServerEnded): void => {
      ended = reason;
      for (const { settle } of pending.values()) settle(Effect.fail(reason));
      pending.clear();
    }
  };
};

/** A process that left the group may hold the pipes open after the exit. */
const releasePipes = (child: ChildProcessWithoutNullStreams): void => {
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, OUTPUT_AFTER_EXIT_MS).unref();
};

const spawnServer = ({ command, environment, folder }: ServerOptions): ChildProcessWithoutNullStreams => {
  const [program = "", ...args] = command;
  return spawn(program, args, {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...environment },
    detached: true
  });
};

export const startServer = (options: ServerOptions): ServerProcess => {
  const { cancelTimeoutMs, channel, startTimeoutMs } = options;
  const child = spawnServer(options);
  const endChild = (): void => void endGroup(child);
  const requests = makeRequests((message) => channel.write(child.stdin, message), cancelTimeoutMs, endChild);
  const ready = Deferred.makeUnsafe<Frame, ServerEnded>();
  let isReady = false;
  let ended: ServerEnded | null = null;
  let stderr = "";

  const close = (reason: ServerEnded["reason"], exitCode: number | null): void => {
    clearTimeout(starting);
    ended ??= new ServerEnded({ reason, exitCode, message: stderr });
    Deferred.doneUnsafe(ready, Effect.fail(ended));
    requests.fail(ended);
  };
  const starting = setTimeout(() => {
    close("not_started", null);
    endChild();
  }, startTimeoutMs);

  channel.read(child.stdout, (message) => {
    if (!("ready" in message.header)) return requests.receive(message);
    isReady = true;
    clearTimeout(starting);
    Deferred.doneUnsafe(ready, Effect.succeed(message));
  });
  child.stdout.on("error", () => {
    close("answer_too_large", null);
    endChild();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_MAX_CHARS);
  });
  child.stdin.on("error", () => {}); // a broken pipe also ends the process; its exit is handled
  child.once("error", () => close("not_started", null));
  child.once("exit", () => releasePipes(child));
  // Only then is all that it wrote read.
  child.once("close", (exitCode) => close(isReady ? "exited" : "not_started", exitCode));

  return {
    pid: child.pid,
    alive: () => ended === null && child.exitCode === null && child.signalCode === null,
    ready: Deferred.await(ready),
    ask: requests.ask,
    setHeld: (isHeld) => {
      // Node implements pipes as sockets.
      const held = [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket];
      for (const each of held) each[isHeld ? "ref" : "unref"]();
    },
    end: Effect.promise(() => {
      clearTimeout(starting);
      return endGroup(child);
    })
  };
};
