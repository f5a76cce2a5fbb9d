/**
 * Winnow's tools for an OpenAI model, or any OpenAI-compatible server.
 *
 *   OPENAI_API_KEY=… WINNOW_API_KEY=… node examples/agents/openai.ts "What is https://example.com/ about?"
 */
import { Winnow } from "@winnow/client";
import { winnowTools } from "@winnow/client/tools";
import OpenAI from "openai";

const tools = winnowTools(new Winnow(), { maxCredits: 300 });
const model = process.env.OPENAI_MODEL ?? "gpt-5-mini";
const openai = new OpenAI();

const messages: Array<OpenAI.ChatCompletionMessageParam> = [
  { role: "user", content: process.argv[2] ?? "What is https://example.com/ about?" }
];

for (;;) {
  const { choices } = await openai.chat.completions.create({
    model,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema }
    }))
  });
  const message = choices[0]?.message;
  if (message?.tool_calls === undefined || message.tool_calls.length === 0) {
    console.log(message?.content);
    break;
  }
  messages.push(message);
  for (const call of message.tool_calls) {
    if (call.type !== "function") continue;
    const tool = tools.find(({ name }) => name === call.function.name);
    const content = (await tool?.execute(JSON.parse(call.function.arguments))) ?? "There is no such tool.";
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}
