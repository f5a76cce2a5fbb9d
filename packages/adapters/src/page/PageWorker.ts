/** Entry of a worker thread: one page in, one outcome out. Knows no Effect, so that it starts fast. */
import { parentPort } from "node:worker_threads";
import type { PageSource } from "./PageReading.ts";
import { readBytes, type ReadOutcome } from "./ReadBytes.ts";

export interface PageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly source: PageSource;
}

/** A draft may come first and stands if nothing else does. */
export interface PageAnswer {
  readonly outcome: ReadOutcome;
  readonly isDraft: boolean;
}

const answer = (outcome: ReadOutcome, isDraft: boolean): void =>
  parentPort?.postMessage({ outcome, isDraft } satisfies PageAnswer);

parentPort?.on("message", ({ bytes, source }: PageTask) => {
  // A rejection becomes an error of the thread, which its owner sees.
  void readBytes(bytes, source, (draft) => answer(draft, true)).then((outcome) => answer(outcome, false));
});
