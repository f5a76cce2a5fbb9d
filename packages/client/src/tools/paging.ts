/**
 * Long texts in pages that fit into a tool result. A cursor is the index of the next character. Tests: tools.test.ts.
 */
import { CITED_CHARS_MAX } from "../core/itemPath.ts";
import { ToolError } from "./toolError.ts";

/** Default page size. */
export const CHARACTERS_DEFAULT = 16_000;

/** Maximum size of a tool result, both contents together. */
export const CHARACTERS_MAX = 60_000;

interface TextPage {
  readonly text: string;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

const CURSOR = /^\d{1,9}$/u;

const startOf = (text: string, cursor: string | undefined): number => {
  if (cursor === undefined) return 0;
  const start = CURSOR.test(cursor) ? Number(cursor) : Number.NaN;
  if (start <= text.length) return start;
  throw new ToolError(
    "invalid_request",
    `cursor is ${JSON.stringify(cursor.slice(0, CITED_CHARS_MAX))}, which is not a position in this text; pass ` +
      `\`nextCursor\` of the previous page, with the same arguments.`
  );
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * Where a page ends: after the last line break in its second half, if there is one, and never within a
 * character.
 */
const endOf = (text: string, start: number, characters: number): number => {
  const most = start + characters;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf("\n", most - 1) + 1;
  if (line > start + characters / 2) return line;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return end > start ? end : start + 2;
};

/** The concatenated pages are the text. `characters` is 1 or more. */
export const pageOfText = (text: string, cursor: string | undefined, characters: number): TextPage => {
  const start = startOf(text, cursor);
  const end = endOf(text, start, characters);
  return { text: text.slice(start, end), nextCursor: end < text.length ? String(end) : null };
};

/** The beginning of a text, with an ellipsis when there is more. */
export const beginningOf = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, endOf(text, 0, characters - 1)).trimEnd()}…`;
