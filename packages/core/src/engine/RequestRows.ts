/**
 * Rows that the look at a request's key brought along, as they were when the request was let in: a use case that wants
 * one of them is spared a trip.
 */
import * as Context from "effect/Context";
import type * as Option from "effect/Option";
import type { Account } from "../domain/Account.ts";
import type { Extraction } from "../domain/Extraction.ts";

export interface RowsOfRequest {
  /** Null where the look at the key did not bring it. */
  readonly account: (() => Account) | null;
  /** The one that the request names and `accountId` owns, where there is such a one; null when it was not looked for. */
  readonly extraction: {
    readonly accountId: string;
    readonly id: string;
    readonly read: () => Option.Option<Extraction>;
  } | null;
}

/** Of the request that this fiber serves. */
export class RequestRows extends Context.Reference<RowsOfRequest>("@winnow/core/engine/RequestRows", {
  defaultValue: () => ({ account: null, extraction: null })
}) {}
