/**
 * Reads the header of MP4 and QuickTime files (ISO/IEC 14496-12): the duration, and whether it is media. Avoids
 * starting ffprobe in a sandbox, which takes as long as the rest of an inspection.
 *
 * Parses untrusted bytes on the main thread: only sizes and names of boxes, each within its parent, in time linear
 * in their number.
 */

export type MovieHeader =
  | {
      readonly _tag: "Movie";
      /** Duration in the movie header, rounded to microseconds like ffprobe. */
      readonly durationSeconds: number;
    }
  /** The header is later in the file: a box starts at this offset from the given bytes. */
  | { readonly _tag: "Later"; readonly offset: number };

interface Box {
  readonly type: string;
  /** Offsets of the content; the end may be beyond the given bytes. */
  readonly start: number;
  readonly end: number;
}

/** Size and name (section 4.2); large boxes have 8 more bytes of size. */
const HEAD_BYTES = 8;
const LARGE_HEAD_BYTES = 16;

/** Boxes that may precede the movie header, including `skip` and `free`. */
const TOP_LEVEL = /^(?:ftyp|styp|pdin|free|skip|wide|mdat|uuid|meta|moov)$/u;

/** Iterates over boxes until the bytes end or a size is invalid. */
const boxesIn = (bytes: Buffer, start: number, end: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = [];
  let offset = start;
  while (offset + HEAD_BYTES <= Math.min(end, bytes.length)) {
    const short = bytes.readUInt32BE(offset);
    const isLarge = short === 1;
    if (isLarge && offset + LARGE_HEAD_BYTES > bytes.length) break;
    const length = isLarge ? Number(bytes.readBigUInt64BE(offset + HEAD_BYTES)) : short;
    const head = isLarge ? LARGE_HEAD_BYTES : HEAD_BYTES;
    // A size of 0 means "to the end of the file".
    if (length < head || !Number.isSafeInteger(offset + length)) break;
    const type = bytes.toString("latin1", offset + 4, offset + HEAD_BYTES);
    boxes.push({ type, start: offset + head, end: offset + length });
    offset += length;
  }
  return boxes;
};

const find = (bytes: Buffer, { start, end }: Box, type: string): Box | undefined =>
  boxesIn(bytes, start, end).find((box) => box.type === type);

/** Section 8.2.2. */
const durationOf = (bytes: Buffer, { start }: Box): number | null => {
  const isLong = bytes[start] === 1;
  const timescaleAt = start + (isLong ? 20 : 12);
  if (timescaleAt + (isLong ? 12 : 8) > bytes.length) return null;
  const timescale = bytes.readUInt32BE(timescaleAt);
  const units = isLong ? Number(bytes.readBigUInt64BE(timescaleAt + 4)) : bytes.readUInt32BE(timescaleAt + 4);
  // All ones means unknown; fragmented files have 0.
  const isKnown = units < (isLong ? 2 ** 63 : 2 ** 32 - 1) && timescale > 0;
  const durationSeconds = isKnown ? Math.round((units / timescale) * 1e6) / 1e6 : 0;
  return durationSeconds > 0 ? durationSeconds : null;
};

/** Handler types of audio and video tracks (section 8.4.3). */
const isMedia = (bytes: Buffer, track: Box): boolean => {
  const media = find(bytes, track, "mdia");
  const handler = media === undefined ? undefined : find(bytes, media, "hdlr");
  if (handler === undefined) return false;
  return /^(?:vide|soun)$/u.test(bytes.toString("latin1", handler.start + 8, handler.start + 12));
};

/** Null also for fragmented movies, whose header may cover only the first fragment (section 8.8). */
const readMovie = (bytes: Buffer, { start, end }: Box): MovieHeader | null => {
  const boxes = boxesIn(bytes, start, end);
  const header = boxes.find(({ type }) => type === "mvhd");
  const durationSeconds = header === undefined ? null : durationOf(bytes, header);
  const isWhole = !boxes.some(({ type }) => type === "mvex");
  const hasMedia = boxes.some((box) => box.type === "trak" && isMedia(bytes, box));
  return durationSeconds !== null && isWhole && hasMedia ? { _tag: "Movie", durationSeconds } : null;
};

/**
 * `bytes` must start with a box. Null for unsupported files, which may still be media: other containers, fragmented
 * movies, headers cut off before the first track.
 */
export const readMovieHeader = (bytes: Buffer): MovieHeader | null => {
  let behind = 0;
  for (const box of boxesIn(bytes, 0, Number.MAX_SAFE_INTEGER)) {
    if (!TOP_LEVEL.test(box.type)) return null;
    if (box.type === "moov") return readMovie(bytes, box);
    behind = box.end;
  }
  return behind > bytes.length ? { _tag: "Later", offset: behind } : null;
};
