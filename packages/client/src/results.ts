/** Results as the client hands them out: `outcome` tells what `extraction` is. */
import type * as Wire from "./generated/types.ts";
import type { Values } from "./jsonSchemaValue.ts";

type Verdict = "outcome" | "extraction" | "evidence" | "verdictReason";

/** Of every complete extraction. */
export interface CompleteFields extends Omit<Wire.CompleteResult, Verdict> {}

/** The content matched. */
export interface OkResult<T = Values> extends CompleteFields {
  readonly outcome: "ok";
  /** Conforms to the schema. */
  readonly extraction: T;
  /** By JSON pointer into `extraction` as the service sent it, where each value was found. */
  readonly evidence?: Exclude<Wire.CompleteResult["evidence"], undefined>;
  readonly verdictReason?: never;
}

/** The content is about something else, or says too little. Finished and paid like any other. */
export interface RejectedResult extends CompleteFields {
  readonly outcome: "no_match" | "uncertain";
  readonly extraction: null;
  /** One sentence. */
  readonly verdictReason: string;
  readonly evidence?: never;
}

/** There was no schema. */
export interface DownloadResult extends CompleteFields {
  readonly outcome: null;
  readonly extraction: null;
  readonly evidence?: never;
  readonly verdictReason?: never;
}

/** The result of a complete extraction. Look at `outcome` first. */
export type CompleteResult<T = Values> = OkResult<T> | RejectedResult | DownloadResult;

/** A result that will not change. */
export type TerminalResult<T = Values> = CompleteResult<T> | Wire.FailedResult;
