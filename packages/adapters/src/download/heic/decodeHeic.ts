/**
 * The pixels of pictures as telephones make them. The prebuilt libvips of sharp has no decoder for them;
 * libheif, compiled to WebAssembly, has one, and can reach nothing of this process.
 */
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";
import { makeWorkerPool } from "../../worker/WorkerPool.ts";
import type { HeicPixels, HeicTask } from "./HeicWorker.ts";

/** One picture, with the start of its worker; 48 million pixels take about 4 s of a processor. */
const DECODING_TIMEOUT_SECONDS = 30;

/** JavaScript's share only: pixels and libheif's own memory lie outside of it. */
const HEAP_MB = 128;

/** The pixels of the largest picture, and what libheif needs to make them. */
const BUFFERS_MB = 1_024;

/** Of this process: each may take a gigabyte. */
const decodings = Semaphore.makeUnsafe(1);

const BRANDS = /^(?:heic|heix|hevc|hevx)$/u;
const BRANDS_LOOKED_AT_MAX = 16;

/** ISO/IEC 23008-12, section 10.2: a brand of the `ftyp` box, the major or a compatible one, names HEVC. */
export const isHeic = (bytes: Uint8Array): boolean => {
  const text = String.fromCharCode(...bytes.subarray(0, 8 + 4 * BRANDS_LOOKED_AT_MAX));
  if (text.slice(4, 8) !== "ftyp") return false;
  const boxBytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const brands = text.slice(8, boxBytes).match(/.{4}/gsu) ?? [];
  return brands.some((brand) => BRANDS.test(brand));
};

export class HeicUnreadable {
  readonly _tag = "HeicUnreadable";
}

/**
 * A worker of its own for each picture, which gives all of its memory back; such pictures are few. The bytes
 * stay the caller's. Interruption ends the worker.
 */
export const decodeHeic = (bytes: Uint8Array, pixelsMax: number): Effect.Effect<HeicPixels, HeicUnreadable> =>
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* makeWorkerPool<HeicTask, { readonly pixels: HeicPixels | null }>({
        entry: "./HeicWorker",
        from: import.meta.url,
        workersMax: 1,
        heapMb: HEAP_MB,
        buffersMb: BUFFERS_MB
      });
      const copy = new Uint8Array(bytes);
      const { pixels } = yield* pool.run(
        { bytes: copy, pixelsMax },
        Effect.timeoutOrElse({
          duration: `${DECODING_TIMEOUT_SECONDS} seconds`,
          orElse: () => Effect.fail(new HeicUnreadable())
        }),
        [copy.buffer]
      );
      return pixels ?? (yield* Effect.fail(new HeicUnreadable()));
    })
  ).pipe(
    Semaphore.withPermit(decodings),
    Effect.mapError(() => new HeicUnreadable())
  );
