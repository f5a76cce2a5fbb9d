/** What the model says of the inputs of one call, checked: what Ask gives and the reading of long inputs merges. */
import type { Analysis } from "@winnow/core/ports/Analyst";

/** Valid against the schema that was asked with for `ok`; null otherwise. */
export type Answer = Pick<Analysis, "outcome" | "verdictReason" | "extraction" | "quotes" | "confidence"> & {
  /** Sentences for the caller on what was mended. Absent: none. */
  readonly warnings?: ReadonlyArray<string>;
};
