/** The validated answer of one call, produced by Ask and merged for long inputs. */
import type { Analysis } from "@winnow/core/ports/Analyst";

/** Valid against the requested schema for `ok`; null otherwise. */
export type Answer = Pick<Analysis, "outcome" | "verdictReason" | "extraction" | "quotes" | "confidence"> & {
  /** Warnings for the caller about coerced values; absent if there are none. */
  readonly warnings?: ReadonlyArray<string>;
};
