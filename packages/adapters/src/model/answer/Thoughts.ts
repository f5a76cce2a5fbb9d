/** Takes reasoning, in the marks that models and servers use, out of a model's output. Pure. Tests: reading.test.ts. */
import { makeEndAround } from "./JsonInText.ts";

const NAME = "(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)";

/** `<think>` and `</think>`. Group 1 matches the start of reasoning, and nothing at its end. */
const MARKS = new RegExp(
  [
    `<(?!/)()${NAME}(?:\\s[^<>]{0,200})?>`,
    `</${NAME}\\s*>`,
    "\\[()THINK\\]|\\[/THINK\\]",
    "◁()think▷|◁/think▷",
    "<\\|()(?:begin_of_thought|START_THINKING)\\|>|<\\|(?:end_of_thought|END_THINKING)\\|>"
  ].join("|"),
  "giu"
);

/** Harmony format: channels of one message, of which `final` is the answer. */
const FINAL = /<\|channel\|>\s*final\b[^<]{0,100}<\|message\|>/gu;
const CHANNEL = /<\|(?:channel|start|message)\|>/u;
const MESSAGE_END = /<\|(?:end|return|call|start|channel)\|>/u;

/** What remains of it if a server removed the marks: `analysisThe user wants…assistantfinal{`. */
const BARE_FINAL = /^\s*analysis[\s\S]*?assistant\s?final(?=\s*[[{`])/u;

/** Null without channels; empty if the final channel never began. */
const finalChannel = (text: string): string | null => {
  if (!CHANNEL.test(text)) return null;
  const last = [...text.matchAll(FINAL)].at(-1);
  if (last === undefined) return "";
  const message = text.slice(last.index + last[0].length);
  const end = MESSAGE_END.exec(message);
  return end === null ? message : message.slice(0, end.index);
};

/**
 * The text outside of all reasoning. Everything before an unmatched end, and after an unmatched start, is
 * reasoning. Marks within an object outside of it are words of its texts.
 */
const outside = (text: string): string => {
  const endAround = makeEndAround(text);
  let visible = "";
  let from = 0;
  let objectEnd = 0;
  let inThoughts = false;
  for (const mark of text.matchAll(MARKS)) {
    if (!inThoughts) objectEnd = Math.max(objectEnd, endAround(from, mark.index));
    if (mark.index < objectEnd) continue;
    const isStart = mark.slice(1).some((group) => group !== undefined);
    if (!inThoughts) visible = isStart ? visible + text.slice(from, mark.index) : "";
    inThoughts = isStart;
    from = mark.index + mark[0].length;
  }
  return inThoughts ? visible : visible + text.slice(from);
};

export const withoutThoughts = (text: string): string =>
  finalChannel(text) ?? outside(text.replace(BARE_FINAL, ""));
