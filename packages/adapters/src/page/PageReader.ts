/**
 * Reads pages in a few warm worker threads. A page that takes too long or too much memory only ends its worker;
 * another is started when it is needed.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { withinLimit } from "../worker/ProcessorTime.ts";
import { makeWorkerPool, type WorkerPool } from "../worker/WorkerPool.ts";
import {
  PAGE_BYTES_MAX,
  READING_PROCESSOR_MS_MAX,
  READING_WALL_MS_MAX,
  TREE_TEXT_CHARS_MAX,
  WORKER_BUFFERS_MB,
  WORKER_HEAP_MB,
  WORKERS_MAX
} from "./PageLimits.ts";
import type { PageReading, PageSource } from "./PageReading.ts";
import { PageUnreadable } from "./PageUnreadable.ts";
import type { PageTask } from "./PageWorker.ts";
import type { ReadOutcome } from "./ReadBytes.ts";

const MESSAGES: Readonly<Record<PageUnreadable["reason"], string>> = {
  empty: "The page has no text, no title and no media.",
  unsupported_type: "The document is neither HTML, PDF, DOCX, PPTX, EPUB, Markdown nor plain text.",
  damaged: "The document is damaged: its parts cannot be read.",
  encrypted: "The document is encrypted: it requires a password.",
  too_large: `The page is larger than ${PAGE_BYTES_MAX / 1_000_000} MB, or its text than ${TREE_TEXT_CHARS_MAX / 1_000_000} million characters.`,
  timeout: `The page could not be read within ${READING_PROCESSOR_MS_MAX / 1_000} seconds of processor time.`,
  crashed: "The page could not be read."
};

const unreadable = (reason: PageUnreadable["reason"]): PageUnreadable =>
  new PageUnreadable({ reason, message: MESSAGES[reason] });

const inTime = withinLimit({
  processorMs: READING_PROCESSOR_MS_MAX,
  wallMs: READING_WALL_MS_MAX,
  orElse: (): Effect.Effect<ReadOutcome, PageUnreadable> => Effect.fail(unreadable("timeout"))
});

type Read = (bytes: Uint8Array, source: PageSource) => Effect.Effect<PageReading, PageUnreadable>;

const makeRead = (pool: WorkerPool<PageTask, ReadOutcome>): Read =>
  Effect.fn("PageReader.read")(function* (bytes: Uint8Array, source: PageSource) {
    if (bytes.byteLength > PAGE_BYTES_MAX) return yield* unreadable("too_large");
    const copy = new Uint8Array(bytes);
    const outcome = yield* pool
      .run({ bytes: copy, source }, inTime, [copy.buffer])
      .pipe(Effect.catchTag("WorkerEnded", () => Effect.fail(unreadable("crashed"))));
    return "reading" in outcome ? outcome.reading : yield* unreadable(outcome.refused);
  });

export class PageReader extends Context.Service<
  PageReader,
  {
    /**
     * The bytes still belong to the caller. Waits for a free worker; the time limit starts then. Interruption
     * ends the reading at once.
     */
    readonly read: Read;
  }
>()("@winnow/adapters/page/PageReader") {
  static readonly layer: Layer.Layer<PageReader> = Layer.effect(
    PageReader,
    Effect.map(
      makeWorkerPool<PageTask, ReadOutcome>({
        entry: "./PageWorker",
        from: import.meta.url,
        workersMax: WORKERS_MAX,
        heapMb: WORKER_HEAP_MB,
        buffersMb: WORKER_BUFFERS_MB,
        saysReady: true
      }),
      (pool) => ({ read: makeRead(pool) })
    )
  );
}
