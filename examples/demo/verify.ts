/** Checks that a downloaded artifact matches its name. */
import { open } from "node:fs/promises";
import path from "node:path";

const HEAD_BYTES = 64;

const startsWith = (head: Buffer, bytes: ReadonlyArray<number>, offset = 0): boolean =>
  bytes.every((byte, index) => head[offset + index] === byte);

const FTYP = [0x66, 0x74, 0x79, 0x70];

const isText = (head: Buffer): boolean => head.toString().trim() !== "" && !head.includes(0);

const CHECKS: Readonly<Record<string, (head: Buffer) => boolean>> = {
  ".mp4": (head) => startsWith(head, FTYP, 4),
  ".m4a": (head) => startsWith(head, FTYP, 4),
  ".jpg": (head) => startsWith(head, [0xff, 0xd8, 0xff]),
  ".json": (head) => /^\s*[[{]/u.test(head.toString()),
  ".srt": (head) => /^1\r?\n\d\d:\d\d:\d\d,\d{3} --> /u.test(head.toString()),
  ".vtt": (head) => head.toString().startsWith("WEBVTT"),
  ".md": isText,
  ".txt": isText
};

/** Null if the file exists, is not empty and has its type; else a message. */
export const faultOf = async (file: string): Promise<string | null> => {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (bytesRead === 0) return "is empty";
    const check = CHECKS[path.extname(file)];
    if (check === undefined) return "has an unexpected type";
    return check(buffer.subarray(0, bytesRead)) ? null : `is not a ${path.extname(file).slice(1)} file`;
  } finally {
    await handle.close();
  }
};
