/**
 * Reads pages in a few warm worker processes, fairly by account. A page that takes too long or too much memory only
 * ends its worker; another is started when it is needed.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { SandboxMissing } from "../../programs/sandbox/Sandbox.ts";
import { openWorkerPool, type WorkerOptions, type WorkerPool } from "../../programs/worker/WorkerPool.ts";
import {
  PAGE_BYTES_MAX,
  READING_BYTES_MAX,
  READING_PROCESSOR_MS_MAX,
  TREE_TEXT_CHARS_MAX,
  WORKER_BUFFERS_MB
} from "../PageLimits.ts";
import type { PageReading, PageSource } from "../metadata/PageReading.ts";
import { PageUnreadable } from "../PageUnreadable.ts";
import { readAnswer } from "./ReadAnswer.ts";

const MESSAGES: Readonly<Record<PageUnreadable["reason"], string>> = {
  empty: "The page has no text, no title and no media.",
  unsupported_type: "The document is neither HTML, PDF, DOCX, PPTX, EPUB, Markdown nor plain text.",
  damaged: "The document is damaged: its parts cannot be read.",
  encrypted: "The document is encrypted: it requires a password.",
  too_large: `The page is larger than ${PAGE_BYTES_MAX / 1_000_000} MB, or its text than ${TREE_TEXT_CHARS_MAX / 1_000_000} million characters, or it takes too much memory.`,
  timeout: `The page could not be read within ${READING_PROCESSOR_MS_MAX / 1_000} seconds of processor time.`,
  crashed: "The page could not be read."
};

const unreadable = (reason: PageUnreadable["reason"]): PageUnreadable =>
  new PageUnreadable({ reason, message: MESSAGES[reason] });

const PAGES = {
  entry: "./PageWorker",
  from: import.meta.url,
  buffersMb: WORKER_BUFFERS_MB,
  answerBytesMax: READING_BYTES_MAX,
  processorMs: READING_PROCESSOR_MS_MAX
};

type Read = (
  bytes: Uint8Array,
  source: PageSource,
  accountId: string
) => Effect.Effect<PageReading, PageUnreadable>;

const makeRead = (pool: WorkerPool): Read =>
  Effect.fn("PageReader.read")(function* (bytes: Uint8Array, source: PageSource, accountId: string) {
    if (bytes.byteLength > PAGE_BYTES_MAX) return yield* unreadable("too_large");
    const header = { url: source.url, contentType: source.contentType };
    const outcome = yield* pool.run(accountId, { header, bytes }).pipe(
      Effect.flatMap(readAnswer),
      Effect.mapError(({ reason }) => unreadable(reason))
    );
    return "reading" in outcome ? outcome.reading : yield* unreadable(outcome.refused);
  });

export class PageReader extends Context.Service<
  PageReader,
  {
    /**
     * Waits for the account's turn; the time limit starts then. Interruption ends the reading at once.
     */
    readonly read: Read;
  }
>()("@winnow/adapters/pages/reader/PageReader") {
  /** Fails if the sandbox is required but does not work. */
  static readonly layerWith = (options: WorkerOptions): Layer.Layer<PageReader, SandboxMissing> =>
    Layer.effect(
      PageReader,
      Effect.map(openWorkerPool(PAGES, options), (pool) => ({ read: makeRead(pool) }))
    );

  static readonly layer: Layer.Layer<PageReader> = Layer.orDie(PageReader.layerWith({}));
}
