/** Writes content as plain text: each block, row and item on lines of its own, without struck words. */
import { cleanText, PAGE_END } from "@winnow/core/domain/text/CleanText";
import { tidyLines } from "../parse/PlainText.ts";
import { type Content, type ContentBlock, type Inline, plainText } from "./Content.ts";

const unstruck = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
  inlines
    .filter(({ type }) => type !== "struck")
    .map((inline): Inline =>
      "children" in inline ? { ...inline, children: unstruck(inline.children) } : inline
    );

const lines = (inlines: ReadonlyArray<Inline>): string => plainText(unstruck(inlines));

const onOneLine = (inlines: ReadonlyArray<Inline>): string => lines(inlines).replaceAll("\n", " ");

const written = (block: ContentBlock): string => {
  switch (block.type) {
    case "heading":
    case "paragraph":
      return lines(block.children);
    case "code":
      return block.text;
    case "quote":
      return writtenBlocks(block.blocks);
    case "note":
      return `${block.label} ${onOneLine(block.children)}`;
    case "list":
      return block.items
        .map((item, index) => {
          const label = block.start === null ? "" : `${block.labels?.[index] || block.start + index}. `;
          return label + writtenBlocks(item);
        })
        .join("\n");
    case "table":
      return [block.head, ...block.rows].map((row) => row.map(onOneLine).join(" ")).join("\n");
  }
};

const writtenBlocks = (blocks: ReadonlyArray<ContentBlock>): string => blocks.map(written).join("\n");

/** Each page of a paginated document but the last ends with a form feed. Empty if no page has text. */
export const toText = ({ isPaged, pages }: Content): string => {
  const texts = pages.map(({ blocks }) => tidyLines(cleanText(writtenBlocks(blocks))));
  return texts.every((text) => text === "") ? "" : texts.join(isPaged ? `\n${PAGE_END}` : "\n");
};
