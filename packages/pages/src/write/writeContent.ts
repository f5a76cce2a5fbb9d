/** Writes content: by sections, which know their page and heading, and of these one plain text and one Markdown. */
import { HEADING_CHARS_MAX, PAGE_END, pageMark } from "@winnow/core/domain/text/CleanText";
import type { TextSection } from "@winnow/core/domain/text/InputText";
import { present } from "@winnow/core/domain/text/Json";
import { cut } from "../parse/PlainText.ts";
import type { Content } from "./Content.ts";
import { markdownBlocks } from "./markdownBlocks.ts";
import { plainBlock } from "./plainBlock.ts";

const lines = (texts: ReadonlyArray<string>): string => texts.filter(Boolean).join("\n");

/** A page, with or without text, and a heading begin a section. */
const sectionsOf = ({ isPaged, pages, text }: Content): ReadonlyArray<TextSection> => {
  let heading: string | null = null;
  return pages.flatMap(({ blocks }, index) => {
    const markdown = markdownBlocks(blocks);
    const starts = blocks.flatMap(({ type }, at) => (type === "heading" && at > 0 ? [at] : []));
    return [0, ...starts].map((start, number): TextSection => {
      const end = starts[number];
      const texts = blocks.slice(start, end).map(plainBlock);
      if (blocks[start]?.type === "heading")
        heading = cut(texts[0]?.replaceAll("\n", " ") ?? "", HEADING_CHARS_MAX) || heading;
      return {
        ...present({ page: isPaged ? index + 1 : null, heading }),
        text: text ?? lines(texts),
        markdown: markdown.slice(start, end).filter(Boolean)
      };
    });
  });
};

/** `plain`, `markdown` and `sections` of facts/PageReading. */
export const writeContent = (content: Content) => {
  const sections = sectionsOf(content);
  const pages = [...Map.groupBy(sections, ({ page }) => page)];
  const plain = pages.map(([, parts]) => lines(parts.map(({ text }) => text)));
  const markdown = pages.flatMap(([page, parts]) => [
    ...(page === undefined ? [] : [pageMark(page)]),
    ...parts.flatMap((part) => part.markdown)
  ]);
  return {
    plain: plain.some(Boolean) ? plain.join(`\n${PAGE_END}`) : "",
    markdown: sections.some((part) => part.markdown.length > 0) ? markdown.join("\n\n") : "",
    sections
  };
};
