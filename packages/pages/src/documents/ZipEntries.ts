/**
 * The files of a ZIP archive in memory (APPNOTE 6.3), such as an office document or book: stored or deflated,
 * decompressed one at a time within limits, whatever sizes the archive claims. Tests: OfficeDocument.test.ts.
 */
import { inflateRawSync } from "node:zlib";
import { decodedBy, markedEncoding, xmlEncoding } from "../parse/TextEncoding.ts";
import { ZIP_ENTRIES_MAX, ZIP_ENTRY_BYTES_MAX, ZIP_INFLATED_BYTES_MAX } from "../PageLimits.ts";

/** Why an archive or one of its files cannot be read. */
export class ZipRefused extends Error {
  readonly reason: "damaged" | "encrypted" | "too_large";

  constructor(reason: ZipRefused["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const [STORED, DEFLATED] = [0, 8];
const ENCRYPTED_FLAG = 1;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 65_535;

interface Entry {
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly at: number;
}

const endOf = (file: Buffer): number => {
  const lowest = Math.max(0, file.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = file.length - END_BYTES; at >= lowest; at -= 1)
    if (file.readUInt32LE(at) === END_MARK) return at;
  throw new ZipRefused("damaged");
};

const entriesOf = (file: Buffer): ReadonlyMap<string, Entry> => {
  const end = endOf(file);
  const count = file.readUInt16LE(end + 10);
  if (count > ZIP_ENTRIES_MAX) throw new ZipRefused("too_large");
  const entries = new Map<string, Entry>();
  let at = file.readUInt32LE(end + 16);
  for (let number = 0; number < count; number += 1) {
    if (file.readUInt32LE(at) !== ENTRY_MARK) throw new ZipRefused("damaged");
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => file.readUInt16LE(at + field));
    const nameAt = at + ENTRY_BYTES;
    // Some programs write paths as Windows does.
    const name = file.toString("utf8", nameAt, nameAt + (nameBytes ?? 0)).replaceAll("\\", "/");
    entries.set(name, {
      isEncrypted: (file.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0,
      method: file.readUInt16LE(at + 10),
      packedBytes: file.readUInt32LE(at + 20),
      at: file.readUInt32LE(at + 42)
    });
    at = nameAt + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return entries;
};

/** Files that every document of these formats has at its root. */
const ROOT_FILES = ["META-INF/container.xml", "[Content_Types].xml"];

/** If the document's folder was packed instead of its content, names are relative to that folder. */
const withinFolder = (entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> => {
  const names = [...entries.keys()];
  const folder = names[0]?.split("/", 1)[0] ?? "";
  const isFolder =
    names.every((name) => name.startsWith(`${folder}/`)) &&
    ROOT_FILES.some((file) => entries.has(`${folder}/${file}`));
  return isFolder
    ? new Map([...entries].map(([name, entry]) => [name.slice(folder.length + 1), entry]))
    : entries;
};

const inflated = (packed: Buffer, bytesMax: number): Buffer => {
  try {
    return inflateRawSync(packed, { maxOutputLength: bytesMax });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new ZipRefused(isTooLarge ? "too_large" : "damaged");
  }
};

export class ZipEntries {
  readonly names: ReadonlySet<string>;
  private readonly file: Buffer;
  private readonly entries: ReadonlyMap<string, Entry>;
  private bytesLeft = ZIP_INFLATED_BYTES_MAX;

  /** Throws ZipRefused. */
  constructor(bytes: Uint8Array) {
    this.file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.entries = withinFolder(entriesOf(this.file));
    } catch (error) {
      // Reading past the end of the file throws a RangeError.
      throw error instanceof ZipRefused ? error : new ZipRefused("damaged");
    }
    this.names = new Set(this.entries.keys());
  }

  /** Null if there is no such file; throws ZipRefused. */
  text(name: string): string | null {
    const entry = this.entries.get(name);
    if (entry === undefined) return null;
    if (entry.isEncrypted) throw new ZipRefused("encrypted");
    const { at, method, packedBytes } = entry;
    if (at + LOCAL_BYTES > this.file.length || this.file.readUInt32LE(at) !== LOCAL_MARK)
      throw new ZipRefused("damaged");
    const start = at + LOCAL_BYTES + this.file.readUInt16LE(at + 26) + this.file.readUInt16LE(at + 28);
    const packed = this.file.subarray(start, start + packedBytes);
    if (packed.length < packedBytes || (method !== STORED && method !== DEFLATED))
      throw new ZipRefused("damaged");
    const bytesMax = Math.min(ZIP_ENTRY_BYTES_MAX, this.bytesLeft);
    const content = method === STORED ? packed : inflated(packed, Math.max(1, bytesMax));
    if (content.length > bytesMax) throw new ZipRefused("too_large");
    this.bytesLeft -= content.length;
    return decodedBy(content, [markedEncoding, xmlEncoding]);
  }
}
