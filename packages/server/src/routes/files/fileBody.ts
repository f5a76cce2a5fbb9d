/** An artifact as a response body. */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { IncomingMessage } from "node:http";
import type { ArtifactKey, ArtifactStore, ByteRange } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

/** Larger than the buffer of a response, which makes reuse safe. */
export const CHUNK_BYTES = 512 * 1_024;

/** One being sent, one being read, one in between. */
const BUFFERS = 3;

type Artifacts = typeof ArtifactStore.Service;

export type FileBody = (range: ByteRange | null) => Stream.Stream<Uint8Array>;

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
