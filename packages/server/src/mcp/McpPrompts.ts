/** The prompts of @winnow/client/tools on an MCP server. */
import { PROMPTS } from "@winnow/client/tools";
import * as McpSchema from "effect/ai/McpSchema";
import * as McpServer from "effect/ai/McpServer";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";

/** Effect's server announces completions to every client, so each argument answers: there are no suggestions. */
const NONE: McpSchema.CompleteResult = { completion: { values: [], total: 0, hasMore: false } };

/** For the arguments of a prompt or the parameters of a resource template. */
export const noCompletions = (
  names: ReadonlyArray<string>
): Record<string, () => Effect.Effect<McpSchema.CompleteResult>> =>
  Object.fromEntries(names.map((name) => [name, () => Effect.succeed(NONE)]));

const isBlank = (given: string | undefined): boolean => given === undefined || given.trim() === "";

/** Registers them with the server. */
export const register = Effect.gen(function* () {
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
          : Effect.fail(
              new McpSchema.InvalidParams({
                message: `The prompt needs the argument \`${missing.name}\`: ${missing.description}`
              })
            );
      }
    });
  }
});
