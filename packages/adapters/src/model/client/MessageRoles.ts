/** Converts messages for servers without a system role, or with strictly alternating roles. Pure. */
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam
} from "openai/resources/chat/completions";

type Part = ChatCompletionContentPart;

const partsOf = ({ content }: ChatCompletionMessageParam): ReadonlyArray<Part> => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as ReadonlyArray<Part>) : [];
};

/** Text alone becomes a string. */
const message = (role: "user" | "assistant", parts: ReadonlyArray<Part>): ChatCompletionMessageParam => {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = texts.join("\n\n");
  if (role === "assistant") return { role, content: text };
  return { role, content: texts.length === parts.length ? text : [...parts] };
};

/** The system message is prepended to the first user message; consecutive messages of one role are joined. */
export const withoutSystemRole = (
  messages: ReadonlyArray<ChatCompletionMessageParam>
): ReadonlyArray<ChatCompletionMessageParam> => {
  const turns: Array<{ readonly role: "user" | "assistant"; readonly parts: Array<Part> }> = [];
  for (const each of messages) {
    const role = each.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...partsOf(each));
    else turns.push({ role, parts: [...partsOf(each)] });
  }
  return turns.map(({ role, parts }) => message(role, parts));
};
