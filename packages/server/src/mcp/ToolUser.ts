/**
 * Whose call of a tool it is: of each request over HTTP, of the process over standard input.
 */
import type { ToolSource } from "@winnow/client/tools";
import * as Context from "effect/Context";

export class ToolUser extends Context.Service<
  ToolUser,
  { readonly accountId: string; readonly source: ToolSource }
>()("@winnow/server/mcp/ToolUser") {}
