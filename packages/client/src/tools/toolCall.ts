/** What a tool has at hand while it carries out a call. */
import type { RunKeys } from "./runKey.ts";
import type { ToolProgress } from "./progress.ts";
import type { ToolSource } from "./toolSource.ts";

export interface ToolCall {
  readonly source: ToolSource;
  /** Ends the call, and with it a wait; never a run. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Of a call that names none, in credits. */
  readonly maxCredits: number;
  readonly keys: RunKeys;
  /** Whose calls may be the same: an account. */
  readonly scope: string;
}
