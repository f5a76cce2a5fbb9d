/**
 * The processes that convert images: started on demand, kept briefly for reuse by the same account, and ended when
 * they are idle or use much memory, so that the memory of the largest images is freed.
 */
import * as Effect from "effect/Effect";
import { NO_BYTES, type Frame } from "../worker/Frames.ts";
import { makeIdleWorkers } from "../worker/IdleWorkers.ts";
import { startWorker, type WorkerProcess, type WorkerProgram } from "../worker/WorkerProcess.ts";
import type { Sandbox } from "../sandbox/Sandbox.ts";
import { makePicturePauses } from "./PicturePauses.ts";
import { BACKGROUND, type PictureOutcome, type PictureTask } from "./PictureTask.ts";

const PROGRAM: WorkerProgram = {
  entry: "./PictureHost",
  from: import.meta.url,
  packages: ["sharp", "heic-decode"],
  // Does not include pixels.
  heapMb: 128,
  // Enough for the largest image in the most expensive format.
  buffersMb: 448,
  // Larger than the JPEG of any image within the pixel limit.
  answerBytesMax: 64 * 2 ** 20
};

/** A process with more resident memory is ended instead of kept. */
const KEPT_BYTES_MAX = 192 * 2 ** 20;

/** Kept this long for the next slide of a post; starting a process takes a quarter of a second. */
const IDLE_MS = 5_000;

/** Maximum idle processes. */
const IDLE_MAX = 4;

/** The account whose images are converted, and its sandbox. */
export interface PictureOwner {
  readonly accountId: string;
  /** Null where programs run without a sandbox. */
  readonly sandbox: Sandbox | null;
}

interface Purpose extends PictureOwner {
  readonly isBackground: boolean;
}

const idle = makeIdleWorkers<Purpose>({ idleMs: IDLE_MS, idleMax: IDLE_MAX });

/**
 * A process that worked for the same account, or a new one: a compromised decoder sees no other account's
 * images.
 */
const take = ({ accountId, isBackground, sandbox }: Purpose): WorkerProcess =>
  idle.take(
    (other) =>
      other.accountId === accountId && other.sandbox === sandbox && other.isBackground === isBackground
  ) ?? startWorker({ ...PROGRAM, args: isBackground ? [BACKGROUND] : [] }, sandbox);

/** Maximum duration of one pause: some fifty small images. */
const PAUSE_MAX_MS = 2_000;

const pauses = makePicturePauses(PAUSE_MAX_MS);

interface Used {
  readonly worker: WorkerProcess;
  isToKeep: boolean;
}

const begin = (purpose: Purpose): Used => {
  const worker = take(purpose);
  if (purpose.isBackground) pauses.largeBegins(worker.setPaused);
  else pauses.smallBegins();
  return { worker, isToKeep: false };
};

const end = (purpose: Purpose, { isToKeep, worker }: Used): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (purpose.isBackground) pauses.largeEnds(worker.setPaused);
    else pauses.smallEnds();
    return isToKeep ? Effect.sync(() => idle.keep(purpose, worker)) : worker.end;
  });

const EMPTY: Frame = { header: {}, bytes: NO_BYTES };

/**
 * Null if the image could not be read or its process ended. Interruption ends the process at once. A background
 * conversion has a lower priority and is paused for others.
 */
export const convertPicture = (
  owner: PictureOwner,
  { bytes, ...settings }: PictureTask,
  isBackground = false
): Effect.Effect<Uint8Array | null> => {
  const purpose: Purpose = { accountId: owner.accountId, sandbox: owner.sandbox, isBackground };
  return Effect.acquireUseRelease(
    Effect.sync(() => begin(purpose)),
    (used) =>
      used.worker.ready.pipe(
        Effect.andThen(used.worker.ask({ header: settings, bytes })),
        Effect.tap(({ header }) =>
          Effect.sync(() => {
            used.isToKeep = (header as PictureOutcome).residentBytes <= KEPT_BYTES_MAX;
          })
        ),
        Effect.orElseSucceed(() => EMPTY),
        Effect.map((jpeg) => (jpeg.bytes.length === 0 ? null : jpeg.bytes))
      ),
    (used) => end(purpose, used)
  );
};
