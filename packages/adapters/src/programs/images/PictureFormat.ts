/** Detects images by their first bytes, and cuts off what a conversion does not need. Pure. Tests: pictures.test.ts. */

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const HEIC_BRANDS = /^(?:heic|heix|hevc|hevx)$/u;
const BRANDS_EXAMINED_MAX = 16;

/** ISO/IEC 23008-12, section 10.2: a brand of the `ftyp` box, the major or a compatible one, names HEVC. */
export const isHeic = (bytes: Uint8Array): boolean => {
  const text = ascii(bytes, 0, 8 + 4 * BRANDS_EXAMINED_MAX);
  if (text.slice(4, 8) !== "ftyp") return false;
  const boxBytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const brands = text.slice(8, boxBytes).match(/.{4}/gsu) ?? [];
  return brands.some((brand) => HEIC_BRANDS.test(brand));
};

const isAvif = (bytes: Uint8Array): boolean =>
  ascii(bytes, 4, 8) === "ftyp" && /^(?:avif|avis|mif1)$/u.test(ascii(bytes, 8, 12));

const isGif = (bytes: Uint8Array): boolean => ascii(bytes, 0, 4) === "GIF8";

/**
 * Whether the bytes begin like a raster format. Others are never passed to the decoder: SVG and PDF are programs
 * rather than images.
 */
export const isRaster = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xd8) ||
  (bytes[0] === 0x89 && ascii(bytes, 1, 4) === "PNG") ||
  isGif(bytes) ||
  (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") ||
  isAvif(bytes) ||
  isHeic(bytes);

const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Bytes of the colour table that the packed field announces (GIF89a, sections 18 and 20). */
const tableBytes = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1));

/** The position after the sub-blocks that start at `from` and their terminator. */
const afterBlocks = (bytes: Uint8Array, from: number): number => {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += 1 + size;
  return at + 1;
};

/** A GIF with only its first frame: decoders list all frames first, and there may be millions. */
const firstGifPicture = (bytes: Uint8Array): Uint8Array => {
  let at = HEADER_BYTES + tableBytes(bytes[10] ?? 0);
  while (bytes[at] === EXTENSION) at = afterBlocks(bytes, at + 2);
  if (bytes[at] !== IMAGE) return bytes;
  const data = at + 10 + tableBytes(bytes[at + 9] ?? 0) + 1;
  const end = afterBlocks(bytes, data);
  if (end >= bytes.length) return bytes;
  const first = new Uint8Array(end + 1);
  first.set(bytes.subarray(0, end));
  first[end] = TRAILER;
  return first;
};

/** The part of the file that its first image needs. */
export const firstPicture = (bytes: Uint8Array): Uint8Array =>
  isGif(bytes) ? firstGifPicture(bytes) : bytes;
