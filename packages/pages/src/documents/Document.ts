/** The content of a document without HTML markup, and its properties. */
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import type { Content } from "../write/Content.ts";

export interface Document extends Content {
  readonly title: string | null;
  /** What its first page has for a title in its text. */
  readonly heading: string | null;
  readonly author: string | null;
  /** With the precision the document states. */
  readonly date: WrittenDate | null;
  /** As stated by the document. */
  readonly language?: string | null;
  /** As of facts/PageReading; default none. */
  readonly scannedPages?: ReadonlyArray<number>;
}

export type DocumentOutcome =
  | { readonly document: Document }
  | { readonly refused: "damaged" | "encrypted" | "no_text" | "too_large" };
