/**
 * Escapes text so that CommonMark with GitHub's extensions reads back exactly the same text: no markup, table or
 * raw HTML, whatever a page contains.
 */

/** What could begin inline markup: HTML, entities, links, emphasis, code, strikethrough. */
const ACTIVE = /[\\`*[~]|<(?! )|&(?=#?[A-Za-z0-9]{0,31}(?:;|$))|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Markers without effect, because they are between spaces. */
const LONE = /(?<= )\\([*~])(?= )/g;

const ADDRESS = /(?:https?:\/\/|www\.)\S+/giu;

/** GitHub turns bare URLs into links and treats backslashes in them as part of the URL. */
const unlinked = (address: string, isEnded: boolean): string => {
  const written = address.replace(ACTIVE, "\\$&");
  return written === address && isEnded ? address : written.replace(/https?(?=:\/\/)|www(?=\.)/giu, "$&\\");
};

const escapedWords = (text: string): string => text.replace(ACTIVE, "\\$&").replace(LONE, "$1");

/** The context of a text: whether it is a link label, and whether further text follows it directly. */
interface TextContext {
  readonly isLabel: boolean;
  readonly isFollowed: boolean;
}

/** White space becomes one space; line ends have no meaning in running text. */
export const escapedText = (text: string, { isFollowed, isLabel }: TextContext): string => {
  const line = text.replace(/\s+/g, " ");
  const parts: Array<string> = [];
  let end = 0;
  for (const { 0: address, index } of line.matchAll(ADDRESS)) {
    parts.push(
      escapedWords(line.slice(end, index)),
      unlinked(address, !isFollowed || index + address.length < line.length)
    );
    end = index + address.length;
  }
  parts.push(escapedWords(line.slice(end)));
  const written = parts.join("");
  return isLabel ? written.replaceAll("]", "\\]") : written;
};

/** A heading, quote, list, thematic break, setext underline, fence or the delimiter row of a table. */
const LINE_START =
  /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\*(?=\s)|(?:=+|-[-\s]*|~{3,}|:?-[-:|\s]*|\|[-:|\s]*)$)/u;

const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/u;

/** A footnote reference followed by a colon would define the footnote. */
const NOTE = /^(\[\^[^\]]+\]):/u;

/** One line of a paragraph, already escaped, that must not begin a block. */
export const guardedLine = (line: string): string => {
  if (NOTE.test(line)) return line.replace(NOTE, "$1\\:");
  if (NUMBER.test(line)) return line.replace(NUMBER, "$1\\$2");
  return LINE_START.test(line) ? `\\${line}` : line;
};

/** Closing `#` of a heading would be removed. */
export const guardedHeading = (line: string): string => line.replace(/(^|\s)(#+)$/u, "$1\\$2");

/** A pipe ends a table cell anywhere, even in code. */
export const escapedCell = (written: string): string =>
  written.replace(/\\*\|/g, (bars) => (bars.length % 2 === 0 ? bars : `${bars.slice(0, -1)}\\|`));

/** An absolute URL in parentheses. */
export const escapedUrl = (url: string): string =>
  url
    .replace(
      /[\s<>()\\|`[\]]/g,
      (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .replace(/[*_~]/g, "\\$&")
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, "\\&");
