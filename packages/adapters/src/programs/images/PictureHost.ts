/**
 * Entry point of a process that converts images to JPEG, one at a time. It confines exploited decoders, and its exit
 * returns the memory that decoders hold. Does not load Effect, so that it starts fast.
 */
import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import type { Sharp } from "sharp";
import { NO_BYTES } from "../worker/Frames.ts";
import { serveTasks } from "../worker/serveTasks.ts";
import { BACKGROUND, type PictureOutcome, type PictureSettings, type PictureTask } from "./PictureTask.ts";

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

const isBackground = process.argv[2] === BACKGROUND;

const open = async (task: PictureTask): Promise<Sharp> => {
  if (task.heic) return openHeic(task);
  const { default: sharp } = await import("sharp");
  // One libvips thread: each further one has its own buffers.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp(task.bytes, { limitInputPixels: task.pixelsMax, failOn: "error" }).autoOrient();
};

/** Decoders of JPEG and WebP decode at the required size (libvips' shrink-on-load). */
const convert = async (task: PictureTask): Promise<Uint8Array> => {
  const { sideMaxPixels, quality } = task;
  const picture = await open(task);
  return (
    picture
      .resize({ width: sideMaxPixels, height: sideMaxPixels, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      // Optimized tables need all coefficients of the image at once, 50 MB and more; with the standard ones, the JPEG
      // is a tenth larger.
      .jpeg({ quality, mozjpeg: false, optimiseCoding: !isBackground })
      .toBuffer()
  );
};

/**
 * Gives the process a third of the processor time of others: with much less, a busy machine would not finish an image
 * for minutes.
 */
const BACKGROUND_NICE = 5;

/**
 * Lowers the priority of a background process. If Linux distributes processor time by session (autogroup), nice
 * values only count within a session, so the session gets a lower priority too; concurrent changes of it fail.
 */
const lowerPriority = (): void => {
  // The server itself may run with a lower priority, and only root may raise it again.
  setPriority(Math.max(BACKGROUND_NICE, getPriority()));
  try {
    writeFileSync("/proc/self/autogroup", String(BACKGROUND_NICE));
  } catch {
    // Retried with the next image; a kernel without autogroup has no such file.
  }
};

// Before any thread is created, because threads inherit the priority.
if (isBackground) lowerPriority();

serveTasks(async ({ bytes, header }) => {
  if (isBackground) lowerPriority();
  const jpeg = await convert({ ...(header as PictureSettings), bytes }).catch(() => NO_BYTES);
  return { header: { residentBytes: process.memoryUsage.rss() } satisfies PictureOutcome, bytes: jpeg };
});
