/**
 * Writes blocks as CommonMark with GitHub's tables, footnotes and formulas. Never raw HTML, except `<br>` between the
 * lines of a cell. The dashboard draws it again (screens/run/markdown.tsx).
 */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import type { ContentBlock, Inline } from "./Content.ts";

// Text is escaped so that CommonMark with GitHub's extensions reads back exactly the same text: no markup, table or
// raw HTML, whatever a page contains.

/** What could begin inline markup or a cell: `<b`, `&lt;`, `[`, `*`, `_` at the edge of a word, a backtick, `~`, `|`; and `\`. */
const ACTIVE = /[\\`*[~]|<(?! )|&(?=#?[A-Za-z0-9]{0,31}(?:;|$))|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Signs of dollars between which GitHub would read a formula: no space after the first and before the last, no digit
 * after the last. `$x$`; not `$5 and $6`.
 */
const DOLLARS =
  /\$(?=[^\s$](?:[^$]*[^\s$])?\$(?!\d))|(?<=\$[^\s$](?:[^$]*[^\s$])?)\$(?!\d)|\$(?=\$)|(?<=\$)\$/gu;

/** Markers without effect, because they are between spaces. */
const LONE = /(?<= )\\([*~])(?= )/g;

const ADDRESS = /(?:https?:\/\/|www\.)\S+/giu;

/** GitHub turns bare URLs into links and treats backslashes in them as part of the URL. */
const unlinked = (address: string, isEnded: boolean): string => {
  const written = address.replace(ACTIVE, "\\$&");
  return written === address && isEnded ? address : written.replace(/https?(?=:\/\/)|www(?=\.)/giu, "$&\\");
};

const ESCAPED = new RegExp(`${ACTIVE.source}|${DOLLARS.source}`, "gu");

const escapedWords = (text: string): string => text.replace(ESCAPED, "\\$&").replace(LONE, "$1");

/** The context of a text: whether it is a link label, and whether further text follows it directly. */
interface TextContext {
  readonly isLabel: boolean;
  readonly isFollowed: boolean;
}

/** White space becomes one space; line ends have no meaning in running text. */
const escapedText = (text: string, { isFollowed, isLabel }: TextContext): string => {
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

/** `# a`, `> a`, `- a`, and lines of `---`, `===`, `~~~` or `|---|`: heading, quote, list, break, underline, fence, table. */
const LINE_START =
  /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\*(?=\s)|(?:=+|-[-\s]*|~{3,}|:?-[-:|\s]*|\|[-:|\s]*)$)/u;

/** `1.` or `1)` of an ordered list. */
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/u;

/** A footnote reference followed by a colon would define the footnote. */
const NOTE = /^(\[\^[^\]]+\]):/u;

/** One line of a paragraph, already escaped, that must not begin a block. */
const guardedLine = (line: string): string => {
  if (NOTE.test(line)) return line.replace(NOTE, "$1\\:");
  if (NUMBER.test(line)) return line.replace(NUMBER, "$1\\$2");
  return LINE_START.test(line) ? `\\${line}` : line;
};

/** Closing `#` of a heading would be removed. */
const guardedHeading = (line: string): string => line.replace(/(^|\s)(#+)$/u, "$1\\$2");

/** A pipe ends a table cell anywhere, even in code. */
const escapedCell = (written: string): string =>
  written.replace(/\\*\|/g, (bars) => (bars.length % 2 === 0 ? bars : `${bars.slice(0, -1)}\\|`));

const MARKS = { strong: "**", emphasis: "*", struck: "~~" } as const;

/** An absolute URL in parentheses. */
const escapedUrl = (url: string): string =>
  url
    .replace(
      /[\s<>()\\|`[\]]/g,
      (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .replace(/[*_~]/g, "\\$&")
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, "\\&");

const SPACE_OR_PUNCTUATION = /^[\s\p{P}\p{S}]$/u;

const isOpen = (character: string): boolean => character === "" || SPACE_OR_PUNCTUATION.test(character);

/** The longest run of backticks in it. */
const backticks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

/** Uses more backticks than it contains, and spaces if it begins or ends with one. */
const codeSpan = (text: string): string => {
  const line = text.replace(/\s+/g, " ");
  if (line.trim() === "") return line;
  const fence = "`".repeat(backticks(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
};

/** `<` and a letter would begin HTML, and `]:` may end the label of a definition; TeX ignores spaces there. */
const formula = (tex: string, isDisplay: boolean): string => {
  const line = tex
    .replace(/\s+/g, " ")
    .replaceAll("`", "'")
    .replace(/<(?=[A-Za-z/!?])/g, "< ")
    .replaceAll("]:", "] :")
    .trim();
  return isDisplay ? `$$${line}$$` : `$${line}$`;
};

interface Around {
  /** The characters before and after; empty at the edge of a block. */
  readonly before: string;
  readonly after: string;
  /**
   * Whether there is already an emphasis marker at this edge, or it is inside a link: no second one is written.
   */
  readonly isMarked: boolean;
  /** Whether it is the label of a link. */
  readonly isLabel: boolean;
}

const lastOf = (written: string): string => /.$/su.exec(written.slice(-2))?.[0] ?? "";

const firstOf = (inlines: ReadonlyArray<Inline>): string => {
  const [first] = inlines;
  if (first === undefined) return "";
  if (first.type === "text") return /^./su.exec(first.text)?.[0] ?? "";
  // After one emphasis marker, the next is omitted.
  if (first.type === "strong" || first.type === "emphasis" || first.type === "struck")
    return firstOf(first.children);
  return first.type === "break" ? " " : "[";
};

/** Spaces at its edges are moved outside the markers. */
const trimmed = (written: string): readonly [string, string, string] => {
  const [, before = "", text = "", after = ""] = /^(\s*)(.*?)(\s*)$/su.exec(written) ?? [];
  return [before, text, after];
};

/** Never without its markers, because the text would count as valid: spaces make room for them. */
const struck = ([before, text, after]: readonly [string, string, string], around: Around): string => {
  const first = /^./su.exec(text)?.[0] ?? "";
  const canOpen = before !== "" || ((!isOpen(first) || isOpen(around.before)) && around.before !== "~");
  const canClose = after !== "" || ((!isOpen(lastOf(text)) || isOpen(around.after)) && around.after !== "~");
  return `${before}${canOpen ? "" : " "}~~${text}~~${canClose ? "" : " "}${after}`;
};

const marked = (inline: Inline & { type: "strong" | "emphasis" | "struck" }, around: Around): string => {
  const plain = writtenInlines(inline.children, { ...around, isMarked: true });
  const [before, text, after] = trimmed(plain);
  if (text === "" || text.includes("\n")) return plain;
  if (inline.type === "struck") return struck(trimmed(plain), around);
  if (around.isMarked) return plain;
  const outsideBefore = before === "" ? around.before : " ";
  const outsideAfter = after === "" ? around.after : " ";
  const first = /^./su.exec(text)?.[0] ?? "";
  const last = lastOf(text);
  const canOpen = !isOpen(first) || isOpen(outsideBefore);
  const canClose = !isOpen(last) || isOpen(outsideAfter);
  if (!canOpen || !canClose || outsideBefore === "*" || outsideAfter === "*") return plain;
  const mark = MARKS[inline.type];
  return `${before}${mark}${text}${mark}${after}`;
};

/**
 * Ends a label and begins its target, even in code: a paragraph with only a link would be read as a definition.
 */
const DEFINITION = /\]:/u;

const labelledText = (text: string, { isLabel, after }: Around): string =>
  escapedText(text, { isLabel, isFollowed: after.trim() !== "" });

const written = (inline: Inline, around: Around): string => {
  switch (inline.type) {
    case "text":
      return labelledText(inline.text, around);
    case "code":
      return around.isLabel && DEFINITION.test(inline.text)
        ? labelledText(inline.text, around)
        : codeSpan(inline.text);
    case "formula":
      return formula(inline.tex, inline.isDisplay);
    case "checkbox":
      return inline.isChecked ? "[x]" : "[ ]";
    case "break":
      return "\\\n";
    case "noteMark":
      return `[^${inline.name}]`;
    case "link": {
      const inside = { before: "[", after: "]", isMarked: false, isLabel: true };
      const [before, label, after] = trimmed(writtenInlines(inline.children, inside));
      return label === "" ? before : `${before}[${label}](${escapedUrl(inline.url)})${after}`;
    }
    default:
      return marked(inline, around);
  }
};

/** Serializes running text. Emphasis is omitted where CommonMark would not recognize its markers. */
const writtenInlines = (
  inlines: ReadonlyArray<Inline>,
  around: Around = { before: "", after: "", isMarked: false, isLabel: false }
): string => {
  // Searching the end of one growing string would take quadratic time.
  const parts: Array<string> = [];
  inlines.forEach((inline, index) => {
    const rest = inlines.slice(index + 1, index + 3);
    const last = parts.at(-1) ?? "";
    const before = last === "" ? around.before : lastOf(last);
    const after = rest.length === 0 ? around.after : firstOf(rest);
    const next = written(inline, { ...around, before, after });
    // An exclamation mark before a link would make it an image; two adjacent code spans would merge.
    if (next.startsWith("[") && last.endsWith("!")) parts[parts.length - 1] = `${last.slice(0, -1)}\\!`;
    if (next.startsWith("`") && last.endsWith("`")) parts.push(" ");
    if (next !== "") parts.push(next);
  });
  return parts.join("");
};

const lines = (inlines: ReadonlyArray<Inline>): ReadonlyArray<string> =>
  writtenInlines(inlines)
    .split("\n")
    .map((line) => guardedLine(line.trim()));

const oneLine = (inlines: ReadonlyArray<Inline>): string =>
  writtenInlines(inlines.map((inline) => (inline.type === "break" ? { type: "text", text: " " } : inline)))
    .replace(/\\\n/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const indented = (text: string, prefix: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : prefix + line))
    .join("\n");

const fenced = (language: string, text: string): string => {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
};

type List = ContentBlock & { readonly type: "list" };

/** Items of one paragraph, optionally with a list of such items, need no blank lines between them. */
const isTight = ({ items }: List): boolean =>
  items.every((blocks) =>
    blocks.every(
      (block, index) =>
        (index === 0 && block.type === "paragraph") ||
        (block.type === "list" && (block.start ?? 1) === 1 && isTight(block))
    )
  );

type Item = List["items"][number];

/** A term and its first meaning share a line. */
const glossaryItem = (item: Item): Item => {
  const [term, meaning, ...rest] = item;
  if (term?.type !== "paragraph" || meaning?.type !== "paragraph") return item;
  const children = [...term.children, { type: "text", text: ": " } as const, ...meaning.children];
  return [{ type: "paragraph", children }, ...rest];
};

const inBold = (children: ReadonlyArray<Inline>): ContentBlock => ({
  type: "paragraph",
  children: [{ type: "strong", children }]
});

/** A heading that is all of an item, or a link to another page, names the entry and heads no section of this page. */
const namedItem = (item: Item): Item =>
  item.map((block) =>
    block.type === "heading" &&
    (item.length === 1 || block.children.every((inline) => inline.type === "link" || inline.type === "break"))
      ? inBold(block.children)
      : block
  );

/** `isOther`: the list follows another of its kind, from which a different marker separates it. */
const writtenList = ({ isGlossary = false, ...given }: List, isOther: boolean): string => {
  const list = { ...given, items: given.items.map(isGlossary ? glossaryItem : namedItem) };
  const separator = isTight(list) ? "\n" : "\n\n";
  return list.items
    .map((blocks, index) => {
      const number = list.start === null ? "" : String(list.start + index);
      const mark = list.start === null ? (isOther ? "*" : "-") : `${number}${isOther ? ")" : "."}`;
      const content = indented(writtenBlocks(blocks, separator), " ".repeat(mark.length + 1));
      return `${mark} ${content.trimStart()}`;
    })
    .join(separator);
};

/** The lines of a cell: two roles of a person must not become one. */
const cellLines = (inlines: ReadonlyArray<Inline>): string =>
  writtenInlines(inlines)
    .split("\\\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("<br>");

const row = (cells: ReadonlyArray<ReadonlyArray<Inline>>): string =>
  `| ${cells.map((cell) => escapedCell(cellLines(cell))).join(" | ")} |`;

const writtenBlock = (block: ContentBlock, isOther: boolean): string => {
  switch (block.type) {
    case "heading":
      if (block.isBare === true) return writtenBlock(inBold(block.children), isOther);
      return `${"#".repeat(block.level)} ${guardedHeading(oneLine(block.children))}`;
    case "paragraph":
      return lines(block.children).join("\n");
    case "code":
      return fenced(block.language, block.text);
    case "quote":
      return writtenBlocks(block.blocks)
        .split("\n")
        .map((line) => (line === "" ? ">" : `> ${line}`))
        .join("\n");
    case "list":
      return writtenList(block, isOther);
    case "table":
      return [row(block.head), `|${" --- |".repeat(block.head.length)}`, ...block.rows.map(row)].join("\n");
    case "note":
      return `[^${block.name}]: ${oneLine(block.children)}`;
  }
};

const writtenEach = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<string> => {
  let isOther = false;
  return blocks.map((block, index) => {
    const last = blocks[index - 1];
    isOther =
      !isOther &&
      last?.type === "list" &&
      block.type === "list" &&
      (last.start === null) === (block.start === null);
    return writtenBlock(block, isOther);
  });
};

const writtenBlocks = (blocks: ReadonlyArray<ContentBlock>, separator = "\n\n"): string =>
  writtenEach(blocks).join(separator);

/** Each block for itself, because empty lines may also be within. Without final newlines. */
export const markdownBlocks = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<string> =>
  writtenEach(blocks).map(cleanText);
