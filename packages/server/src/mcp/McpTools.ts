/** The tools, prompts and resources of @winnow/client/tools on an MCP server. The request determines the caller. Tests: McpHttp.test.ts. */
import {
  PROMPTS,
  errorText,
  readResource,
  RESOURCES,
  RESOURCE_TEMPLATES,
  callTool,
  RunKeys,
  TOOL_DEFINITIONS,
  type ToolAnswer,
  type ToolContent
} from "@winnow/client/tools";
import * as McpSchema from "effect/ai/McpSchema";
import * as McpServer from "effect/ai/McpServer";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { ToolUser, type CallMaker } from "./ToolUser.ts";
import * as Layer from "effect/Layer";
import { answerWhileLive, isStillLive } from "../http/authentication/whileLive.ts";

// The prompts of @winnow/client/tools on an MCP server.

/** Effect's server announces completions to every client, so each argument answers: there are no suggestions. */
const NONE: McpSchema.CompleteResult = { completion: { values: [], total: 0, hasMore: false } };

/** For the arguments of a prompt or the parameters of a resource template. */
const noCompletions = (
  names: ReadonlyArray<string>
): Record<string, () => Effect.Effect<McpSchema.CompleteResult>> =>
  Object.fromEntries(names.map((name) => [name, () => Effect.succeed(NONE)]));

const isBlank = (given: string | undefined): boolean => given === undefined || given.trim() === "";

/** Registers them with the server. */
const registerPrompts = Effect.gen(function* () {
  const server = yield* McpServer.McpServer;
  for (const { text, ...prompt } of PROMPTS) {
    yield* server.addPrompt({
      prompt: new McpSchema.Prompt(prompt),
      annotations: Context.empty(),
      completions: noCompletions(prompt.arguments.map(({ name }) => name)),
      handle: (given) => {
        const missing = prompt.arguments.find(({ name, required }) => required && isBlank(given[name]));
        return missing === undefined
          ? Effect.succeed(
              new McpSchema.GetPromptResult({
                messages: [{ role: "user", content: { type: "text", text: text(given) } }]
              })
            )
          : new McpSchema.InvalidParams({
              message: `The prompt needs the argument \`${missing.name}\`: ${missing.description}`
            });
      }
    });
  }
});

// The resources of @winnow/client/tools on an MCP server: files of extractions and saved schemas.

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
const registerResources = Effect.fnUntraced(function* (makeCall: CallMaker) {
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

interface McpToolsOptions {
  /** Highest price of a call, in credits. */
  readonly maxCredits: number;
  /** The caller, if it is not determined by each request. */
  readonly user?: ToolUser["Service"];
}

const contentOf = (part: ToolContent) =>
  part.type === "image" ? { ...part, data: new Uint8Array(Buffer.from(part.data, "base64")) } : part;

const resultOf = (answer: ToolAnswer): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({ ...answer, content: answer.content.map(contentOf) });

type Token = string | number;

const tokenOf = (metadata: unknown): Token | null => {
  const { progressToken } = (metadata ?? {}) as { readonly progressToken?: unknown };
  return typeof progressToken === "string" || typeof progressToken === "number" ? progressToken : null;
};

type RequestContext = Context.Context<McpSchema.McpRequestContext>;

/** The caller of the current request; the protocol's types do not show that it is there. */
const userOf = ({ user }: McpToolsOptions) =>
  Effect.map(
    Effect.context<McpSchema.McpRequestContext>(),
    (context) =>
      user ?? Context.get(context as Context.Context<McpSchema.McpRequestContext | ToolUser>, ToolUser)
  );

const makeCallOf = (
  server: McpServer.McpServer["Service"],
  keys: RunKeys,
  options: McpToolsOptions
): CallMaker =>
  Effect.gen(function* () {
    const context: RequestContext = yield* Effect.context<McpSchema.McpRequestContext>();
    const { accountId, source, isLive } = yield* userOf(options);
    const { requestMetadata } = yield* McpSchema.McpRequestContext;
    const progressToken = tokenOf(requestMetadata);
    const run = Effect.runPromiseWith(context);
    let progressSent: Promise<unknown> = Promise.resolve();
    return (signal) => ({
      progressSent: () => progressSent,
      source,
      signal,
      scope: accountId,
      keys,
      maxCredits: options.maxCredits,
      onProgress: (progress) => {
        if (progressToken === null) return;
        const notify = server.notifications["notifications/progress"]({
          progressToken,
          ...progress
        } as never);
        progressSent = progressSent.then(() => run(Effect.when(notify, isStillLive(isLive)))).catch(() => {});
      }
    });
  });

const REVOKED = new McpSchema.CallToolResult({
  isError: true,
  content: [{ type: "text", text: "This API key was revoked while the call was waiting." }]
});

/** The wait ends with the request, or when its key is revoked; the run continues. */
const handle = (name: string, makeCall: CallMaker, options: McpToolsOptions) =>
  Effect.fnUntraced(function* (given: unknown) {
    const call = yield* makeCall;
    const { isLive } = yield* userOf(options);
    const answer = Effect.tryPromise(async (signal) => {
      const { progressSent, ...made } = call(signal);
      const result = await callTool(name, given, made);
      // Hosts ignore progress that arrives after the result.
      await progressSent();
      return resultOf(result);
    }).pipe(Effect.orDie);
    return yield* answerWhileLive(answer, isLive, REVOKED);
  });

/** Registers the tools in order, with resources and prompts. */
export const layer = (options: McpToolsOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer;
      const makeCall = makeCallOf(server, new RunKeys(), options);
      for (const definition of TOOL_DEFINITIONS) {
        const { title, ...rest } = definition;
        yield* server.addTool({
          tool: new McpSchema.Tool({ ...rest, title, annotations: rest.annotations } as never),
          annotations: Context.empty(),
          handle: handle(definition.name, makeCall, options)
        });
      }
      yield* registerResources(makeCall);
      yield* registerPrompts;
    })
  );
