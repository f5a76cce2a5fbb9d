/**
 * Puts content into a prompt between fences that it cannot close: they contain a random string, and anything that
 * looks like a fence is removed from the content. Pure; the caller provides the random string.
 */
import { visibleText } from "@winnow/core/domain/text/VisibleText";

const OPEN = "<<<";
const CLOSE = ">>>";

/** Maximum length of a label, in characters; labels are our own. */
const LABEL_CHARS_MAX = 120;

/**
 * Joiners between Latin letters are meaningless; in emoji and other scripts they are needed. A sequence is matched
 * from its start only, because trying every position takes quadratic time.
 */
const NEEDLESS_JOINERS =
  /(?<=[\p{Script=Latin}\p{N}\s])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?=[\p{Script=Latin}\s])/gu;

/** Sequences of variation selectors can smuggle bytes; a single one chooses an emoji's appearance. */
const NEEDLESS_SELECTORS = /([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** Control tokens of chat templates, which a tokenizer reads as the end of a turn and the next speaker. */
const CONTROL_TOKENS =
  /<[|｜][^<>|｜\n]{1,60}[|｜]>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\]|<\/?(?:s|bos|eos|start_of_turn|end_of_turn|think(?:ing)?|tool_call|tool_response|function_call|im_start|im_end)>/giu;

/** The same text for a reader, with control tokens broken up. */
export const withoutControlTokens = (text: string): string =>
  text.replaceAll(CONTROL_TOKENS, (token) => `${token.slice(0, 1)} ${token.slice(1)}`);

/** The content without invisible characters and anything that looks like a fence. */
export const harmless = (content: string): string =>
  withoutControlTokens(visibleText(content).replace(NEEDLESS_JOINERS, "").replace(NEEDLESS_SELECTORS, "$1"))
    .replaceAll(/<{3,}/gu, "<<")
    .replaceAll(/>{3,}/gu, ">>");

/** `word` must be new for every call. */
export const fenced = (word: string, label: string, content: string): string =>
  [
    `${OPEN}content ${word}: ${harmless(label).slice(0, LABEL_CHARS_MAX)}${CLOSE}`,
    harmless(content).replaceAll(word, ""),
    `${OPEN}end ${word}${CLOSE}`
  ].join("\n");

/** Describes the fences in the model's instructions. */
export const fencesExplained = (word: string): string =>
  `between a line "${OPEN}content ${word}: ...${CLOSE}" and a line "${OPEN}end ${word}${CLOSE}"`;
