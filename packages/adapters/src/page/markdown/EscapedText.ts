/**
 * Text written so that CommonMark and its GitHub extensions read back the very same text: no markup, no table, no
 * raw HTML, whatever a page says.
 */

/** What could begin markup where it stands: HTML, entities, links, emphasis, code, struck text. */
const ACTIVE = /[\\`*[~]|<(?! )|&(?=#?[A-Za-z0-9]{0,31}(?:;|$))|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Between spaces, these begin nothing. */
const LONE = /(?<= )\\([*~])(?= )/g;

const ADDRESS = /(?:https?:\/\/|www\.)\S+/giu;

/** GitHub makes links of bare addresses and takes backslashes in them for part of them. */
const unlinked = (address: string, isEnded: boolean): string => {
  const written = address.replace(ACTIVE, "\\$&");
  return written === address && isEnded ? address : written.replace(/https?(?=:\/\/)|www(?=\.)/giu, "$&\\");
};

const escapedWords = (text: string): string => text.replace(ACTIVE, "\\$&").replace(LONE, "$1");

/** Where a text stands: in the label of a link; right before something else. */
interface Standing {
  readonly isLabel: boolean;
  readonly isFollowed: boolean;
}

/** White space is one space; line ends do not matter in running text. */
export const escapedText = (text: string, { isFollowed, isLabel }: Standing): string => {
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

/** A heading, a quote, a list, a rule, the underline of a heading, a fence or a row under the head of a table. */
const LINE_START =
  /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\*(?=\s)|(?:=+|-[-\s]*|~{3,}|:?-[-:|\s]*|\|[-:|\s]*)$)/u;

const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/u;

/** The mark of a note and a colon would define it. */
const NOTE = /^(\[\^[^\]]+\]):/u;

/** One line of a paragraph, already escaped, that must not begin a block. */
export const guardedLine = (line: string): string => {
  if (NOTE.test(line)) return line.replace(NOTE, "$1\\:");
  if (NUMBER.test(line)) return line.replace(NUMBER, "$1\\$2");
  return LINE_START.test(line) ? `\\${line}` : line;
};

/** Closing marks of a heading would be taken off. */
export const guardedHeading = (line: string): string => line.replace(/(^|\s)(#+)$/u, "$1\\$2");

/** Cells of a table end at a bar wherever it stands, in code too. */
export const escapedCell = (written: string): string =>
  written.replace(/\\*\|/g, (bars) => (bars.length % 2 === 0 ? bars : `${bars.slice(0, -1)}\\|`));

/** Of an absolute address, between round brackets. */
export const escapedUrl = (url: string): string =>
  url
    .replace(
      /[\s<>()\\|`[\]]/g,
      (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .replace(/[*_~]/g, "\\$&")
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, "\\&");
