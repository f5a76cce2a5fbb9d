/** Context of a tool call. */
import type { RunKeys } from "./runKey.ts";
import type { ToolProgress } from "./progress.ts";
import type { ToolSource } from "./toolSource.ts";

export interface ToolCall {
  readonly source: ToolSource;
  /** Aborts the call and its wait, but never the run. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Highest price of one call in credits; the argument `maxCredits` can only lower it. */
  readonly maxCredits: number;
  readonly keys: RunKeys;
  /** The account: only calls within one account can be the same run. */
  readonly scope: string;
}
