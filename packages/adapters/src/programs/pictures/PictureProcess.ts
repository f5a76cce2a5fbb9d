/**
 * The processes that convert images: started on demand, kept briefly for reuse, and ended when they are idle or use
 * much memory, so that the memory of the largest images is freed. In the sandbox they have no network and cannot
 * write files.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { endGroup, limited, signalGroup } from "../BoundedProcess.ts";
import { moduleFiles, programFiles } from "../sandbox/programFiles.ts";
import type { Sandbox } from "../sandbox/Sandbox.ts";
import { BACKGROUND, readFrames, writeFrame } from "./PictureFrames.ts";
import type { PictureOutcome, PictureTask } from "./PictureHost.ts";
import { makePicturePauses, type SetPaused } from "./PicturePauses.ts";

/** The same extension as this module: TypeScript in the workspace, JavaScript when built. */
const ENTRY = fileURLToPath(new URL(import.meta.url.replace(/PictureProcess(\.[jt]s)$/u, "PictureHost$1")));

/** JavaScript heap in MB, which does not include pixels. */
const HEAP_MB = 128;

/** Private memory (RLIMIT_DATA): enough for Node and the largest image in the most expensive format. */
const MEMORY_BYTES = 1_280 * 2 ** 20;

/** Larger than the JPEG of any image within the pixel limit. */
const JPEG_BYTES_MAX = 64 * 2 ** 20;

/** The process writes no files. */
const FILE_BYTES_MAX = 0;

/** A process with more resident memory is ended instead of kept. */
const KEPT_BYTES_MAX = 192 * 2 ** 20;

/** Kept this long for the next slide of a post; starting a process takes a quarter of a second. */
const IDLE_MS = 5_000;

/** Maximum idle processes; the one that has been idle longest is ended first. */
const IDLE_MAX = 4;

interface Converter {
  readonly child: ChildProcess;
  readonly isBackground: boolean;
  /** Receives the answer to the current task; answers without a task are ignored. */
  onAnswer: (answer: PictureAnswer | null) => void;
}

interface PictureAnswer extends PictureOutcome {
  readonly jpeg: Uint8Array;
}

/** The account whose images are converted, and its sandbox. */
export interface PictureOwner {
  readonly accountId: string;
  /** Null where programs run without a sandbox. */
  readonly sandbox: Sandbox | null;
}

interface Idle {
  readonly owner: PictureOwner;
  readonly converter: Converter;
  readonly timer: NodeJS.Timeout;
}

const idle: Array<Idle> = [];

const isAlive = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

/** Whether the child and its pipes, which Node implements as sockets, keep this process alive. */
const setHeld = ({ child }: Converter, isHeld: boolean): void => {
  const verb = isHeld ? "ref" : "unref";
  child[verb]();
  (child.stdin as Socket)[verb]();
  (child.stdout as Socket)[verb]();
};

/** Files of Node, this package and the packages it imports; looked up once. */
let files: ReadonlyArray<string> | null = null;

const readableFiles = (): ReadonlyArray<string> =>
  (files ??= [...programFiles(process.execPath), ...moduleFiles(ENTRY, ["sharp", "heic-decode"])]);

const start = (sandbox: Sandbox | null, isBackground: boolean): Converter => {
  const [program = "", ...args] = limited({
    confinement:
      sandbox === null
        ? null
        : { sandbox, folder: dirname(ENTRY), readOnly: true, readable: readableFiles(), proxySocket: null },
    program: process.execPath,
    args: [`--max-old-space-size=${HEAP_MB}`, ENTRY, ...(isBackground ? [BACKGROUND] : [])],
    dataMaxBytes: MEMORY_BYTES,
    fileMaxBytes: FILE_BYTES_MAX
  });
  const child = spawn(program, args, {
    // By default, glibc gives each thread an arena and keeps its memory: every image decoded on another thread would
    // hold another 70 MB.
    env: { PATH: process.env["PATH"] ?? "", MALLOC_ARENA_MAX: "1" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true
  });
  const converter: Converter = { child, isBackground, onAnswer: () => {} };
  const fail = (): void => converter.onAnswer(null);
  child.on("error", fail).on("exit", fail);
  child.stdin.on("error", fail);
  child.stdout.on("error", fail);
  readFrames(child.stdout, JPEG_BYTES_MAX, ({ header, bytes }) => {
    converter.onAnswer({ ...(header as PictureOutcome), jpeg: bytes });
  });
  return converter;
};

/**
 * A process that worked for the same account, or a new one: a compromised decoder sees no other account's
 * images.
 */
const take = ({ accountId, sandbox }: PictureOwner, isBackground: boolean): Converter => {
  const at = idle.findLastIndex(
    ({ converter, owner }) =>
      owner.accountId === accountId &&
      owner.sandbox === sandbox &&
      converter.isBackground === isBackground &&
      isAlive(converter.child)
  );
  const [found] = at < 0 ? [] : idle.splice(at, 1);
  if (found === undefined) return start(sandbox, isBackground);
  clearTimeout(found.timer);
  setHeld(found.converter, true);
  return found.converter;
};

const drop = (entry: Idle): void => {
  const at = idle.indexOf(entry);
  if (at < 0) return;
  idle.splice(at, 1);
  clearTimeout(entry.timer);
  void endGroup(entry.converter.child);
};

/** An idle process does not keep the server alive. */
const keepForReuse = (owner: PictureOwner, converter: Converter): void => {
  const timer = setTimeout(() => drop(entry), IDLE_MS).unref();
  const entry: Idle = { owner, converter, timer };
  setHeld(converter, false);
  idle.push(entry);
  const [oldest] = idle;
  if (idle.length > IDLE_MAX && oldest !== undefined) drop(oldest);
};

const ask = (
  converter: Converter,
  { bytes, ...settings }: PictureTask
): Effect.Effect<PictureAnswer | null> =>
  Effect.callback((resume) => {
    converter.onAnswer = (answer) => {
      converter.onAnswer = () => {};
      resume(Effect.succeed(answer));
    };
    const { child } = converter;
    if (isAlive(child) && child.stdin !== null) writeFrame(child.stdin, settings, bytes);
    else converter.onAnswer(null);
  });

/** Maximum duration of one pause: some fifty small images. */
const PAUSE_MAX_MS = 2_000;

const pauses = makePicturePauses(PAUSE_MAX_MS);

interface Used {
  readonly converter: Converter;
  readonly setPaused: SetPaused;
  isToKeep: boolean;
}

const begin = (owner: PictureOwner, isBackground: boolean): Used => {
  const converter = take(owner, isBackground);
  const setPaused: SetPaused = (isPaused) => {
    const { child } = converter;
    if (isAlive(child) && child.pid !== undefined) signalGroup(child.pid, isPaused ? "SIGSTOP" : "SIGCONT");
  };
  if (isBackground) pauses.largeBegins(setPaused);
  else pauses.smallBegins();
  return { converter, setPaused, isToKeep: false };
};

const end = (owner: PictureOwner, { converter, isToKeep, setPaused }: Used): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (converter.isBackground) pauses.largeEnds(setPaused);
    else pauses.smallEnds();
    return isToKeep
      ? Effect.sync(() => keepForReuse(owner, converter))
      : Effect.promise(() => endGroup(converter.child));
  });

/**
 * Null if the image could not be read or its process ended. Interruption ends the process at once. A background
 * conversion has a lower priority and is paused for others.
 */
export const convertPicture = (
  owner: PictureOwner,
  task: PictureTask,
  isBackground = false
): Effect.Effect<Uint8Array | null> =>
  Effect.acquireUseRelease(
    Effect.sync(() => begin(owner, isBackground)),
    (used) =>
      Effect.map(ask(used.converter, task), (answer) => {
        used.isToKeep = answer !== null && answer.residentBytes <= KEPT_BYTES_MAX;
        return answer === null || answer.jpeg.length === 0 ? null : answer.jpeg;
      }),
    (used) => end(owner, used)
  );
