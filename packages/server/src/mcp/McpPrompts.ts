/** The prompts of @winnow/client/tools on an MCP server. */
import { PROMPTS } from "@winnow/client/tools";
import * as McpSchema from "effect/ai/McpSchema";
import * as McpServer from "effect/ai/McpServer";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { noCompletions } from "./noCompletions.ts";

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
