/**
 * Converts any web image to a plain JPEG without metadata, in a separate process, account by account in turn.
 */
import { availableParallelism } from "node:os";
import * as Effect from "effect/Effect";
import { identity } from "effect/Function";
import * as Schema from "effect/Schema";
import { type PackageMissing, requirePackage } from "../../runtime/OptionalPackage.ts";
import { makeFairPermits } from "../../runtime/FairPermits.ts";
import { keepFile } from "../process/RunFiles.ts";
import type { RunFolder } from "../process/RunFolder.ts";
import { firstPicture, isHeavy, isHeic, isRaster } from "./PictureFormat.ts";
import { convertPicture, type PictureOwner } from "./PictureProcess.ts";
import { isLarge } from "./PictureSize.ts";

export class NotAnImage extends Schema.TaggedError<NotAnImage>()("NotAnImage", { message: Schema.String }) {}

/** Above this an image is a decompression bomb: 8K has 33 million. */
const PIXELS_MAX = 64_000_000;

/** Longer sides are scaled down: no reader of slides, human or model, uses more. */
const SIDE_MAX_PIXELS = 4_096;

const JPEG_QUALITY = 88;

/**
 * Time limit of one conversion including the start of its process; the largest images in the slowest formats
 * take about 4 s of CPU time.
 */
const CONVERSION_TIMEOUT_SECONDS = 30;

/** Time limit in the background, where a busy machine leaves little CPU time. */
const BACKGROUND_TIMEOUT_SECONDS = 120;

/**
 * Concurrent conversions per server process, at most half of them for one account: each has a process and a
 * processor, and its memory is limited only by the largest image.
 */
export const CONVERSIONS_AT_ONCE_MAX = Math.min(4, Math.max(3, availableParallelism()));

const conversions = makeFairPermits(CONVERSIONS_AT_ONCE_MAX);

/**
 * Images that take long, or up to a gigabyte: one for an account, and at least one process is left for the others,
 * however many accounts have such images.
 */
const expensiveConversions = makeFairPermits(2);

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

/** Waits for the account's turn. Interruption ends the conversion at once. */
export const makeJpeg = Effect.fn("Images.makeJpeg")(function* (
  owner: PictureOwner,
  bytes: Uint8Array,
  { sideMaxPixels, quality }: JpegSize
): Effect.fn.Return<Uint8Array, NotAnImage | PackageMissing> {
  const { accountId } = owner;
  if (!isRaster(bytes)) return yield* NOT_READ;
  yield* requireDecoders(bytes);
  const first = firstPicture(bytes);
  const task = { bytes: first, heic: isHeic(first), pixelsMax: PIXELS_MAX, sideMaxPixels, quality };
  const large = isLarge(first);
  const converted = convertPicture(owner, task, large).pipe(
    Effect.timeoutOrElse({
      duration: `${large ? BACKGROUND_TIMEOUT_SECONDS : CONVERSION_TIMEOUT_SECONDS} seconds`,
      orElse: () => Effect.succeed(null)
    }),
    conversions.withPermit(accountId),
    large || isHeavy(first) ? expensiveConversions.withPermit(accountId) : identity
  );
  return (yield* converted) ?? (yield* NOT_READ);
});

/** Writes the JPEG to the run's own folder and returns its size in bytes. */
export const writeJpeg = (
  owner: PictureOwner,
  bytes: Uint8Array,
  run: RunFolder,
  name: string
): Effect.Effect<number, NotAnImage | PackageMissing> =>
  makeJpeg(owner, bytes, { sideMaxPixels: SIDE_MAX_PIXELS, quality: JPEG_QUALITY }).pipe(
    Effect.flatMap((jpeg) => keepFile(run, name, jpeg)),
    Effect.map(({ sizeBytes }) => sizeBytes)
  );
