/**
 * Reads the size of an image from its header, without a decoder. Only an estimate of the work, because a hostile file
 * may state a wrong size. Pure.
 */
import { isHeavy } from "./PictureFormat.ts";

const SIGNATURE_JPEG = 0xff_d8;

/** Bytes beyond the end are zero. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;
const big16 = (bytes: Uint8Array, at: number): number => byteAt(bytes, at) * 256 + byteAt(bytes, at + 1);
const big32 = (bytes: Uint8Array, at: number): number => big16(bytes, at) * 65_536 + big16(bytes, at + 2);
const little16 = (bytes: Uint8Array, at: number): number => byteAt(bytes, at) + byteAt(bytes, at + 1) * 256;
const little24 = (bytes: Uint8Array, at: number): number =>
  little16(bytes, at) + byteAt(bytes, at + 2) * 65_536;
const little32 = (bytes: Uint8Array, at: number): number =>
  little16(bytes, at) + little16(bytes, at + 2) * 65_536;

/** Maximum segments before the frame header; cameras write about ten. */
const SEGMENTS_MAX = 1_000;

/** ITU-T T.81, B.1.1.3: start-of-frame markers are C0 to CF, except for those of tables and of extensions. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const jpegPixels = (bytes: Uint8Array): number => {
  let at = 2;
  for (let n = 0; n < SEGMENTS_MAX && byteAt(bytes, at) === 0xff; n++) {
    const marker = byteAt(bytes, at + 1);
    if (isFrameHeader(marker)) return big16(bytes, at + 5) * big16(bytes, at + 7);
    at += marker === 0xff ? 1 : 2 + big16(bytes, at + 2);
  }
  return 0;
};

/** RFC 9649, sections 2.4 to 2.7: extended, lossy or lossless. */
const webpPixels = (bytes: Uint8Array): number => {
  const chunk = String.fromCharCode(...bytes.subarray(12, 16));
  if (chunk === "VP8X") return (little24(bytes, 24) + 1) * (little24(bytes, 27) + 1);
  if (chunk === "VP8 ") return (little16(bytes, 26) & 0x3f_ff) * (little16(bytes, 28) & 0x3f_ff);
  const sides = little32(bytes, 21);
  return ((sides & 0x3f_ff) + 1) * (((sides >>> 14) & 0x3f_ff) + 1);
};

const HEIF_HEADER_BYTES_MAX = 64 * 2 ** 10;

/** ISO/IEC 23008-12, section 6.5.3: one `ispe` box per image item; no item is larger than the image. */
const heifPixels = (bytes: Uint8Array): number => {
  const head = Buffer.from(bytes.subarray(0, HEIF_HEADER_BYTES_MAX));
  let pixels = 0;
  for (let at = head.indexOf("ispe"); at >= 0; at = head.indexOf("ispe", at + 4)) {
    pixels = Math.max(pixels, big32(head, at + 8) * big32(head, at + 12));
  }
  return pixels;
};

/** Pixels of the image according to its header; 0 if unknown. */
export const pixelsOf = (bytes: Uint8Array): number => {
  if (big16(bytes, 0) === SIGNATURE_JPEG) return jpegPixels(bytes);
  if (isHeavy(bytes)) return heifPixels(bytes);
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  if (text.startsWith("PNG", 1)) return big32(bytes, 16) * big32(bytes, 20);
  if (text.startsWith("GIF8")) return little16(bytes, 6) * little16(bytes, 8);
  return text.startsWith("RIFF") && text.endsWith("WEBP") ? webpPixels(bytes) : 0;
};

/** A phone's photo has 12 million pixels and takes a third of a second. */
const LARGE_PIXELS = 16_000_000;
/** For AVIF and HEIC, which take several times as long. */
const LARGE_HEAVY_PIXELS = 4_000_000;
const LARGE_BYTES = 8 * 2 ** 20;

/** Whether a conversion may occupy a processor for long; true if the size is unknown. */
export const isLarge = (bytes: Uint8Array): boolean => {
  const pixels = pixelsOf(bytes);
  return (
    bytes.length > LARGE_BYTES ||
    pixels === 0 ||
    pixels > (isHeavy(bytes) ? LARGE_HEAVY_PIXELS : LARGE_PIXELS)
  );
};
