/**
 * The client for Node, with saving to disk: `import { Winnow } from "@winnow/client/node"`.
 */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { WinnowError } from "./errors.ts";
import { Files, type FileOptions } from "./files.ts";
import { Winnow as PortableWinnow, type WinnowOptions } from "./Winnow.ts";

export * from "./index.ts";

export class NodeFiles extends Files {
  /** Streams a file to `path`, under a temporary name until it is whole. Answers its size in bytes. */
  async save(id: string, name: string, path: string, options: FileOptions = {}): Promise<number> {
    const response = await this.get(id, name, options);
    if (response.body === null) throw new WinnowError(`The answer for ${name} has no body.`);
    const part = `${path}.part`;
    const file = createWriteStream(part);
    try {
      const { signal } = options;
      const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
      await pipeline(body, file, signal === undefined ? {} : { signal });
      const expected = response.headers.get("content-length");
      if (expected !== null && Number(expected) !== file.bytesWritten) {
        throw new WinnowError(`${name} ended after ${file.bytesWritten} of ${expected} bytes.`);
      }
      await rename(part, path);
      return file.bytesWritten;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
}

export class Winnow extends PortableWinnow {
  override readonly files: NodeFiles;

  constructor(options: WinnowOptions) {
    super(options);
    this.files = new NodeFiles(this.transport);
  }
}
