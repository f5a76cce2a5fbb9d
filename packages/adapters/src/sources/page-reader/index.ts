/** The entrance `@winnow/adapters/page`: `readPage` for use without Effect, and the service that it calls. Tests: PageReader.test.ts. */
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as ManagedRuntime from "effect/ManagedRuntime";
import { PageReader } from "./PageReader.ts";
import * as PooledPageReader from "./PooledPageReader.ts";
import type { PageReading, PageSource } from "@winnow/pages/facts/PageReading";

export { PageReader } from "./PageReader.ts";
export { layer } from "./PooledPageReader.ts";
export type {
  PageKind,
  PageMedia,
  PageMetadata,
  PageReading,
  PageSource,
  PageSubtitle,
  PageText
} from "@winnow/pages/facts/PageReading";
export { PageUnreadable } from "@winnow/pages/PageUnreadable";

/** Started by the first call; its idle workers do not keep a process alive. */
const runtime = ManagedRuntime.make(PooledPageReader.layer);

/** Rejects with `PageUnreadable`. `signal` ends the reading at once. */
export const readPage = (
  bytes: Uint8Array,
  source: PageSource & { readonly signal?: AbortSignal }
): Promise<PageReading> =>
  runtime.runPromise(
    PageReader.use((reader) => reader.read(bytes, source)).pipe(
      Effect.provideService(CurrentRun, runFor(""))
    ),
    source.signal === undefined ? {} : { signal: source.signal }
  );
