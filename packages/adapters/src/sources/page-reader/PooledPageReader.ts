/**
 * Reads and draws pages in a few warm worker processes, fairly by account. A page that takes too long or too much
 * memory only ends its worker; another is started when it is needed. Tests: PageReader.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { jsonFrame } from "@winnow/isolation/process/Frames";
import { openWorkerPool, type WorkerOptions, type WorkerPool } from "@winnow/isolation/worker/WorkerPool";
import {
  PAGE_BYTES_MAX,
  READING_BYTES_MAX,
  READING_PROCESSOR_MS_MAX,
  WORKER_BUFFERS_MB
} from "@winnow/pages/PageLimits";
import type { PageSource, PageText } from "@winnow/pages/facts/PageReading";
import type { ScannedPage } from "@winnow/pages/documents/pdf/ScannedText";
import { PageUnreadable } from "@winnow/pages/PageUnreadable";
import { PageReader } from "./PageReader.ts";
import { readAnswer, readFacts, readText } from "./ReadAnswer.ts";

const PAGES = {
  entry: "./PageWorker",
  from: import.meta.url,
  buffersMb: WORKER_BUFFERS_MB,
  answerBytesMax: READING_BYTES_MAX,
  processorMs: READING_PROCESSOR_MS_MAX,
  // What PDFium leaves behind is not collected while the next file needs memory, and would be lacking there.
  keptMbMax: 384
};

const makeRead = (pool: WorkerPool) =>
  Effect.fn("PageReader.read")(function* (bytes: Uint8Array, source: PageSource) {
    if (bytes.byteLength > PAGE_BYTES_MAX) return yield* Effect.fail(new PageUnreadable("too_large"));
    const header = { url: source.url, contentType: source.contentType };
    const outcome = yield* pool.run({ header, bytes }).pipe(
      Effect.flatMap(readAnswer),
      Effect.mapError(({ reason }) => new PageUnreadable(reason))
    );
    return "reading" in outcome ? outcome.reading : yield* Effect.fail(new PageUnreadable(outcome.refused));
  });

const makeDraw = (pool: WorkerPool) =>
  Effect.fn("PageReader.draw")(function* (bytes: Uint8Array, page: number) {
    const { bytes: graymap, header } = yield* Effect.mapError(
      pool.run({ header: { page }, bytes }),
      ({ reason }) => new PageUnreadable(reason)
    );
    const { dotsPerInch } = yield* Effect.mapError(readFacts(header), () => new PageUnreadable("crashed"));
    return { dotsPerInch, graymap };
  });

const makeArrange = (pool: WorkerPool) =>
  Effect.fn("PageReader.arrange")((text: PageText, scans: ReadonlyArray<ScannedPage>) =>
    pool.run(jsonFrame([text, scans])).pipe(
      Effect.flatMap(readText),
      Effect.mapError(({ reason }) => new PageUnreadable(reason))
    )
  );

/** Fails if the sandbox is required but does not work. */
export const layerWith = (options: WorkerOptions): Layer.Layer<PageReader, SandboxMissing> =>
  Layer.effect(
    PageReader,
    Effect.map(openWorkerPool(PAGES, options), (pool) => ({
      read: makeRead(pool),
      draw: makeDraw(pool),
      arrange: makeArrange(pool)
    }))
  );

export const layer: Layer.Layer<PageReader> = Layer.orDie(layerWith({}));
