/** What the tools are given: by the operator, and by each request over HTTP or the process over standard input. */
import type { ToolCall, ToolSource } from "@winnow/client/tools";
import type { McpRequestContext } from "effect/ai/McpSchema";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";

export const MCP_PATH = "/mcp";

export interface McpOptions {
  /** Highest price of a call, in credits. */
  readonly maxCredits: number;
  /** Origins whose pages may call. */
  readonly allowedOrigins: ReadonlyArray<string>;
}

/** The caller of a tool. */
export class ToolUser extends Context.Service<
  ToolUser,
  {
    readonly accountId: string;
    readonly source: ToolSource;
    /** Whether the caller's key is still valid. */
    readonly isLive: Effect.Effect<boolean>;
  }
>()("@winnow/server/mcp/ToolUser") {}

/** Of the current request: what a tool or a resource has until `signal` is aborted. */
export type CallMaker = Effect.Effect<
  (signal: AbortSignal) => ToolCall & {
    /** Resolves when all progress so far has been sent. */
    readonly progressSent: () => Promise<unknown>;
  },
  never,
  McpRequestContext
>;
