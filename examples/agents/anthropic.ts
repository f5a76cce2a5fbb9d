/**
 * Winnow's tools for an Anthropic model.
 *
 *   ANTHROPIC_API_KEY=… WINNOW_API_KEY=… node examples/agents/anthropic.ts "What is https://example.com/ about?"
 */
import Anthropic from "@anthropic-ai/sdk";
import { Winnow } from "@winnow/client";
import { winnowTools } from "@winnow/client/tools";

const tools = winnowTools(new Winnow(), { maxCredits: 300 });
const model = process.env.ANTHROPIC_MODEL ?? "claude-sonnet-4-5";
const anthropic = new Anthropic();

const messages: Array<Anthropic.MessageParam> = [
  { role: "user", content: process.argv[2] ?? "What is https://example.com/ about?" }
];

for (;;) {
  const { content, stop_reason } = await anthropic.messages.create({
    model,
    max_tokens: 4_096,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema
    }))
  });
  if (stop_reason !== "tool_use") {
    for (const block of content) if (block.type === "text") console.log(block.text);
    break;
  }
  messages.push({ role: "assistant", content });
  const results: Array<Anthropic.ToolResultBlockParam> = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    const tool = tools.find(({ name }) => name === block.name);
    const text = (await tool?.execute(block.input)) ?? "There is no such tool.";
    results.push({ type: "tool_result", tool_use_id: block.id, content: text });
  }
  messages.push({ role: "user", content: results });
}
