/**
 * Whether the streams of a PDF are within limits, checked before the library reads them: a file of 5 KB may map a
 * hundred million characters, and one of 1 MB may contain 1 GB of spaces. What is hidden from this check by another
 * encoding only ends the worker.
 */
import { inflateSync } from "node:zlib";
import {
  PDF_INFLATED_BYTES_MAX,
  PDF_MAPPED_CHARACTERS_MAX,
  PDF_OBJECTS_MAX,
  PDF_STREAM_BYTES_MAX,
  PDF_STREAMS_MAX
} from "../../PageLimits.ts";

const MARK = "stream";
const END = "endstream";
/** What makes the end of a stream of its beginning. */
const ENDING = Buffer.from("end");
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
/** Maximum chained filters that are followed; readers apply all of them. */
const CHAINED_FILTERS_MAX = 3;

/** Maximum bytes after the keyword before its line must end. */
const LINE_BYTES_MAX = 256;

/** Bytes before the keyword in which the dictionary of a cross-reference or object stream begins. */
const DICTIONARY_BYTES_MAX = 4_096;

class TooLarge extends Error {}

const inflated = (bytes: Uint8Array): Buffer | null => {
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

/** `beginbfrange <00> <ff> <0041> endbfrange`. */
const RANGES = /begin(bf|cid)range([^]*?)end\1range/g;
const RANGE = /<([\da-f\s]+)>\s*<([\da-f\s]+)>\s*(?:<[^>]*>|\[[^\]]*\]|\d+)/gi;

const codeOf = (hex: string | undefined): number => Number.parseInt((hex ?? "").replaceAll(/\s/g, ""), 16);

/** Characters that a CMap maps by ranges: readers list each of them. */
const mappedCharacters = (content: Buffer): number => {
  if (!content.includes("range")) return 0;
  let count = 0;
  for (const [, , ranges = ""] of content.toString("latin1").matchAll(RANGES))
    for (const [, first, last] of ranges.matchAll(RANGE))
      count += Math.max(0, codeOf(last) - codeOf(first)) || 0;
  return count;
};

const TABLE = /\/Type\s*\/XRef\b/;
const OBJECTS = /\/Type\s*\/ObjStm\b/;

/** Objects that a cross-reference or object stream says it has; their entries may take no bytes at all. */
const claimedObjects = (dictionary: string): number => {
  if (OBJECTS.test(dictionary)) return Number(/\/N\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  if (!TABLE.test(dictionary)) return 0;
  const size = Number(/\/Size\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const index = /\/Index\s*\[([\d\s]*)\]/.exec(dictionary)?.[1]?.trim().split(/\s+/) ?? [];
  return index.reduce((sum, number, at) => (at % 2 === 1 ? sum + Number(number) : sum), size);
};

interface Found {
  inflatedBytes: number;
  mappedCharacters: number;
  streams: number;
}

const add = (found: Found, bytes: Buffer): void => {
  let part: Buffer | null = bytes;
  let content = bytes;
  let isInflated = false;
  for (let filters = 0; filters < CHAINED_FILTERS_MAX && part !== null && isZlib(part); filters += 1) {
    part = inflated(part);
    found.inflatedBytes += part?.byteLength ?? 0;
    content = part ?? content;
    isInflated ||= part !== null;
  }
  if (!isInflated) content = bytes.subarray(0, Math.max(0, bytes.indexOf(END)));
  found.mappedCharacters += mappedCharacters(content);
  found.streams += 1;
};

const isWithin = ({ inflatedBytes, mappedCharacters: characters, streams }: Found): boolean =>
  inflatedBytes <= PDF_INFLATED_BYTES_MAX &&
  characters <= PDF_MAPPED_CHARACTERS_MAX &&
  streams <= PDF_STREAMS_MAX;

/** Where the stream begins: on the line after its keyword. */
const startAfter = (file: Buffer, at: number): number => {
  let start = at + MARK.length;
  const end = start + LINE_BYTES_MAX;
  while (start < end && file[start] !== LINE_FEED && file[start] !== CARRIAGE_RETURN) start += 1;
  return start + (file[start] === CARRIAGE_RETURN && file[start + 1] === LINE_FEED ? 2 : 1);
};

export const areStreamsWithinLimits = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Found = { inflatedBytes: 0, mappedCharacters: 0, streams: 0 };
  try {
    for (let at = file.indexOf(MARK); at >= 0; at = file.indexOf(MARK, at + MARK.length)) {
      if (file.subarray(Math.max(0, at - ENDING.length), at).equals(ENDING)) continue;
      const before = file.toString("latin1", Math.max(0, at - DICTIONARY_BYTES_MAX), at);
      const dictionary = before.slice(before.lastIndexOf(" obj") + 1);
      if (claimedObjects(dictionary) > PDF_OBJECTS_MAX) return false;
      add(found, file.subarray(startAfter(file, at)));
      if (!isWithin(found)) return false;
    }
  } catch {
    return false;
  }
  return true;
};
