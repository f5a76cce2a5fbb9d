/** Text, Markdown, metadata and media addresses of a page or document, read in this process. */
import type { PageReading, PageSource } from "./facts/PageReading.ts";
import { PAGE_BYTES_MAX } from "./PageLimits.ts";
import { PageUnreadable } from "./PageUnreadable.ts";
import { readBytes } from "./ReadBytes.ts";

export type {
  PageKind,
  PageMedia,
  PageMetadata,
  PageReading,
  PageSource,
  PageSubtitle,
  PageText
} from "./facts/PageReading.ts";
export { PageUnreadable } from "./PageUnreadable.ts";

/**
 * Rejects with `PageUnreadable`. It bounds the size of what it reads, not its time or memory: strangers' pages are
 * read in a worker process, as `readPage` of `@winnow/adapters/page` does.
 */
export const readPage = async (bytes: Uint8Array, source: PageSource): Promise<PageReading> => {
  if (bytes.byteLength > PAGE_BYTES_MAX) throw new PageUnreadable("too_large");
  const outcome = await readBytes(bytes, source);
  if ("refused" in outcome) throw new PageUnreadable(outcome.refused);
  return outcome.reading;
};
