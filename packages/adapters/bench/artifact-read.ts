/**
 * Reading 200 MB through the port, compared with a plain Node stream with chunks of 1 MiB, alternating in one
 * process: `pnpm exec node packages/adapters/bench/artifact-read.ts`. The file is in the page cache for both.
 */
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { layer } from "../src/storage/files/FileArtifacts.ts";

const SIZE_BYTES = 200 * 1000 * 1000;
const ROUNDS = 15;
const CHUNK_BYTES = 1024 * 1024;

const key = { extractionId: "ext_bench", attempt: 1, name: "video.mp4" };

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const timed = (read: Effect.Effect<number>) =>
  Effect.gen(function* () {
    const beganMs = performance.now();
    const bytes = yield* read;
    if (bytes !== SIZE_BYTES) throw new Error(`read ${bytes} bytes`);
    return performance.now() - beganMs;
  });

const plainRead = (path: string) =>
  Effect.promise(async () => {
    let bytes = 0;
    const sink = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        bytes += chunk.byteLength;
        done();
      }
    });
    await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), sink);
    return bytes;
  });

const bench = Effect.fnUntraced(function* (directory: string) {
  const store = yield* ArtifactStore;
  yield* store.put(key, { _tag: "Bytes", bytes: new Uint8Array(SIZE_BYTES).fill(7) });
  const path = join(directory, key.extractionId, String(key.attempt), key.name);
  const portRead = Stream.runFold(
    store.read(key, null),
    () => 0,
    (bytes, chunk) => bytes + chunk.byteLength
  );
  const port: Array<number> = [];
  const plain: Array<number> = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    port.push(yield* timed(portRead));
    plain.push(yield* timed(plainRead(path)));
  }
  const [portMs, plainMs] = [median(port), median(plain)];
  console.log(`port  ${portMs.toFixed(1)} ms (best ${Math.min(...port).toFixed(1)})`);
  console.log(`plain ${plainMs.toFixed(1)} ms (best ${Math.min(...plain).toFixed(1)})`);
  console.log(`ratio ${(portMs / plainMs).toFixed(2)}`);
});

const directory = await mkdtemp(join(tmpdir(), "winnow-bench-"));
try {
  await Effect.runPromise(Effect.provide(bench(directory), layer({ directory })));
} finally {
  await rm(directory, { recursive: true, force: true });
}
