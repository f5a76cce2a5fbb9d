/**
 * `winnow mcp`: the tools of @winnow/client/tools over standard input and output, with a local engine. Needs no
 * server or account; extractions are lost when the process ends.
 */
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import { usableSettings } from "./environment.ts";

export const mcp = Command.make(
  "mcp",
  {},
  Effect.fnUntraced(function* () {
    const settings = yield* usableSettings;
    const { serveStdio } = yield* Effect.promise(() => import("../mcp/McpStdio.ts"));
    const { localClient } = yield* Effect.promise(() => import("./localServer.ts"));
    const { clientSource } = yield* Effect.promise(() => import("@winnow/client/tools"));
    const { accountId, client } = yield* localClient(settings);
    // Nothing serves links to files.
    const source = { ...clientSource(client), link: () => Promise.resolve(null) };
    yield* serveStdio(accountId, source, settings.mcpMaxCredits);
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve the tools for assistants (MCP) over standard input and output, without a server"
  ),
  Command.withExamples([
    { command: "claude mcp add winnow -- npx -y @winnow/server mcp", description: "Add it to Claude Code" }
  ])
);
