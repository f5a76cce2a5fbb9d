/**
 * The backup format: gzip of JSON lines, with the bytes of a file after the line that announces it, and a last line
 * with a checksum of everything before it. Written and read as a stream; a truncated file lacks the last line.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { once } from "node:events";
import { createGunzip, createGzip, constants, type Gzip } from "node:zlib";
import { codeOf } from "@winnow/isolation/runtime/ErrorCode";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { isArtifactPath } from "../../storage/ArtifactPath.ts";

/** The first line. */
const Head = Schema.Struct({
  winnowBackup: Schema.Literal(1),
  /** Applied migrations of the database. */
  migrations: Schema.Array(Schema.String),
  madeAt: Schema.String
});
export type Head = typeof Head.Type;

const Rows = Schema.Struct({
  table: Schema.String.check(Schema.isPattern(/^[a-z_]{1,63}$/u)),
  /** Each a JSON object. */
  rows: Schema.Array(Schema.String)
});
type Rows = typeof Rows.Type;

/** Followed by `sizeBytes` bytes. `place`: a folder of the data directory. */
const AnnouncedFile = Schema.Struct({
  file: Schema.String,
  place: Schema.Literals(["artifacts", "data"]),
  sizeBytes: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
});
export type AnnouncedFile = typeof AnnouncedFile.Type;

const End = Schema.Struct({ sha256: Schema.String });

const Entry = Schema.Union([Head, Rows, AnnouncedFile, End]);
export type Entry = typeof Entry.Type;

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Entry), { onExcessProperty: "error" });

/** Files of the data folder. Without the second one, the next start would create a first account. */
export const DATA_FILES: ReadonlyArray<string> = ["admin-token", "first-account.json"];

/** Both hold one short value. */
const DATA_FILE_BYTES_MAX = 64 * 1_024;

/** A backup holds these files and no other, because a restore writes them where the server reads. */
export const belongsToBackup = ({ file, place, sizeBytes }: AnnouncedFile): boolean =>
  place === "artifacts"
    ? isArtifactPath(file)
    : DATA_FILES.includes(file) && sizeBytes <= DATA_FILE_BYTES_MAX;

/** The message is for the operator. */
export class BackupFailed extends Error {}

const BROKEN = "The backup is incomplete or damaged: its checksum does not match.";

const GOES_ON = "The backup goes on after its end, so it is damaged or was changed.";

const NO_BACKUP = "This is not a backup of Winnow, or it is damaged.";

/** Maximum length of a line, which is a batch of rows; Node's longest string is little longer. */
const LINE_BYTES_MAX = 500_000_000;

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

  /** Only at the start. */
  async head(): Promise<Head> {
    const entry = await this.#entry();
    if (!("winnowBackup" in entry)) throw new BackupFailed(NO_BACKUP);
    return entry;
  }

  /**
   * The next entry after the head; null after the last one, if the checksum matches and nothing follows. The bytes of a
   * file must be consumed first.
   */
  async next(): Promise<Rows | AnnouncedFile | null> {
    const before = this.#hash.copy();
    const entry = await this.#entry();
    if ("winnowBackup" in entry) throw new BackupFailed(NO_BACKUP);
    if (!("sha256" in entry)) return entry;
    if (entry.sha256 !== before.digest("hex")) throw new BackupFailed(BROKEN);
    if (this.#left.length > 0 || (await this.#more())) throw new BackupFailed(GOES_ON);
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

  async #entry(): Promise<Entry> {
    const line = await this.#line();
    this.#hash.update(line);
    const entry = Option.getOrNull(decodeLine(line.toString("utf8")));
    if (entry === null) throw new BackupFailed(NO_BACKUP);
    if ("file" in entry && !belongsToBackup(entry)) {
      throw new BackupFailed(`The backup has a file that belongs to no backup: ${entry.file}`);
    }
    return entry;
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
      const code = codeOf(cause);
      throw new BackupFailed(
        code.startsWith("Z_") ? BROKEN : `The backup cannot be read (${code || "failed"}).`,
        { cause }
      );
    }
  }
}
