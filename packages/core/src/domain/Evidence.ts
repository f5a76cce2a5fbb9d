/**
 * Where the values of an extraction come from: words of the input that were looked up in it (contract 6).
 */
import * as Schema from "effect/Schema";
import { TextSource } from "./InputText.ts";

/** `metadata` is the title and the publisher's name, as the source tells them. */
export const EvidenceSource = Schema.Union([TextSource, Schema.Literal("metadata")]).annotate({
  identifier: "EvidenceSource"
});
export type EvidenceSource = typeof EvidenceSource.Type;

export const EvidenceItem = Schema.Struct({
  source: EvidenceSource,
  /** As it stands in the source. */
  quote: Schema.String,
  /** Seconds from the start of the media; absent where the source has no times. */
  startSec: Schema.optionalKey(Schema.Finite),
  endSec: Schema.optionalKey(Schema.Finite),
  /** From 1, of a document with pages; that on which the quote begins. */
  page: Schema.optionalKey(Schema.Int),
  /** False where the words stand in the source and say something else: they count as no evidence. */
  supported: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "EvidenceItem" });
export type EvidenceItem = typeof EvidenceItem.Type;

/** Whether any of them bears the value out. */
export const isProven = (items: ReadonlyArray<EvidenceItem> | undefined): boolean =>
  items?.some(({ supported }) => supported !== false) ?? false;

/** By RFC 6901 pointer into the extraction: every scalar value has a list, empty without evidence. */
export const Evidence = Schema.Record(Schema.String, Schema.Array(EvidenceItem)).annotate({
  identifier: "Evidence"
});
export type Evidence = typeof Evidence.Type;
