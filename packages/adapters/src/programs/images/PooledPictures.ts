/**
 * Converts any web image to JPEG in a small pool of separate processes, account by account in turn. A process is kept
 * briefly for the same account, and ended when it is idle or uses much memory, so that the memory of the largest images is
 * freed. Before you change the pool: bench/picture-shares.ts. Tests: pictures.test.ts.
 */
import { availableParallelism } from "node:os";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { type PackageMissing, requirePackage } from "../../runtime/OptionalPackage.ts";
import { openSandbox, type Sandbox, type SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { makeWorkerPool, type WorkerOptions } from "@winnow/isolation/worker/WorkerPool";
import { firstPicture, isHeic, isRaster } from "./PictureFormat.ts";
import type { PictureSettings } from "./PictureHost.ts";
import { type JpegSize, NotAnImage, Pictures, PIXELS_MAX } from "./Pictures.ts";

/** Time limit of sharp: the largest images in the slowest formats take about 4 s of processor time. */
const SHARP_TIMEOUT_SECONDS = 60;

/** Time limit of one conversion with what sharp does not time, as decoding HEIC. */
const CONVERSION_TIMEOUT_MS = 75_000;

/**
 * Concurrent conversions of a pool, at most half of them for one account: each has a process and a processor, and its
 * memory is limited only by the largest image.
 */
export const CONVERSIONS_AT_ONCE_MAX = Math.min(4, Math.max(3, availableParallelism()));

const PICTURES = {
  entry: "./PictureHost",
  from: import.meta.url,
  packages: ["sharp", "heic-decode"],
  workersMax: CONVERSIONS_AT_ONCE_MAX,
  // Does not include pixels.
  heapMb: 128,
  // Enough for the largest image in the most expensive format, AVIF: libheif holds several copies of its pixels.
  buffersMb: 1_024,
  // Larger than the JPEG of any image within the pixel limit.
  answerBytesMax: 64 * 2 ** 20,
  processorMs: CONVERSION_TIMEOUT_MS,
  wallMs: CONVERSION_TIMEOUT_MS,
  // A compromised decoder sees no other account's images.
  isOfAccount: true,
  // For the next slide of a post; starting a process takes a quarter of a second.
  idleMs: 5_000,
  keptMbMax: 192
};

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

/** `sandbox`: null where programs run without one. */
export const makePictures = Effect.fnUntraced(function* (sandbox: Sandbox | null) {
  const pool = yield* makeWorkerPool({ ...PICTURES, sandbox });
  /** Null if the image could not be read, or its process ended. */
  const convert = (header: PictureSettings, bytes: Uint8Array): Effect.Effect<Uint8Array | null> =>
    pool.run({ header, bytes }).pipe(
      Effect.map((jpeg) => (jpeg.bytes.length === 0 ? null : jpeg.bytes)),
      Effect.orElseSucceed(() => null)
    );
  const makeJpeg: Pictures["Service"]["makeJpeg"] = Effect.fn("Pictures.makeJpeg")(function* (
    bytes: Uint8Array,
    size: JpegSize
  ) {
    if (!isRaster(bytes)) return yield* NOT_READ;
    yield* requireDecoders(bytes);
    const first = firstPicture(bytes);
    const settings = { pixelsMax: PIXELS_MAX, timeoutSeconds: SHARP_TIMEOUT_SECONDS, ...size };
    return (yield* convert({ heic: isHeic(first), ...settings }, first)) ?? (yield* NOT_READ);
  });
  return { convert, makeJpeg };
});

/** Fails if the sandbox is required but does not work. */
export const layerWith = ({ sandbox = "auto" }: WorkerOptions): Layer.Layer<Pictures, SandboxMissing> =>
  Layer.effect(Pictures, Effect.flatMap(openSandbox(sandbox), makePictures));

export const layer: Layer.Layer<Pictures> = Layer.orDie(layerWith({}));
