/** Writes content: by sections, which know their page and heading, and of these one plain text and one Markdown. */
import { HEADING_CHARS_MAX, PAGE_END, pageMark } from "@winnow/core/domain/text/CleanText";
import type { TextSection } from "@winnow/core/domain/text/InputText";
import { present } from "@winnow/core/domain/text/Json";
import { cut, folded } from "../parse/PlainText.ts";
import type { Content, ContentBlock } from "./Content.ts";
import { markdownBlocks } from "./markdownBlocks.ts";
import { plainBlock } from "./plainBlock.ts";

const lines = (texts: ReadonlyArray<string>): string => texts.filter(Boolean).join("\n");

/** In parts of text, the first of each block with its Markdown: that of a list or quote is under the heading above. */
const partsOf = (blocks: ReadonlyArray<ContentBlock>) => {
  const markdown = markdownBlocks(blocks);
  return blocks.flatMap((block, at) => {
    const before = block.type === "heading" ? [] : [{ heading: null, text: "" }];
    return [...before, ...plainBlock(block)].map((part, number) => ({
      ...part,
      markdown: number === 0 ? (markdown[at] ?? "") : ""
    }));
  });
};

/** A page, with or without text, and a heading begin a section. */
const sectionsOf = ({ isPaged, isSlides = false, pages, text }: Content): ReadonlyArray<TextSection> => {
  let heading: string | null = null;
  return pages.flatMap(({ blocks }, index) => {
    if (isSlides) heading = null;
    const parts = partsOf(blocks);
    const starts = parts.flatMap((part, at) => (part.heading !== null && at > 0 ? [at] : []));
    return [0, ...starts].map((start, number): TextSection => {
      const section = parts.slice(start, starts[number]);
      heading = cut(section[0]?.heading ?? "", HEADING_CHARS_MAX) || heading;
      return {
        ...present({ page: isPaged ? index + 1 : null, heading }),
        text: text ?? lines(section.map((part) => part.text)),
        markdown: section.map((part) => part.markdown).filter(Boolean)
      };
    });
  });
};

/** Without the Markdown of a heading that begins it and repeats the page's title, unless it is all there is. */
export const withoutTitle = (
  sections: ReadonlyArray<TextSection>,
  title: string | null
): ReadonlyArray<TextSection> => {
  const [first, ...rest] = sections;
  const isTitled = first?.heading !== undefined && title !== null && folded(first.heading) === folded(title);
  return isTitled && sections.flatMap(({ markdown }) => markdown).length > 1
    ? [{ ...first, markdown: first.markdown.slice(1) }, ...rest]
    : sections;
};

/** `plain`, `markdown` and `sections` of facts/PageReading. */
export const writeSections = (sections: ReadonlyArray<TextSection>) => {
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

export const writeContent = (content: Content) => writeSections(sectionsOf(content));
