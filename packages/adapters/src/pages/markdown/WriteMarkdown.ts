/**
 * Serializes the structure of a page as CommonMark with GitHub's tables, footnotes and formulas. Never raw HTML,
 * except the comment `<!-- page N -->` between the pages of a document.
 */
import { escapedCell, guardedHeading, guardedLine } from "./EscapedText.ts";
import type { Inline, MarkdownBlock } from "./MarkdownTree.ts";
import { writtenInlines } from "./WrittenInlines.ts";

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

type List = MarkdownBlock & { readonly type: "list" };

/** Items of one paragraph, optionally with a list of such items, need no blank lines between them. */
const isTight = ({ items }: List): boolean =>
  items.every((blocks) =>
    blocks.every(
      (block, index) =>
        (index === 0 && block.type === "paragraph") ||
        (block.type === "list" && (block.start ?? 1) === 1 && isTight(block))
    )
  );

/** `isOther`: the list follows another of its kind, from which a different marker separates it. */
const writtenList = (list: List, isOther: boolean): string => {
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

const row = (cells: ReadonlyArray<ReadonlyArray<Inline>>): string =>
  `| ${cells.map((cell) => escapedCell(oneLine(cell))).join(" | ")} |`;

const writtenBlock = (block: MarkdownBlock, isOther: boolean): string => {
  switch (block.type) {
    case "heading":
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

const writtenBlocks = (blocks: ReadonlyArray<MarkdownBlock>, separator = "\n\n"): string => {
  const written: Array<string> = [];
  let last: MarkdownBlock | null = null;
  let isOther = false;
  for (const block of blocks) {
    const follows =
      last?.type === "list" && block.type === "list" && (last.start === null) === (block.start === null);
    isOther = follows ? !isOther : false;
    written.push(writtenBlock(block, isOther));
    last = block;
  }
  return written.join(separator);
};

/** Without a final newline; empty if there are no blocks. */
export const writeMarkdown = (blocks: ReadonlyArray<MarkdownBlock>): string => writtenBlocks(blocks);
