/** Where in the input the values of an extraction were read, verified against it. Tests: RungQuality.test.ts, QuoteSupport.test.ts. */
import * as Schema from "effect/Schema";
import { PLACE, TextSource } from "../text/InputText.ts";

/**
 * `metadata` is the title and the publisher's name as reported by the source, `ocr` words that a program read from the
 * picture of a scanned page.
 */
export const EvidenceSource = Schema.Literals([...TextSource.literals, "metadata", "ocr"]).annotate({
  identifier: "EvidenceSource"
});
export type EvidenceSource = typeof EvidenceSource.Type;

export const EvidenceItem = Schema.Struct({
  source: EvidenceSource,
  /** Verbatim from the source. */
  quote: Schema.String,
  /** Seconds from the start of the media; absent if the source has no timestamps. */
  startSec: Schema.optionalKey(Schema.Finite),
  endSec: Schema.optionalKey(Schema.Finite),
  /** Where the quote begins. */
  ...PLACE,
  /** RFC 6901 pointer to the quoted value in `metadata.json`; only for structured data. */
  pointer: Schema.optionalKey(Schema.String),
  /** False if the quote exists in the source but does not support the value; it then does not count as evidence. */
  supported: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "EvidenceItem" });
export type EvidenceItem = typeof EvidenceItem.Type;

/** Whether any quote supports the value. */
export const isProven = (items: ReadonlyArray<EvidenceItem> | undefined): boolean =>
  items?.some(({ supported }) => supported !== false) ?? false;

/**
 * By RFC 6901 pointer into the extraction. Every scalar value has a list, which is empty if there is no evidence.
 */
export const Evidence = Schema.Record(Schema.String, Schema.Array(EvidenceItem)).annotate({
  identifier: "Evidence"
});
export type Evidence = typeof Evidence.Type;
