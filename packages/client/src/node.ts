/**
 * The client for Node, which can save files to disk: `import { Winnow } from "@winnow/client/node"`.
 * Tests: winnow.test.ts, saveAll.test.ts.
 */
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { WinnowError } from "./core/apiError.ts";
import { ConnectionError } from "./core/errors.ts";
import { Files, type FileOptions } from "./resources/files.ts";
import type { PendingResult } from "./generated/types.ts";
import { pathOf } from "./core/itemPath.ts";
import { answerOf, type RequestOptions } from "./core/request.ts";
import type { TerminalResult } from "./schema/results.ts";
import { Winnow as PortableWinnow } from "./winnow.ts";

export * from "./index.ts";

/** A file system error, such as a full disk or a missing folder. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && "syscall" in error;

export interface SavedFile {
  /** Name of the file on the service. */
  readonly name: string;
  /** Local path: `folder` and the name. */
  readonly path: string;
  readonly sizeBytes: number;
}

export interface SaveOptions extends FileOptions {
  /** Called with the size of each piece that was written. */
  readonly onBytes?: ((sizeBytes: number) => void) | undefined;
}

/** What `save` of the client for Node does, with the files of any client. */
export const saveFile = async (
  files: Files,
  id: string,
  name: string,
  path: string,
  options: SaveOptions = {}
): Promise<number> => {
  const response = await files.get(id, name, options);
  const part = `${path}.${crypto.randomUUID()}.part`;
  const file = createWriteStream(part);
  try {
    const { onBytes, signal } = options;
    const body =
      response.body === null
        ? Readable.from([])
        : Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    if (onBytes !== undefined) body.on("data", (piece: Uint8Array) => onBytes(piece.length));
    await pipeline(body, file, signal === undefined ? {} : { signal });
    // If a proxy compressed the body, its Content-Length is that of the compressed bytes.
    const isEncoded = response.headers.has("content-encoding");
    const expected = isEncoded ? null : response.headers.get("content-length");
    if (expected !== null && Number(expected) !== file.bytesWritten) {
      throw new WinnowError(`${name} ended after ${file.bytesWritten} of ${expected} bytes.`);
    }
    await rename(part, path);
    return file.bytesWritten;
  } catch (cause) {
    await rm(part, { force: true });
    if (options.signal?.aborted === true) throw options.signal.reason;
    if (cause instanceof WinnowError || isOfSystem(cause)) throw cause;
    throw new ConnectionError(`The download of ${name} was interrupted after ${file.bytesWritten} bytes.`, {
      cause
    });
  }
};

export class NodeFiles extends Files {
  /**
   * Streams a file to `path`, under a unique temporary name until it is complete, so that concurrent saves are
   * safe. Returns its size in bytes.
   */
  save(id: string, name: string, path: string, options: SaveOptions = {}): Promise<number> {
    return saveFile(this, id, name, path, options);
  }

  /**
   * Saves every file of a complete extraction under its name in `folder`, which is created if missing. Returns
   * the files in the order of the service. Stops at the first failure; files saved before remain.
   */
  async saveAll(id: string, folder: string, options: RequestOptions = {}): Promise<ReadonlyArray<SavedFile>> {
    const path = pathOf("/v1/extractions/{extraction}/result", id);
    const { data } = await answerOf<TerminalResult | PendingResult>(this.transport, {
      method: "GET",
      path,
      signal: options.signal
    });
    if (data.status !== "complete") {
      throw new WinnowError(`Extraction ${id} is ${data.status}: only complete extractions have files.`);
    }
    await mkdir(folder, { recursive: true });
    const saved: Array<SavedFile> = [];
    for (const name of Object.keys(data.artifacts.files)) {
      const file = join(folder, basename(name));
      saved.push({ name, path: file, sizeBytes: await this.save(id, name, file, options) });
    }
    return saved;
  }
}

export class Winnow extends PortableWinnow {
  override readonly files = new NodeFiles(this.transport);
}
