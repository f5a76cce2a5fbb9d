/** A port of this adapter: reads what was fetched, as a page or a document, and draws scanned pages. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { PagePicture } from "@winnow/pages/documents/pdf/PdfPictures";
import type { ScannedPage } from "@winnow/pages/documents/pdf/ScannedText";
import type { PageReading, PageSource, PageText } from "@winnow/pages/facts/PageReading";
import type { PageUnreadable } from "@winnow/pages/PageUnreadable";

export class PageReader extends Context.Service<
  PageReader,
  {
    /**
     * Waits for the account's turn; the time limit starts then. Interruption ends the reading at once.
     */
    readonly read: (bytes: Uint8Array, source: PageSource) => Effect.Effect<PageReading, PageUnreadable>;
    /** A page of a PDF, by its number from 1. Waits and ends in the same way. */
    readonly draw: (bytes: Uint8Array, page: number) => Effect.Effect<PagePicture, PageUnreadable>;
    /** The text of a document, with the words of its scanned pages. Waits and ends in the same way. */
    readonly arrange: (
      text: PageText,
      scans: ReadonlyArray<ScannedPage>
    ) => Effect.Effect<PageText, PageUnreadable>;
  }
>()("@winnow/adapters/sources/page-reader/PageReader") {}
