/** Entry of a worker thread: one page in, one outcome out. Knows no Effect, so that it starts fast. */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { parentPort } from "node:worker_threads";
import type { PageSource } from "./PageReading.ts";
import { readBytes, type ReadOutcome } from "./ReadBytes.ts";

export interface PageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly source: PageSource;
}

// Libraries report strange documents on the console, where they are nobody's business.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));

parentPort?.on("message", ({ bytes, source }: PageTask) => {
  // A rejection becomes an error of the thread, which its owner sees.
  void readBytes(bytes, source).then((outcome) => parentPort?.postMessage(outcome satisfies ReadOutcome));
});
parentPort?.postMessage("ready");
