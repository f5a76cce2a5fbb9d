/** A port of this adapter: reads what was fetched, as a page or a document. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { PageReading, PageSource } from "@winnow/pages/facts/PageReading";
import type { PageUnreadable } from "@winnow/pages/PageUnreadable";

export class PageReader extends Context.Service<
  PageReader,
  {
    /**
     * Waits for the account's turn; the time limit starts then. Interruption ends the reading at once.
     */
    readonly read: (bytes: Uint8Array, source: PageSource) => Effect.Effect<PageReading, PageUnreadable>;
  }
>()("@winnow/adapters/sources/page-reader/PageReader") {}
