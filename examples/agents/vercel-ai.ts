/**
 * Winnow's tools for Vercel's AI SDK, with any model.
 *
 *   AI_GATEWAY_API_KEY=… WINNOW_API_KEY=… node examples/agents/vercel-ai.ts "What is https://example.com/ about?"
 */
import { Winnow } from "@winnow/client";
import { winnowTools } from "@winnow/client/tools";
import { generateText, isStepCount, jsonSchema, tool, type LanguageModel } from "ai";

/** The model's final answer, after at most eight tool calls. */
export const answer = async (model: LanguageModel, prompt: string, winnow: Winnow): Promise<string> => {
  const tools = winnowTools(winnow, { maxCredits: 300 }).map(
    ({ name, description, inputSchema, execute }) =>
      [name, tool({ description, inputSchema: jsonSchema(inputSchema), execute })] as const
  );
  const { text } = await generateText({
    model,
    prompt,
    tools: Object.fromEntries(tools),
    stopWhen: isStepCount(8)
  });
  return text;
};

if (import.meta.main) {
  const prompt = process.argv[2] ?? "What is https://example.com/ about?";
  console.log(await answer("openai/gpt-5-mini", prompt, new Winnow()));
}
