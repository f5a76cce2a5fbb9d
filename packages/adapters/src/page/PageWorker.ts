/**
 * Entry point of a worker thread: one page in, one result out. Does not load Effect, so that it starts fast.
 */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { parentPort } from "node:worker_threads";
import type { PageSource } from "./PageReading.ts";
import { readBytes, type ReadOutcome } from "./ReadBytes.ts";

export interface PageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly source: PageSource;
}

// Libraries report malformed documents on the console, where nobody needs to see them.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));

parentPort?.on("message", ({ bytes, source }: PageTask) => {
  // A rejection becomes an error event of the thread, which its owner handles.
  void readBytes(bytes, source).then((outcome) => parentPort?.postMessage(outcome satisfies ReadOutcome));
});
parentPort?.postMessage("ready");
