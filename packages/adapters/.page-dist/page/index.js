/** Text, metadata and media addresses of a page, for use without Effect (contract 10). */
import * as ManagedRuntime from "effect/ManagedRuntime";
import { PageReader } from "./PageReader.js";
export { PageReader } from "./PageReader.js";
export { PageUnreadable } from "./PageUnreadable.js";
/** Started by the first call; its idle workers do not keep a process alive. */
const runtime = ManagedRuntime.make(PageReader.layer);
/** Rejects with `PageUnreadable`. `signal` ends the reading at once. */
export const readPage = (bytes, source) => runtime.runPromise(PageReader.use((reader) => reader.read(bytes, { url: source.url, contentType: source.contentType })), source.signal === undefined ? {} : { signal: source.signal });
