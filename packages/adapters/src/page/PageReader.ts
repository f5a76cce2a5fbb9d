/**
 * Reads pages in a few warm worker threads. A page that takes too long or too much memory ends its worker
 * and nothing else; another is started when next needed.
 */
import { Worker } from "node:worker_threads";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Pool from "effect/Pool";
import type * as Scope from "effect/Scope";
import {
  PAGE_BYTES_MAX,
  READING_TIMEOUT_MS,
  TREE_TEXT_CHARS_MAX,
  WORKER_HEAP_MB,
  WORKERS_MAX
} from "./PageLimits.ts";
import type { PageReading, PageSource } from "./PageReading.ts";
import { PageUnreadable } from "./PageUnreadable.ts";
import type { PageAnswer, PageTask } from "./PageWorker.ts";
import type { ReadOutcome } from "./ReadBytes.ts";

/** The same extension as this module: TypeScript source in the workspace, JavaScript when built. */
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./PageWorker.ts" : "./PageWorker.js",
  import.meta.url
);

const MESSAGES: Readonly<Record<PageUnreadable["reason"], string>> = {
  empty: "The page has no text, no title and no media.",
  unsupported_type: "The document is neither HTML nor plain text.",
  too_large: `The page is larger than ${PAGE_BYTES_MAX / 1_000_000} MB, or its text than ${TREE_TEXT_CHARS_MAX / 1_000_000} million characters.`,
  timeout: `The page could not be read within ${READING_TIMEOUT_MS / 1_000} seconds.`,
  crashed: "The page could not be read."
};

const unreadable = (reason: PageUnreadable["reason"]): PageUnreadable =>
  new PageUnreadable({ reason, message: MESSAGES[reason] });

/** An idle worker does not keep the process alive, and its end is noticed at its next task. */
const startWorker: Effect.Effect<Worker, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const worker = new Worker(WORKER_URL, {
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
      // Options of this process are not meant for it, and some (--eval, --input-type) would stop it.
      execArgv: []
    });
    worker.on("error", () => {}).unref();
    return worker;
  }),
  (worker) => Effect.promise(() => worker.terminate())
);

/** Grows to its maximum as needed and keeps what it has started. */
const makePool = Pool.makeWithStrategy({
  acquire: startWorker,
  min: 0,
  max: WORKERS_MAX,
  strategy: { run: () => Effect.void, onAcquire: () => Effect.void, reclaim: () => Effect.undefined }
});

/** One outcome, or none when interrupted; the worker is then still busy and must be ended. */
const ask = (
  worker: Worker,
  task: PageTask,
  onDraft: (draft: ReadOutcome) => void
): Effect.Effect<ReadOutcome, PageUnreadable> =>
  Effect.callback((resume) => {
    const answer = ({ isDraft, outcome }: PageAnswer): void => {
      if (isDraft) return onDraft(outcome);
      stop();
      resume(Effect.succeed(outcome));
    };
    const fail = (): void => {
      stop();
      resume(Effect.fail(unreadable("crashed")));
    };
    const stop = (): void => {
      worker.off("message", answer).off("messageerror", fail).off("error", fail).off("exit", fail).unref();
    };
    // Of a thread that has ended.
    if (worker.threadId < 0) return resume(Effect.fail(unreadable("crashed")));
    worker.on("message", answer).on("messageerror", fail).on("error", fail).on("exit", fail).ref();
    worker.postMessage(task, [task.bytes.buffer]);
    return Effect.sync(stop);
  });

type Read = (bytes: Uint8Array, source: PageSource) => Effect.Effect<PageReading, PageUnreadable>;

const makeRead = (pool: Pool.Pool<Worker>): Read =>
  Effect.fn("PageReader.read")(function* (bytes: Uint8Array, source: PageSource) {
    if (bytes.byteLength > PAGE_BYTES_MAX) return yield* unreadable("too_large");
    let draft: ReadOutcome | null = null;
    const outcome = yield* Pool.use(pool, (worker) =>
      ask(worker, { bytes: new Uint8Array(bytes), source }, (found) => void (draft = found)).pipe(
        Effect.timeoutOrElse({
          duration: READING_TIMEOUT_MS,
          orElse: () => Effect.fail(unreadable("timeout"))
        }),
        Effect.onError(() => Pool.invalidate(pool, worker))
      )
    ).pipe(Effect.catch((failure) => (draft === null ? Effect.fail(failure) : Effect.succeed(draft))));
    return "reading" in outcome ? outcome.reading : yield* unreadable(outcome.refused);
  });

export class PageReader extends Context.Service<
  PageReader,
  {
    /**
     * The bytes stay the caller's. Waits for a free worker; the time limit counts from there. Interruption
     * ends the reading at once.
     */
    readonly read: Read;
  }
>()("@winnow/adapters/page/PageReader") {
  static readonly layer: Layer.Layer<PageReader> = Layer.effect(
    PageReader,
    Effect.map(makePool, (pool) => ({ read: makeRead(pool) }))
  );
}
