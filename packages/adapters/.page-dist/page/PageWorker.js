/** Entry of a worker thread: one page in, one outcome out. Knows no Effect, so that it starts fast. */
import { parentPort } from "node:worker_threads";
import { readBytes } from "./ReadBytes.js";
const answer = (outcome, isDraft) => parentPort?.postMessage({ outcome, isDraft });
parentPort?.on("message", ({ bytes, source }) => {
    // A rejection becomes an error of the thread, which its owner sees.
    void readBytes(bytes, source, (draft) => answer(draft, true)).then((outcome) => answer(outcome, false));
});
