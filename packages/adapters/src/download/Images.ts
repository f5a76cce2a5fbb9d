/**
 * Turns any image of the web into a plain JPEG without metadata. sharp is loaded at the first image.
 */
import { writeFile } from "node:fs/promises";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Semaphore from "effect/Semaphore";
import type { Sharp } from "sharp";
import { decodeHeic, isHeic } from "./heic/decodeHeic.ts";

export class NotAnImage extends Schema.TaggedError<NotAnImage>()("NotAnImage", { message: Schema.String }) {}

/** Above this an image is a decompression bomb: 8K has 33 million. */
const PIXELS_MAX = 64_000_000;

/** Longer sides are scaled down: no reader of slides, human or model, uses more. */
const SIDE_MAX_PIXELS = 4_096;

const JPEG_QUALITY = 88;

/**
 * Images converted at once in this process: each keeps one of the four threads on which Node also reads files
 * and resolves names, some of them for seconds.
 */
const CONVERSIONS_AT_ONCE_MAX = 2;

/** One conversion; the largest images in the slowest formats take about 4 s of a processor. */
const CONVERSION_TIMEOUT_SECONDS = 30;

const conversions = Semaphore.makeUnsafe(CONVERSIONS_AT_ONCE_MAX);

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/**
 * Whether the bytes begin like a raster format. Others are never given to the decoder: SVG and PDF are
 * programs rather than pictures.
 */
const isRaster = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xd8) ||
  ascii(bytes, 1, 4) === "PNG" ||
  ascii(bytes, 0, 4) === "GIF8" ||
  (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") ||
  (ascii(bytes, 4, 8) === "ftyp" && /^(?:avif|avis|mif1)$/u.test(ascii(bytes, 8, 12))) ||
  isHeic(bytes);

/** The longest side in pixels; smaller pictures stay as they are. Quality is JPEG's, 1 to 100. */
export interface JpegSize {
  readonly sideMaxPixels: number;
  readonly quality: number;
}

const NOT_READ = new NotAnImage({ message: "The image could not be read." });

/** The decoded picture as sharp takes it: from HEIC its pixels, else the file itself. */
const open = Effect.fnUntraced(function* (bytes: Uint8Array): Effect.fn.Return<Sharp, NotAnImage> {
  if (!isRaster(bytes)) return yield* NOT_READ;
  const { default: sharp } = yield* Effect.promise(() => import("sharp"));
  const limits = { limitInputPixels: PIXELS_MAX, failOn: "error" } as const;
  if (!isHeic(bytes)) return sharp(bytes, limits).autoOrient();
  const { data, width, height } = yield* Effect.mapError(decodeHeic(bytes, PIXELS_MAX), () => NOT_READ);
  return sharp(data, { ...limits, raw: { width, height, channels: 4 } });
});

export const makeJpeg = (
  bytes: Uint8Array,
  { sideMaxPixels, quality }: JpegSize
): Effect.Effect<Uint8Array, NotAnImage> =>
  open(bytes).pipe(
    Effect.flatMap((picture) =>
      Effect.tryPromise({
        try: () =>
          picture
            .resize({ width: sideMaxPixels, height: sideMaxPixels, fit: "inside", withoutEnlargement: true })
            .flatten({ background: "#ffffff" })
            .jpeg({ quality, mozjpeg: false })
            .timeout({ seconds: CONVERSION_TIMEOUT_SECONDS })
            .toBuffer(),
        catch: () => NOT_READ
      }).pipe(
        // What has begun cannot be stopped, and keeps its thread to its end.
        Effect.uninterruptible
      )
    ),
    Semaphore.withPermit(conversions)
  );

/** Writes the JPEG and answers its size in bytes. */
export const writeJpeg = (bytes: Uint8Array, path: string): Effect.Effect<number, NotAnImage> =>
  makeJpeg(bytes, { sideMaxPixels: SIDE_MAX_PIXELS, quality: JPEG_QUALITY }).pipe(
    Effect.flatMap((jpeg) =>
      Effect.tryPromise({
        try: async () => {
          await writeFile(path, jpeg, { mode: 0o600 });
          return jpeg.length;
        },
        catch: () => new NotAnImage({ message: "The image could not be written." })
      })
    )
  );
