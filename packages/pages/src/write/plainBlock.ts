/** Writes blocks as plain text: each block, row and item on lines of its own, without struck words. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { tidyLines } from "../parse/PlainText.ts";
import { type ContentBlock, type Inline, plainText } from "./Content.ts";

const lines = (inlines: ReadonlyArray<Inline>): string => plainText(inlines, "struck");

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
          const label = block.start === null ? "" : `${block.labels?.[index] || `${block.start + index}.`} `;
          return label + writtenBlocks(item);
        })
        .join("\n");
    case "table":
      return [block.head, ...block.rows].map((row) => row.map(onOneLine).join(" ")).join("\n");
  }
};

const writtenBlocks = (blocks: ReadonlyArray<ContentBlock>): string => blocks.map(written).join("\n");

/** Empty if nothing but struck words or marks is in it. */
export const plainBlock = (block: ContentBlock): string => tidyLines(cleanText(written(block)));
