/**
 * The processes that convert pictures: started when needed, kept for a moment, ended when they are idle or large,
 * so that the memory of the largest pictures comes back.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { endGroup, limited } from "../BoundedProcess.ts";
import type { PictureAnswer, PictureTask } from "./PictureHost.ts";

/** The same extension as this module: TypeScript in the workspace, JavaScript when built. */
const ENTRY = fileURLToPath(new URL(import.meta.url.replace(/PictureProcess(\.[jt]s)$/u, "PictureHost$1")));

/** JavaScript heap in MB: pixels lie outside of it. */
const HEAP_MB = 128;

/** Private memory (RLIMIT_DATA): what the largest picture in the heaviest format takes, and Node itself. */
const MEMORY_BYTES = 1_280 * 2 ** 20;

/** It writes no file. */
const FILE_BYTES_MAX = 0;

/** One that has grown beyond this is ended instead of kept. */
const KEPT_BYTES_MAX = 192 * 2 ** 20;

/** For the next slide of a post; a start takes a quarter of a second. */
const IDLE_MS = 5_000;

/** Idle ones at once: the longest idle one goes first. */
const IDLE_MAX = 4;

interface Idle {
  readonly accountId: string;
  readonly child: ChildProcess;
  readonly timer: NodeJS.Timeout;
}

const idle: Array<Idle> = [];

const start = (): ChildProcess => {
  const [program = "", ...args] = limited({
    program: process.execPath,
    args: [`--max-old-space-size=${HEAP_MB}`, ENTRY],
    dataMaxBytes: MEMORY_BYTES,
    fileMaxBytes: FILE_BYTES_MAX
  });
  const child = spawn(program, args, {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    detached: true
  });
  child.on("error", () => {});
  return child;
};

/** One that worked for the same account, or a new one: a decoder that was got at meets nobody else's pictures. */
const take = (accountId: string): ChildProcess => {
  const at = idle.findLastIndex((each) => each.accountId === accountId && each.child.connected);
  const [found] = at < 0 ? [] : idle.splice(at, 1);
  if (found === undefined) return start();
  clearTimeout(found.timer);
  return found.child;
};

const drop = (entry: Idle): void => {
  const at = idle.indexOf(entry);
  if (at < 0) return;
  idle.splice(at, 1);
  clearTimeout(entry.timer);
  void endGroup(entry.child);
};

/** An idle one keeps nobody alive. */
const keep = (accountId: string, child: ChildProcess): void => {
  const timer = setTimeout(() => drop(entry), IDLE_MS).unref();
  const entry: Idle = { accountId, child, timer };
  child.unref();
  child.channel?.unref();
  idle.push(entry);
  const [oldest] = idle;
  if (idle.length > IDLE_MAX && oldest !== undefined) drop(oldest);
};

const ask = (child: ChildProcess, task: PictureTask): Effect.Effect<PictureAnswer | null> =>
  Effect.callback((resume) => {
    const stop = (answer: PictureAnswer | null): void => {
      child.off("message", hear).off("exit", fail).off("error", fail);
      resume(Effect.succeed(answer));
    };
    const hear = (answer: unknown): void => stop(answer as PictureAnswer);
    const fail = (): void => stop(null);
    child.on("message", hear).on("exit", fail).on("error", fail);
    child.ref();
    child.channel?.ref();
    child.send(task, (error) => (error === null ? undefined : fail()));
  });

/** Null when it could not be read, or its process ended over it. Interruption ends the process at once. */
export const convertPicture = (accountId: string, task: PictureTask): Effect.Effect<Uint8Array | null> =>
  Effect.acquireUseRelease(
    Effect.sync(() => ({ child: take(accountId), isToKeep: false })),
    (used) =>
      Effect.map(ask(used.child, task), (answer) => {
        used.isToKeep = answer !== null && answer.residentBytes <= KEPT_BYTES_MAX;
        return answer?.jpeg ?? null;
      }),
    ({ child, isToKeep }) =>
      isToKeep ? Effect.sync(() => keep(accountId, child)) : Effect.promise(() => endGroup(child))
  );
