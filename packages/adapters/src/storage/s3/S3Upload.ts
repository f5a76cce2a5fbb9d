/**
 * Uploads one object: small ones in one request, larger ones in parts, which become visible only when all have
 * arrived. Tests: S3Artifacts.test.ts, S3Faults.test.ts.
 */
import { lstat } from "node:fs/promises";
import type { S3ClientOptions } from "@bradenmacdonald/s3-lite-client";
import type { ArtifactSource } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import { fileChunks } from "../files/FileChunks.ts";
import { S3Connection, type S3Request } from "./S3Connection.ts";

/** S3 requires at least 5 MiB. The library holds four parts in memory. */
const PART_BYTES = 8 * 1_024 * 1_024;
/** Limit of S3. */
const PARTS_MAX = 10_000;

/** Uploads that cannot be aborted within this time are left to the bucket's own rule for unfinished uploads. */
const ABORT_TIMEOUT_MS = 5_000;

export class S3Upload extends S3Connection {
  readonly #signal: AbortSignal;
  /** Id of a multipart upload that has started. */
  #uploadId: string | null = null;

  constructor(options: S3ClientOptions, signal: AbortSignal) {
    super(options);
    this.#signal = signal;
  }

  /** Returns the size in bytes. */
  async send(objectName: string, source: ArtifactSource): Promise<number> {
    try {
      return source._tag === "Bytes"
        ? await this.#sendBytes(objectName, source.bytes)
        : await this.#sendFile(objectName, source.path);
    } catch (cause) {
      await this.#takeBack(objectName);
      throw cause;
    }
  }

  override makeRequest(request: S3Request): Promise<Response> {
    if (typeof request.query === "object") this.#uploadId = request.query["uploadId"] ?? this.#uploadId;
    return Effect.runPromise(this.request(request), { signal: this.#signal });
  }

  async #sendBytes(objectName: string, bytes: Uint8Array): Promise<number> {
    await this.putObject(objectName, bytes as Uint8Array<ArrayBuffer>, { partSize: PART_BYTES });
    return bytes.byteLength;
  }

  async #sendFile(objectName: string, path: string): Promise<number> {
    const found = await lstat(path);
    if (!found.isFile()) throw new Error(`${path} is not a plain file`);
    const { size } = found;
    const partSize = Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX));
    await this.putObject(objectName, ReadableStream.from(this.#piecesOf(path, size)), { size, partSize });
    return size;
  }

  /** Throws instead of ending early, because a truncated object would be stored. */
  async *#piecesOf(path: string, sizeBytes: number): AsyncGenerator<Uint8Array, void> {
    let sentBytes = 0;
    for await (const chunk of fileChunks(path, null)) {
      this.#signal.throwIfAborted();
      sentBytes += chunk.byteLength;
      yield chunk;
    }
    if (sentBytes !== sizeBytes) throw new Error(`${path} changed while it was stored`);
  }

  /** Otherwise the uploaded parts would be stored, and charged, forever. */
  async #takeBack(objectName: string): Promise<void> {
    const uploadId = this.#uploadId;
    if (uploadId === null) return;
    await Effect.runPromise(
      this.request({ method: "DELETE", objectName, query: { uploadId }, statusCode: 204 }).pipe(
        Effect.timeout(ABORT_TIMEOUT_MS),
        Effect.ignore
      )
    );
  }
}
