/** Messages for servers that have no role of the system, or want the user and the model to take turns. Pure. */
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam
} from "openai/resources/chat/completions";

type Part = ChatCompletionContentPart;

const partsOf = ({ content }: ChatCompletionMessageParam): ReadonlyArray<Part> => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as ReadonlyArray<Part>) : [];
};

/** Texts alone are one string. */
const message = (role: "user" | "assistant", parts: ReadonlyArray<Part>): ChatCompletionMessageParam => {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = texts.join("\n\n");
  if (role === "assistant") return { role, content: text };
  return { role, content: texts.length === parts.length ? text : [...parts] };
};

/** What the system says stands at the start of what the user says; rows of one role are one message. */
export const inPlainTurns = (
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
