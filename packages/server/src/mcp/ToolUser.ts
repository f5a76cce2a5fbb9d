/**
 * Whose call of a tool it is: of each request over HTTP, of the process over standard input.
 */
import type { ToolCall, ToolSource } from "@winnow/client/tools";
import type { McpRequestContext } from "effect/ai/McpSchema";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";

export class ToolUser extends Context.Service<
  ToolUser,
  { readonly accountId: string; readonly source: ToolSource }
>()("@winnow/server/mcp/ToolUser") {}

/** Of the request at hand: what a tool or a resource has while `signal` is not aborted. */
export type CallMaker = Effect.Effect<(signal: AbortSignal) => ToolCall, never, McpRequestContext>;
