/** The resources of @winnow/client/tools on an MCP server: files of extractions and saved schemas. */
import { errorText, readResource, RESOURCES, RESOURCE_TEMPLATES } from "@winnow/client/tools";
import * as McpSchema from "effect/ai/McpSchema";
import * as McpServer from "effect/ai/McpServer";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { noCompletions } from "./McpPrompts.ts";
import type { CallMaker } from "./ToolUser.ts";

const parametersOf = (uriTemplate: string): ReadonlyArray<string> =>
  [...uriTemplate.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name ?? "");

/** In the syntax of Effect's router: the scheme's `:` doubled, parameters numbered. */
const routerPath = (uriTemplate: string): string => {
  let count = 0;
  return uriTemplate.replace(":", "::").replace(/\{\w+\}/gu, () => `:${count++}`);
};

const read = Effect.fnUntraced(function* (uri: string, makeCall: CallMaker) {
  const call = yield* makeCall;
  const contents = yield* Effect.tryPromise({
    try: (signal) => readResource(uri, call(signal)),
    catch: (error) => new McpSchema.InvalidParams({ message: errorText(error) })
  });
  const decoded =
    "blob" in contents
      ? { ...contents, blob: new Uint8Array(Buffer.from(contents.blob, "base64")) }
      : contents;
  return { contents: [decoded] } as typeof McpSchema.ReadResourceResult.Type;
});

/** Registers them with the server; `makeCall` determines the account. */
export const register = Effect.fnUntraced(function* (makeCall: CallMaker) {
  const server = yield* McpServer.McpServer;
  const annotations = Context.empty();
  for (const { uri, ...rest } of RESOURCES) {
    yield* server.addResource({
      resource: new McpSchema.Resource({ uri, ...rest }),
      annotations,
      handle: Effect.mapError(read(uri, makeCall), ({ message }) => new McpSchema.InternalError({ message }))
    });
  }
  for (const { uriTemplate, ...rest } of RESOURCE_TEMPLATES) {
    yield* server.addResourceTemplate({
      template: new McpSchema.ResourceTemplate({ uriTemplate, ...rest }),
      annotations,
      routerPath: routerPath(uriTemplate),
      completions: noCompletions(parametersOf(uriTemplate)),
      handle: (uri) => read(uri, makeCall)
    });
  }
});
