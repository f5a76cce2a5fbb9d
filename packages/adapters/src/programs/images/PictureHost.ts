/**
 * Entry point of a process that converts images to JPEG, one at a time. It confines exploited decoders, and its exit
 * returns the memory that decoders hold. Does not load Effect, so that it starts fast. Tests: pictures.test.ts.
 */
import type { Sharp } from "sharp";
import { NO_BYTES } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";

/** Sent with the bytes of the image. */
export interface PictureSettings {
  readonly heic: boolean;
  readonly pixelsMax: number;
  /** Maximum side length; smaller images are not enlarged. */
  readonly sideMaxPixels: number;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
  /** Time limit of sharp, from the first byte that it decodes. */
  readonly timeoutSeconds: number;
}

interface PictureTask extends PictureSettings {
  readonly bytes: Uint8Array;
}

interface Encoded {
  readonly width: number;
  readonly height: number;
  readonly decode: () => Promise<{
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
  }>;
}

/** sharp's libvips has no decoder for HEIC; libheif, compiled to WebAssembly, has one. */
const openHeic = async ({ bytes, pixelsMax }: PictureTask): Promise<Sharp> => {
  const [{ default: decoder }, { default: sharp }] = await Promise.all([
    import("heic-decode"),
    import("sharp")
  ]);
  // The published types lack the sizes, which are available before anything is decoded.
  const pictures = (await decoder.all({ buffer: bytes })) as unknown as ReadonlyArray<Encoded>;
  const [first] = pictures;
  if (first === undefined || first.width * first.height > pixelsMax) throw new Error("too many pixels");
  const { data, width, height } = await first.decode();
  return sharp(new Uint8Array(data.buffer), { raw: { width, height, channels: 4 } });
};

const open = async (task: PictureTask): Promise<Sharp> => {
  if (task.heic) return openHeic(task);
  const { default: sharp } = await import("sharp");
  // One libvips thread: each further one has its own buffers.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp(task.bytes, { limitInputPixels: task.pixelsMax, failOn: "error" }).autoOrient();
};

/**
 * Optimized tables make a JPEG a tenth smaller, but need all coefficients of the image at once: of larger images than
 * this, 50 MB and more.
 */
const OPTIMISED_PIXELS_MAX = 16_000_000;

/** Decoders of JPEG and WebP decode at the required size (libvips' shrink-on-load). */
const convert = async (task: PictureTask): Promise<Uint8Array> => {
  const { sideMaxPixels, quality, timeoutSeconds } = task;
  const picture = await open(task);
  const { height, width } = await picture.metadata();
  return picture
    .timeout({ seconds: timeoutSeconds })
    .resize({ width: sideMaxPixels, height: sideMaxPixels, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality, mozjpeg: false, optimiseCoding: width * height <= OPTIMISED_PIXELS_MAX })
    .toBuffer();
};

// Without bytes if the image could not be read.
serveTasks(async ({ bytes, header }) => ({
  header: {},
  bytes: await convert({ ...(header as PictureSettings), bytes }).catch(() => NO_BYTES)
}));
