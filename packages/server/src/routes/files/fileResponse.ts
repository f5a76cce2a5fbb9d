/**
 * The response of the file endpoint: headers and bytes. Content is untrusted: a browser must neither guess its type
 * nor execute it. How bytes are read decides how fast a download is: bench/files.ts. Tests: files.test.ts, fileBody.test.ts.
 */
import { NotFound, RangeNotSatisfiable } from "@winnow/core/domain/request/Refusal";
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { IncomingMessage } from "node:http";
import type { ArtifactKey, ArtifactStore, ByteRange } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import type { StoredFile } from "@winnow/core/engine/extractions/Extractions";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { errorResponse } from "../../http/ApiErrors.ts";
import { answerRange, etagOf, matchesEtag } from "../../http/byteRange.ts";

/** Larger than the buffer of a response, which makes reuse safe. A file of one chunk is no download to be limited. */
export const CHUNK_BYTES = 512 * 1_024;

/** One being sent, one being read, one in between. */
const BUFFERS = 3;

type Artifacts = typeof ArtifactStore.Service;

type FileBody = (range: ByteRange | null) => Stream.Stream<Uint8Array>;

const readInto = async (file: FileHandle, buffer: Buffer, position: number, end: number): Promise<Buffer> => {
  const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - position), position);
  if (bytesRead === 0) throw new Error("an artifact became shorter while it was read");
  return buffer.subarray(0, bytesRead);
};

/** A chunk is valid until the one after next is requested. Reads one ahead. */
async function* reusedChunks(path: string, range: ByteRange): AsyncGenerator<Uint8Array, void> {
  const end = range.end + 1;
  const chunkBytes = Math.min(CHUNK_BYTES, Math.max(1, end - range.start));
  const ring = Buffer.allocUnsafeSlow(BUFFERS * chunkBytes);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const readTurn = (turn: number, position: number): Promise<Buffer> => {
    const slot = (turn % BUFFERS) * chunkBytes;
    return readInto(file, ring.subarray(slot, slot + chunkBytes), position, end);
  };
  let ahead: Promise<Buffer> | null = null;
  try {
    let position = range.start;
    for (let turn = 0; position < end; turn++) {
      const chunk: Buffer = await (ahead ?? readTurn(turn, position));
      position += chunk.length;
      ahead = position < end ? readTurn(turn + 1, position) : null;
      yield chunk;
    }
  } finally {
    await ahead?.catch(() => undefined);
    await file.close();
  }
}

/** How to send an artifact; none if its file is gone. */
export const openBody = Effect.fnUntraced(function* (
  artifacts: Artifacts,
  key: ArtifactKey,
  sizeBytes: number,
  request: HttpServerRequest
) {
  const isNode = request.source instanceof IncomingMessage;
  const path = Option.getOrNull(isNode ? yield* artifacts.localPath(key) : Option.none());
  if (path === null) {
    const stored = yield* artifacts.size(key);
    return Option.map(stored, (): FileBody => (range) => artifacts.read(key, range));
  }
  const whole = { start: 0, end: sizeBytes - 1 };
  const body: FileBody = (range) =>
    Stream.orDie(
      Stream.suspend(() => Stream.fromAsyncIterable(reusedChunks(path, range ?? whole), (cause) => cause))
    );
  return Option.some(body);
});

/** Types that a browser displays without executing anything. */
const INERT = new Set([
  "video/mp4",
  "audio/mp4",
  "image/jpeg",
  "text/plain",
  "text/vtt",
  "application/x-subrip",
  "application/json"
]);

const SANDBOX = { "content-security-policy": "default-src 'none'; sandbox" };

interface FileRequest {
  readonly method: string;
  readonly range?: string | undefined;
  readonly "if-range"?: string | undefined;
  readonly "if-none-match"?: string | undefined;
}

const headersOf = ({ artifact }: StoredFile, etag: string): Record<string, string> => {
  const inert = INERT.has(artifact.contentType.split(";", 1)[0] ?? "");
  const fileName = artifact.name.replaceAll(/[^\w.-]/gu, "_");
  return {
    "content-type": artifact.contentType,
    etag,
    "accept-ranges": "bytes",
    // Always revalidated, because a revoked key must not read from a cache.
    "cache-control": "private, no-cache",
    "content-disposition": `${inert ? "inline" : "attachment"}; filename="${fileName}"`,
    ...(inert ? {} : SANDBOX)
  };
};

export const noFile = () => new NotFound({ message: "No such file." });

const unsatisfiable = (sizeBytes: number) =>
  HttpServerResponse.setHeaders(
    errorResponse(
      new RangeNotSatisfiable({
        message: `The file has ${sizeBytes} bytes; ask for a range within it.`,
        details: { param: "Range", sizeBytes }
      })
    ),
    { "content-range": `bytes */${sizeBytes}`, "accept-ranges": "bytes" }
  );

/** HEAD returns the headers of GET; Range is defined for GET only (RFC 9110, section 14.2). */
export const fileResponse = (
  file: StoredFile,
  request: FileRequest,
  body: FileBody
): HttpServerResponse.HttpServerResponse => {
  const { sizeBytes } = file.artifact;
  const etag = etagOf(file.key, sizeBytes);
  const headers = headersOf(file, etag);
  const ifNoneMatch = request["if-none-match"];
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
    return HttpServerResponse.empty({ status: 304, headers });
  }
  if (request.method === "HEAD") {
    return HttpServerResponse.empty({
      status: 200,
      headers: { ...headers, "content-length": String(sizeBytes) }
    });
  }
  const answer = answerRange(request, etag, sizeBytes);
  if (answer._tag === "Unsatisfiable") return unsatisfiable(sizeBytes);
  const range = answer._tag === "Part" ? answer.range : null;
  return HttpServerResponse.stream(body(range), {
    status: range === null ? 200 : 206,
    contentType: file.artifact.contentType,
    contentLength: range === null ? sizeBytes : range.end - range.start + 1,
    headers:
      range === null
        ? headers
        : { ...headers, "content-range": `bytes ${range.start}-${range.end}/${sizeBytes}` }
  });
};
