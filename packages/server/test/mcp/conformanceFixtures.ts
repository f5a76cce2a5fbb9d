/**
 * What the MCP conformance suite expects a server to offer, instead of Winnow's tools. The suite then tests the
 * transport.
 */
import * as McpSchema from "effect/ai/McpSchema";
import * as McpServer from "effect/ai/McpServer";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

const PNG = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "base64"
  )
);
const WAV = new Uint8Array(
  Buffer.from("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=", "base64")
);

const annotations = Context.empty();
const text = (said: string) => ({ type: "text", text: said }) as const;
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const embedded = (uri: string, mimeType: string, said: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: said } }) as const;

const TOOLS: Readonly<
  Record<string, { readonly content: ReadonlyArray<unknown>; readonly isError?: boolean }>
> = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    ]
  },
  test_error_handling: {
    content: [text("This tool intentionally returns an error for testing")],
    isError: true
  }
};

const inputSchema = { type: "object", properties: {}, additionalProperties: false };

const addTools = Effect.gen(function* () {
  const server = yield* McpServer.McpServer;
  const add = (
    name: string,
    handle: Effect.Effect<McpSchema.CallToolResult, never, McpSchema.McpRequestContext>
  ) =>
    server.addTool({
      tool: new McpSchema.Tool({ name, description: name, inputSchema } as never),
      annotations,
      handle: () => handle
    });
  for (const [name, { content, isError = false }] of Object.entries(TOOLS)) {
    yield* add(name, Effect.succeed(new McpSchema.CallToolResult({ content, isError } as never)));
  }
  const tell = Effect.gen(function* () {
    const { requestMetadata } = yield* McpSchema.McpRequestContext;
    const { progressToken } = (requestMetadata ?? {}) as { readonly progressToken?: string | number };
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      yield* server.notifications["notifications/progress"]({ progressToken, progress, total: 100 } as never);
    }
    return new McpSchema.CallToolResult({ content: [text("Told.")] });
  });
  yield* add("test_tool_with_progress", Effect.orDie(tell) as never);
});

const addResources = Effect.gen(function* () {
  const server = yield* McpServer.McpServer;
  const said = "This is the content of the static text resource.";
  for (const [uri, mimeType, content] of [
    ["test://static-text", "text/plain", { text: said }],
    ["test://static-binary", "image/png", { blob: PNG }]
  ] as const) {
    const contents = [{ uri, mimeType, ...content }] as never;
    yield* server.addResource({
      resource: new McpSchema.Resource({ uri, name: uri, mimeType }),
      annotations,
      handle: Effect.succeed({ contents })
    });
  }
  yield* server.addResourceTemplate({
    template: new McpSchema.ResourceTemplate({ uriTemplate: "test://template/{id}/data", name: "template" }),
    annotations,
    routerPath: "test:://template/:0/data",
    completions: {},
    handle: (uri, [id = ""]) => {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return Effect.succeed({ contents: [{ uri, mimeType: "application/json", text: data }] } as never);
    }
  });
});

const argument = (name: string) => ({ name, description: name, required: true });

const PROMPTS: ReadonlyArray<
  readonly [string, ReadonlyArray<string>, (given: Record<string, string>) => ReadonlyArray<unknown>]
> = [
  ["test_simple_prompt", [], () => [text("This is a simple prompt for testing.")]],
  [
    "test_prompt_with_arguments",
    ["arg1", "arg2"],
    ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)]
  ],
  [
    "test_prompt_with_embedded_resource",
    ["resourceUri"],
    ({ resourceUri = "" }) => [
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above.")
    ]
  ],
  ["test_prompt_with_image", [], () => [image, text("Please analyze the image above.")]]
];

const addPrompts = Effect.gen(function* () {
  const server = yield* McpServer.McpServer;
  for (const [name, names, contents] of PROMPTS) {
    const none = Effect.succeed({ completion: { values: [], total: 0, hasMore: false } } as never);
    yield* server.addPrompt({
      prompt: new McpSchema.Prompt({ name, description: name, arguments: names.map(argument) }),
      annotations,
      completions: Object.fromEntries(names.map((each) => [each, () => none])),
      handle: (given) => {
        const messages = contents(given).map((content) => ({ role: "user", content }));
        return Effect.succeed(new McpSchema.GetPromptResult({ messages } as never));
      }
    });
  }
});

/** Replaces Winnow's tools. */
export const layer = () => Layer.effectDiscard(Effect.all([addTools, addResources, addPrompts]));
