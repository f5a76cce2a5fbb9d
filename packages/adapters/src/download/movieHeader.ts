/**
 * Reader of the header of an MP4 or QuickTime file (ISO/IEC 14496-12): how long it is, and that it is media. It spares
 * an inspection the start of ffprobe in a sandbox of its own, which takes as long as all the rest.
 *
 * Reads hostile bytes on the thread that serves requests: only lengths and names of boxes, each inside the one
 * around it, in time linear in their number.
 */

export type MovieHeader =
  | {
      readonly _tag: "Movie";
      /** Of the movie header, as ffprobe takes it, to the microsecond. */
      readonly durationSeconds: number;
    }
  /** It comes later in the file; a box begins at this offset from the bytes that were read. */
  | { readonly _tag: "Later"; readonly offset: number };

interface Box {
  readonly type: string;
  /** Offsets of its content; the end may lie behind the bytes that are there. */
  readonly start: number;
  readonly end: number;
}

/** Length and name (section 4.2); a large box has 8 bytes of length more. */
const HEAD_BYTES = 8;
const LARGE_HEAD_BYTES = 16;

/** Boxes that may stand before the movie header, `skip` and `free` among them. */
const TOP_LEVEL = /^(?:ftyp|styp|pdin|free|skip|wide|mdat|uuid|meta|moov)$/u;

/** From one to the next, until the bytes end or a length cannot be. */
const boxesIn = (bytes: Buffer, start: number, end: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = [];
  let offset = start;
  while (offset + HEAD_BYTES <= Math.min(end, bytes.length)) {
    const short = bytes.readUInt32BE(offset);
    const isLarge = short === 1;
    if (isLarge && offset + LARGE_HEAD_BYTES > bytes.length) break;
    const length = isLarge ? Number(bytes.readBigUInt64BE(offset + HEAD_BYTES)) : short;
    const head = isLarge ? LARGE_HEAD_BYTES : HEAD_BYTES;
    // A length of 0 says "to the end of the file": nothing comes behind it.
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
  // All ones: it is not known. A file in fragments says 0.
  const isKnown = units < (isLong ? 2 ** 63 : 2 ** 32 - 1) && timescale > 0;
  const durationSeconds = isKnown ? Math.round((units / timescale) * 1e6) / 1e6 : 0;
  return durationSeconds > 0 ? durationSeconds : null;
};

/** Handlers of tracks that can be seen or heard (section 8.4.3). */
const isMedia = (bytes: Buffer, track: Box): boolean => {
  const media = find(bytes, track, "mdia");
  const handler = media === undefined ? undefined : find(bytes, media, "hdlr");
  if (handler === undefined) return false;
  return /^(?:vide|soun)$/u.test(bytes.toString("latin1", handler.start + 8, handler.start + 12));
};

/** Null for a movie in fragments too, of which the header may tell the first alone (section 8.8). */
const readMovie = (bytes: Buffer, { start, end }: Box): MovieHeader | null => {
  const boxes = boxesIn(bytes, start, end);
  const header = boxes.find(({ type }) => type === "mvhd");
  const durationSeconds = header === undefined ? null : durationOf(bytes, header);
  const isWhole = !boxes.some(({ type }) => type === "mvex");
  const hasMedia = boxes.some((box) => box.type === "trak" && isMedia(bytes, box));
  return durationSeconds !== null && isWhole && hasMedia ? { _tag: "Movie", durationSeconds } : null;
};

/**
 * `bytes` begin with a box. Null for what this does not read, which need not be no media: another container, a movie
 * in fragments, a header that is cut off before the first of its tracks.
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
