/** Results as the client returns them: `outcome` determines the type of `extraction`. Tests: typing.test.ts. */
import type * as Wire from "../generated/types.ts";
import type { Values } from "./jsonSchemaValue.ts";

type Verdict = "outcome" | "extraction" | "evidence" | "verdictReason";

/** Fields of every complete extraction. */
export interface CompleteFields extends Omit<Wire.CompleteResult, Verdict> {}

/** The content matched. */
export interface OkResult<T = Values> extends CompleteFields {
  readonly outcome: "ok";
  /** Conforms to the schema. */
  readonly extraction: T;
  /** Where each value was found, by JSON pointer into `extraction` as the service sent it. */
  readonly evidence?: Exclude<Wire.CompleteResult["evidence"], undefined>;
  readonly verdictReason?: never;
}

/** The content does not match the schema, or is insufficient to decide. The run is complete and charged. */
export interface RejectedResult extends CompleteFields {
  readonly outcome: "no_match" | "uncertain";
  readonly extraction: null;
  /** One sentence. */
  readonly verdictReason: string;
  readonly evidence?: never;
}

/** A download-only run. */
export interface DownloadResult extends CompleteFields {
  readonly outcome: null;
  readonly extraction: null;
  readonly evidence?: never;
  readonly verdictReason?: never;
}

/** The result of a complete extraction. Check `outcome` first. */
export type CompleteResult<T = Values> = OkResult<T> | RejectedResult | DownloadResult;

/** A final result. */
export type TerminalResult<T = Values> = CompleteResult<T> | Wire.FailedResult;
