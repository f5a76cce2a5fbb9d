/** Writes blocks as plain text: each block, row and item on lines of its own, without struck words. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { tidyLines } from "../parse/PlainText.ts";
import { type ContentBlock, type Inline, plainText } from "./Content.ts";

const lines = (inlines: ReadonlyArray<Inline>): string => plainText(inlines, "struck");

const onOneLine = (inlines: ReadonlyArray<Inline>): string => lines(inlines).replaceAll("\n", " ");

/** Lines of a block, with the heading that they begin with; null if with none. */
interface PlainPart {
  readonly heading: string | null;
  readonly text: string;
}

const unheaded = (text: string): PlainPart => ({ heading: null, text });

const written = (block: ContentBlock): ReadonlyArray<PlainPart> => {
  switch (block.type) {
    case "heading":
      return [{ heading: lines(block.children), text: lines(block.children) }];
    case "paragraph":
      return [unheaded(lines(block.children))];
    case "code":
      return [unheaded(block.text)];
    case "quote":
      return block.blocks.flatMap(written);
    case "note":
      return [unheaded(`${block.label} ${onOneLine(block.children)}`)];
    case "list":
      return block.items.flatMap((item, index) => {
        const label = block.start === null ? "" : `${block.labels?.[index] || `${block.start + index}.`} `;
        const [first = unheaded(""), ...rest] = item.flatMap(written);
        return [{ ...first, text: label + first.text }, ...rest];
      });
    case "table":
      return [unheaded([block.head, ...block.rows].map((row) => row.map(onOneLine).join(" ")).join("\n"))];
  }
};

const tidied = (text: string): string => tidyLines(cleanText(text));

/** Parted before each heading in it; empty texts if nothing but struck words or marks is in it. */
export const plainBlock = (block: ContentBlock): ReadonlyArray<PlainPart> =>
  written(block).map(({ heading, text }) => ({
    heading: heading === null ? null : tidied(heading).replaceAll("\n", " "),
    text: tidied(text)
  }));
