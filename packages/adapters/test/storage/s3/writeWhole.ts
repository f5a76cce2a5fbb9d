/**
 * s3rver answers a put before its file has all bytes, so that a read at once may find none. Here it answers after that.
 * Tests: S3Artifacts.test.ts.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type S3rver from "s3rver";

type Content = Buffer | Readable;

interface Written {
  readonly size: number;
  readonly md5: string;
}

interface Files {
  readonly getResourcePath: (bucket: string, key: string | undefined, name: string) => string;
  readonly putMetadata: (bucket: string, key: string, metadata: object, md5: string) => Promise<void>;
  putObject: (object: {
    readonly bucket: string;
    readonly key: string;
    readonly content: Content;
    readonly metadata: object;
  }) => Promise<Written>;
  putPart: (bucket: string, uploadId: string, part: number, content: Content) => Promise<Written>;
}

const write = async (path: string, content: Content): Promise<Written> => {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash("md5");
  let size = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  };
  const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
  await pipeline(source, counted, createWriteStream(path));
  return { size, md5: hash.digest("hex") };
};

export const writeWhole = (server: S3rver): void => {
  const { store: files } = server as S3rver & { readonly store: Files };
  files.putObject = async ({ bucket, key, content, metadata }) => {
    const written = await write(files.getResourcePath(bucket, key, "object"), content);
    await files.putMetadata(bucket, key, metadata, written.md5);
    return written;
  };
  files.putPart = async (bucket, uploadId, part, content) => {
    const path = join(files.getResourcePath(bucket, undefined, "uploads"), uploadId, String(part));
    const written = await write(path, content);
    await writeFile(`${path}.md5`, written.md5);
    return written;
  };
};
