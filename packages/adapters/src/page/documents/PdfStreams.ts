/**
 * Whether the compressed streams of a PDF are within limits, checked before a reader decompresses them into
 * memory that no limit of its thread covers: a file of 1 MB may contain 1 GB of spaces.
 */
import { inflateSync } from "node:zlib";
import { PDF_INFLATED_BYTES_MAX, PDF_STREAM_BYTES_MAX, PDF_STREAMS_MAX } from "../PageLimits.ts";

const MARK = "stream";
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
/** Maximum chained filters that are followed; readers apply all of them. */
const LINKS_MAX = 3;

/** Maximum bytes after the keyword before its line must end. */
const LINE_BYTES_MAX = 256;

class TooLarge extends Error {}

const inflated = (bytes: Uint8Array): Uint8Array | null => {
  try {
    return inflateSync(bytes, { maxOutputLength: PDF_STREAM_BYTES_MAX });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw new TooLarge();
    // Not a deflate stream, or a damaged one: its output was within the limit.
    return null;
  }
};

/** RFC 1950: method 8 is deflate, and both bytes together are a multiple of 31. */
const isZlib = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

const sizeOf = (bytes: Uint8Array): number => {
  let size = 0;
  let part: Uint8Array | null = bytes;
  for (let link = 0; link < LINKS_MAX && part !== null && isZlib(part); link += 1) {
    part = inflated(part);
    size += part?.byteLength ?? 0;
  }
  return size;
};

export const areStreamsWithinLimits = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = PDF_INFLATED_BYTES_MAX;
  let count = 0;
  try {
    for (let at = file.indexOf(MARK); at >= 0; at = file.indexOf(MARK, at + MARK.length)) {
      // The stream begins on the next line.
      let start = at + MARK.length;
      const end = start + LINE_BYTES_MAX;
      while (start < end && file[start] !== LINE_FEED && file[start] !== CARRIAGE_RETURN) start += 1;
      start += file[start] === CARRIAGE_RETURN && file[start + 1] === LINE_FEED ? 2 : 1;
      left -= sizeOf(file.subarray(start));
      count += 1;
      if (left < 0 || count > PDF_STREAMS_MAX) return false;
    }
  } catch {
    return false;
  }
  return true;
};
