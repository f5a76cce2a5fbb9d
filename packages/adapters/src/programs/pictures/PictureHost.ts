/**
 * Entry of a process that turns pictures into JPEG, one at a time: what strangers make decoders do, and what
 * decoders keep of memory, ends with it. Knows no Effect, so that it starts fast.
 */
import type { Sharp } from "sharp";

export interface PictureTask {
  readonly bytes: Uint8Array;
  readonly heic: boolean;
  readonly pixelsMax: number;
  /** The longest side; smaller pictures stay as they are. */
  readonly sideMaxPixels: number;
  /** Of JPEG, 1 to 100. */
  readonly quality: number;
}

export interface PictureAnswer {
  /** Null: it could not be read. */
  readonly jpeg: Uint8Array | null;
  /** Of this process, afterwards. */
  readonly residentBytes: number;
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

/** libvips of sharp has no decoder for HEIC; libheif, compiled to WebAssembly, has one. */
const openHeic = async ({ bytes, pixelsMax }: PictureTask): Promise<Sharp> => {
  const [{ default: decoder }, { default: sharp }] = await Promise.all([
    import("heic-decode"),
    import("sharp")
  ]);
  // The published types know nothing of the sizes, which are there before anything is decoded.
  const pictures = (await decoder.all({ buffer: bytes })) as unknown as ReadonlyArray<Encoded>;
  const [first] = pictures;
  if (first === undefined || first.width * first.height > pixelsMax) throw new Error("too many pixels");
  const { data, width, height } = await first.decode();
  return sharp(new Uint8Array(data.buffer), { raw: { width, height, channels: 4 } });
};

const open = async (task: PictureTask): Promise<Sharp> => {
  if (task.heic) return openHeic(task);
  const { default: sharp } = await import("sharp");
  // One thread of libvips: others would each have buffers of their own.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp(task.bytes, { limitInputPixels: task.pixelsMax, failOn: "error" }).autoOrient();
};

/** Decoders of JPEG and WebP decode at the size that is needed (libvips' shrink-on-load). */
const convert = async (task: PictureTask): Promise<Uint8Array> => {
  const { sideMaxPixels, quality } = task;
  const picture = await open(task);
  return picture
    .resize({ width: sideMaxPixels, height: sideMaxPixels, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality, mozjpeg: false })
    .toBuffer();
};

const answer = async (task: PictureTask): Promise<void> => {
  const jpeg = await convert(task).catch(() => null);
  process.send?.({ jpeg, residentBytes: process.memoryUsage.rss() } satisfies PictureAnswer);
};

process.on("message", (task: PictureTask) => void answer(task));
// Whoever asked is gone.
process.once("disconnect", () => process.exit(0));
