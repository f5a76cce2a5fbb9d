/** Reads an archive of uncompressed files by its central directory (PKWARE APPNOTE 4.3.12 and 4.3.16). */
import { crc32 } from "node:zlib";

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const STORED = 0;

/** Content by name; throws if a checksum, a size or a signature is wrong. */
export const zipEntries = (archive: Buffer): ReadonlyMap<string, Buffer> => {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== END_MARK) throw new Error("there is no end of the directory");
  const entries = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY_MARK) throw new Error("there is no entry");
    if (archive.readUInt16LE(at + 10) !== STORED) throw new Error("it is not stored");
    const [crc, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)];
    const [nameBytes, extraBytes] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)];
    const name = archive.toString("utf8", at + 46, at + 46 + nameBytes);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + size);
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged`);
    entries.set(name, content);
    at += 46 + nameBytes + extraBytes + archive.readUInt16LE(at + 32);
  }
  return entries;
};
