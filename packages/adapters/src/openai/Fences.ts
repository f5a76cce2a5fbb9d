/**
 * Content on its way into a prompt: between fences that it cannot close, because they carry a random word
 * and whatever looks like one is taken out of the content. Pure; the random word is given.
 */
import { visibleText } from "@winnow/core/domain/VisibleText";

const OPEN = "<<<";
const CLOSE = ">>>";

/** Longest label in characters; labels are ours. */
const LABEL_CHARS_MAX = 120;

/**
 * Joiners within plain Latin words spell nothing; in emoji and other scripts they do. A row of them is tried
 * from its start only: from each place in it, the time would grow by the square of its length.
 */
const NEEDLESS_JOINERS =
  /(?<=[\p{Script=Latin}\p{N}\s])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?=[\p{Script=Latin}\s])/gu;

/** Bytes can be smuggled in rows of variation selectors; one alone picks the look of an emoji. */
const NEEDLESS_SELECTORS = /([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** What chat templates are made of: a tokenizer reads it as the end of a turn, and who speaks next. */
const CONTROL_TOKENS =
  /<[|｜][^<>|｜\n]{1,60}[|｜]>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\]|<\/?(?:s|bos|eos|start_of_turn|end_of_turn|think(?:ing)?|tool_call|tool_response|function_call|im_start|im_end)>/giu;

/** The same words to a reader, and no tokens of a template. */
export const withoutControlTokens = (text: string): string =>
  text.replaceAll(CONTROL_TOKENS, (token) => `${token.slice(0, 1)} ${token.slice(1)}`);

/** The content with nothing in it that a reader does not see, and nothing that looks like a fence. */
export const harmless = (content: string): string =>
  withoutControlTokens(visibleText(content).replace(NEEDLESS_JOINERS, "").replace(NEEDLESS_SELECTORS, "$1"))
    .replaceAll(/<{3,}/gu, "<<")
    .replaceAll(/>{3,}/gu, ">>");

/** `word` is fresh for every call. */
export const fenced = (word: string, label: string, content: string): string =>
  [
    `${OPEN}content ${word}: ${harmless(label).slice(0, LABEL_CHARS_MAX)}${CLOSE}`,
    harmless(content).replaceAll(word, ""),
    `${OPEN}end ${word}${CLOSE}`
  ].join("\n");

/** How the fences look, for the model's instructions. */
export const fencesExplained = (word: string): string =>
  `between a line "${OPEN}content ${word}: ...${CLOSE}" and a line "${OPEN}end ${word}${CLOSE}"`;
