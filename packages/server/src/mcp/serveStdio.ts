/** MCP with Effect's server over standard input and output, for `winnow mcp`. Tests: stdio.test.ts, stdioLines.test.ts. */
import type { ToolSource } from "@winnow/client/tools";
import * as McpServer from "effect/ai/McpServer";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Sink from "effect/Sink";
import * as Stdio from "effect/Stdio";
import { withoutBreaks } from "../http/jsonLine.ts";
import { PROTOCOLS, SERVER } from "./McpTransport.ts";
import * as McpTools from "./McpTools.ts";

/** Some hosts split lines at more than LF. */
const oneLineEach = Layer.effect(
  Stdio.Stdio,
  Stdio.Stdio.useSync((stdio) => ({
    ...stdio,
    stdout: (options) =>
      Sink.mapInput(stdio.stdout(options), (text: string | Uint8Array) =>
        typeof text === "string" ? withoutBreaks(text) : text
      )
  }))
);

/** Over standard input and output for one account of a server in this process, until the host closes its end. */
export const serveStdio = Effect.fnUntraced(function* (
  accountId: string,
  source: ToolSource,
  maxCredits: number
) {
  const registrations = McpTools.layer({
    maxCredits,
    user: { accountId, source, isLive: Effect.succeed(true) }
  });
  const server = McpServer.layerStdio({ ...SERVER, protocols: PROTOCOLS, registrations }).pipe(
    Layer.provide(oneLineEach)
  );
  // The only possible error is an empty list of protocols.
  return yield* Effect.orDie(Layer.launch(server));
});
