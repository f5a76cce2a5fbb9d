/** The tools over standard input and output, for one account of a server in this process. */
import type { ToolSource } from "@winnow/client/tools";
import * as McpServer from "effect/ai/McpServer";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as McpTools from "./McpTools.ts";
import { PROTOCOLS, SERVER } from "./McpTransport.ts";

/** Until the host closes its end. */
export const serveStdio = Effect.fnUntraced(function* (
  accountId: string,
  source: ToolSource,
  maxCredits: number
) {
  const registrations = McpTools.layer({
    maxCredits,
    user: { accountId, source, isLive: Effect.succeed(true) }
  });
  const server = McpServer.layerStdio({ ...SERVER, protocols: PROTOCOLS, registrations });
  // The only possible error is an empty list of protocols.
  return yield* Effect.orDie(Layer.launch(server));
});
