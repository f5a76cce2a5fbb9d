/**
 * Converts any web image to a plain JPEG without metadata, in a small pool of separate processes, account by account
 * in turn.
 *
 * A process is started on demand, kept briefly for reuse by the same account, and ended when it is idle or uses much
 * memory, so that the memory of the largest images is freed.
 */
import { availableParallelism } from "node:os";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { type PackageMissing, requirePackage } from "../../runtime/OptionalPackage.ts";
import { inTurnOfRun, makeFairPermits } from "@winnow/isolation/runtime/FairPermits";
import { keepFile } from "@winnow/isolation/process/RunFiles";
import type { RunFolder } from "@winnow/isolation/process/RunFolder";
import type { Sandbox } from "@winnow/isolation/sandbox/Sandbox";
import { type Frame, NO_BYTES } from "@winnow/isolation/process/Frames";
import { makeIdleWorkers } from "@winnow/isolation/worker/IdleWorkers";
import { startWorker, type WorkerProcess, type WorkerProgram } from "@winnow/isolation/worker/WorkerProcess";
import { firstPicture, isHeic, isRaster } from "./PictureFormat.ts";
import type { PictureOutcome, PictureSettings } from "./PictureHost.ts";

export class NotAnImage extends Schema.TaggedError<NotAnImage>()("NotAnImage", { message: Schema.String }) {}

/** Above this an image is a decompression bomb: 8K has 33 million. */
const PIXELS_MAX = 64_000_000;

/** Longer sides are scaled down: no reader of slides, human or model, uses more. */
const SIDE_MAX_PIXELS = 4_096;

const JPEG_QUALITY = 88;

/** Time limit of sharp: the largest images in the slowest formats take about 4 s of processor time. */
const SHARP_TIMEOUT_SECONDS = 60;

/** Time limit of one conversion with the start of its process and what sharp does not time, as decoding HEIC. */
const CONVERSION_TIMEOUT_SECONDS = 75;

/**
 * Concurrent conversions per server process, at most half of them for one account: each has a process and a
 * processor, and its memory is limited only by the largest image.
 */
export const CONVERSIONS_AT_ONCE_MAX = Math.min(4, Math.max(3, availableParallelism()));

const inTurn = inTurnOfRun(makeFairPermits(CONVERSIONS_AT_ONCE_MAX));

const PROGRAM: WorkerProgram = {
  entry: "./PictureHost",
  from: import.meta.url,
  packages: ["sharp", "heic-decode"],
  // Does not include pixels.
  heapMb: 128,
  // Enough for the largest image in the most expensive format, AVIF: libheif holds several copies of its pixels.
  buffersMb: 1_024,
  // Larger than the JPEG of any image within the pixel limit.
  answerBytesMax: 64 * 2 ** 20
};

/** A process with more resident memory is ended instead of kept. */
const KEPT_BYTES_MAX = 192 * 2 ** 20;

/** Kept this long for the next slide of a post; starting a process takes a quarter of a second. */
const IDLE_MS = 5_000;

/** Maximum idle processes. */
const IDLE_MAX = 4;

/** The account whose images a process converts, and its sandbox. */
interface PictureOwner {
  readonly accountId: string;
  readonly sandbox: Sandbox | null;
}

const idle = makeIdleWorkers<PictureOwner>({ idleMs: IDLE_MS, idleMax: IDLE_MAX });

/**
 * A process that worked for the same account, or a new one: a compromised decoder sees no other account's
 * images.
 */
const take = ({ accountId, sandbox }: PictureOwner): WorkerProcess =>
  idle.take((other) => other.accountId === accountId && other.sandbox === sandbox) ??
  startWorker(PROGRAM, sandbox);

const EMPTY: Frame = { header: {}, bytes: NO_BYTES };

/**
 * Null if the image could not be read or its process ended. Interruption ends the process at once. `sandbox`: null
 * where programs run without one.
 */
export const convertPicture = (
  sandbox: Sandbox | null,
  bytes: Uint8Array,
  settings: PictureSettings
): Effect.Effect<Uint8Array | null> =>
  Effect.acquireUseRelease(
    Effect.map(CurrentRun, ({ accountId }) => {
      const owner = { accountId, sandbox };
      return { owner, worker: take(owner), isToKeep: false };
    }),
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
    ({ isToKeep, owner, worker }) => (isToKeep ? Effect.sync(() => idle.keep(owner, worker)) : worker.end)
  );

/**
 * Size and quality of a JPEG. `sideMaxPixels`: maximum side length; smaller images are not enlarged. `quality`: 1 to
 * 100.
 */
export interface JpegSize {
  readonly sideMaxPixels: number;
  readonly quality: number;
}

const NOT_READ = new NotAnImage({ message: "The image could not be read." });

/**
 * Both are optional packages; the log tells the operator what is missing, and callers learn that the image is
 * not at fault.
 */
const requireDecoders = (bytes: Uint8Array): Effect.Effect<void, PackageMissing> =>
  requirePackage("sharp").pipe(
    Effect.andThen(isHeic(bytes) ? requirePackage("heic-decode") : Effect.void),
    Effect.tapError(({ message }) => Effect.logWarning(message))
  );

/** Waits for the turn of the run's account. Interruption ends the conversion at once. */
export const makeJpeg = Effect.fn("Images.makeJpeg")(function* (
  sandbox: Sandbox | null,
  bytes: Uint8Array,
  { sideMaxPixels, quality }: JpegSize
): Effect.fn.Return<Uint8Array, NotAnImage | PackageMissing> {
  if (!isRaster(bytes)) return yield* NOT_READ;
  yield* requireDecoders(bytes);
  const first = firstPicture(bytes);
  const converted = convertPicture(sandbox, first, {
    heic: isHeic(first),
    pixelsMax: PIXELS_MAX,
    sideMaxPixels,
    quality,
    timeoutSeconds: SHARP_TIMEOUT_SECONDS
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${CONVERSION_TIMEOUT_SECONDS} seconds`,
      orElse: () => Effect.succeed(null)
    }),
    inTurn
  );
  return (yield* converted) ?? (yield* NOT_READ);
});

/** Writes the JPEG to the run's own folder and returns its size in bytes. */
export const writeJpeg = (
  sandbox: Sandbox | null,
  bytes: Uint8Array,
  run: RunFolder,
  name: string
): Effect.Effect<number, NotAnImage | PackageMissing> =>
  makeJpeg(sandbox, bytes, { sideMaxPixels: SIDE_MAX_PIXELS, quality: JPEG_QUALITY }).pipe(
    Effect.flatMap((jpeg) => keepFile(run, name, jpeg)),
    Effect.map(({ sizeBytes }) => sizeBytes)
  );
