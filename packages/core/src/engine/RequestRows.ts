/** Rows that were loaded together with the request's API key, so that use cases can avoid a query. */
import * as Context from "effect/Context";
import type * as Option from "effect/Option";
import type { Account } from "../domain/money/Account.ts";
import type { Extraction } from "../domain/run/Extraction.ts";

export interface RowsOfRequest {
  /** Null if the key's query did not load it. */
  readonly account: (() => Account) | null;
  /** The extraction named by the request, if `accountId` owns it; null if it was not queried. */
  readonly extraction: {
    readonly accountId: string;
    readonly id: string;
    readonly read: () => Option.Option<Extraction>;
  } | null;
}

/** Of the current request. */
export class RequestRows extends Context.Reference<RowsOfRequest>("@winnow/core/engine/RequestRows", {
  defaultValue: () => ({ account: null, extraction: null })
}) {}
