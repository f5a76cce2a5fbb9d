/**
 * The backup format: gzip of JSON lines, with the bytes of a file after the line that announces it, and a last line
 * with a checksum of everything before it. Written and read as a stream; a truncated file lacks the last line.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { once } from "node:events";
import { createGunzip, createGzip, constants, type Gzip } from "node:zlib";

/** The first line. */
export interface Head {
  readonly winnowBackup: 1;
  /** Applied migrations of the database. */
  readonly migrations: ReadonlyArray<string>;
  readonly madeAt: string;
}

export type Entry =
  | Head
  | { readonly table: string; readonly rows: ReadonlyArray<unknown> }
  /** Followed by `sizeBytes` bytes. `place`: a folder of the data directory. */
  | { readonly file: string; readonly place: "artifacts" | "data"; readonly sizeBytes: number }
  | { readonly sha256: string };

/** The message is for the operator. */
export class BackupFailed extends Error {}

const BROKEN = "The backup is incomplete or damaged: its checksum does not match.";

/** Maximum length of a line, which is a batch of rows. */
const LINE_BYTES_MAX = 512 * 1_024 * 1_024;

export class ArchiveWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #gzip: Gzip;
  readonly #file: WriteStream;
  readonly #hash: Hash = createHash("sha256");
  #failed: Error | null = null;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = `${path}.${process.pid}.part`;
    this.#file = createWriteStream(this.#temporary, { mode: 0o600, flags: "wx" });
    this.#gzip = createGzip({ level: constants.Z_BEST_SPEED });
    for (const stream of [this.#gzip, this.#file]) {
      stream.on("error", (error: Error) => {
        this.#failed ??= error;
        this.#gzip.destroy();
      });
    }
    this.#gzip.pipe(this.#file);
  }

  async add(entry: Entry): Promise<void> {
    await this.bytes(Buffer.from(`${JSON.stringify(entry)}\n`));
  }

  async bytes(chunk: Uint8Array): Promise<void> {
    if (this.#failed !== null) throw this.#failed;
    this.#hash.update(chunk);
    if (this.#gzip.write(chunk)) return;
    // Else each wait would leave a listener behind.
    const waiting = new AbortController();
    const events = ["drain", "close"].map((name) => once(this.#gzip, name, { signal: waiting.signal }));
    await Promise.race(events).finally(() => waiting.abort());
  }

  /** Complete, on disk and under its name. */
  async close(): Promise<void> {
    const sha256 = this.#hash.copy().digest("hex");
    await this.add({ sha256 });
    this.#gzip.end();
    if (!this.#file.closed) await once(this.#file, "close");
    if (this.#failed !== null) throw this.#failed;
    const file = await open(this.#temporary, "r");
    await file.sync();
    await file.close();
    await rename(this.#temporary, this.#path);
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy();
    this.#file.destroy();
    await rm(this.#temporary, { force: true });
  }
}

const isEnd = (entry: Entry): entry is { readonly sha256: string } => "sha256" in entry;

/** Reads a backup once, from its start. */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash("sha256");
  #left: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    const raw = createReadStream(path);
    const unpacked = createGunzip();
    raw.on("error", (error) => unpacked.destroy(error));
    this.#chunks = raw.pipe(unpacked)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /**
   * The next entry; null after the last one, if the checksum matches. The bytes of a file must be consumed first.
   */
  async next(): Promise<Exclude<Entry, { readonly sha256: string }> | null> {
    const line = await this.#line();
    const entry = this.#parsed(line);
    if (!isEnd(entry)) {
      this.#hash.update(line);
      return entry;
    }
    if (entry.sha256 !== this.#hash.digest("hex")) throw new BackupFailed(BROKEN);
    return null;
  }

  async *bytes(sizeBytes: number): AsyncGenerator<Buffer, void> {
    for (let missing = sizeBytes; missing > 0;) {
      if (this.#left.length === 0 && !(await this.#more())) throw new BackupFailed(BROKEN);
      const chunk = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(chunk.length);
      missing -= chunk.length;
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  #parsed(line: Buffer): Entry {
    try {
      return JSON.parse(line.toString("utf8")) as Entry;
    } catch {
      throw new BackupFailed("This is not a backup of Winnow, or it is damaged.");
    }
  }

  async #line(): Promise<Buffer> {
    const parts: Array<Buffer> = [];
    for (let sizeBytes = 0; sizeBytes <= LINE_BYTES_MAX;) {
      const end = this.#left.indexOf(10);
      if (end >= 0) {
        parts.push(this.#left.subarray(0, end + 1));
        this.#left = this.#left.subarray(end + 1);
        return Buffer.concat(parts);
      }
      parts.push(this.#left);
      sizeBytes += this.#left.length;
      this.#left = Buffer.alloc(0);
      if (!(await this.#more())) throw new BackupFailed(BROKEN);
    }
    throw new BackupFailed(BROKEN);
  }

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next();
      if (done === true) return false;
      this.#left = value;
      return true;
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
      throw new BackupFailed(
        code.startsWith("Z_") ? BROKEN : `The backup cannot be read (${code || "failed"}).`,
        { cause }
      );
    }
  }
}
