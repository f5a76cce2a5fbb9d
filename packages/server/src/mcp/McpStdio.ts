/** The tools over standard input and output, for one account of an engine in this process. */
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import * as McpServer from "effect/ai/McpServer";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Calls } from "../embed/Calls.ts";
import { engineSource, type SourceServices } from "./engineSource.ts";
import * as McpTools from "./McpTools.ts";
import { PROTOCOLS, SERVER } from "./McpTransport.ts";

/** Until the host closes its end. */
export const serveStdio = Effect.fnUntraced(function* (accountId: string, maxCredits: number) {
  const calls = new Calls(yield* Effect.context<SourceServices>());
  yield* Effect.addFinalizer(() => Effect.sync(() => calls.close()));
  const source = engineSource(calls, {
    accountId,
    submitter: { requester: { ...UNNAMED_REQUESTER, madeBy: "mcp" }, dailyCredits: null },
    bucketPrefix: null,
    publicUrl: null,
    whileOpen: (wait) => wait(new AbortController().signal)
  });
  const registrations = McpTools.layer({
    maxCredits,
    user: { accountId, source, isLive: Effect.succeed(true) }
  });
  const server = McpServer.layerStdio({ ...SERVER, protocols: PROTOCOLS, registrations });
  // The only possible error is an empty list of protocols.
  return yield* Effect.orDie(Layer.launch(server));
});
