/** Puts the words that were read from the pictures of scanned pages into the text of their document. Pure. */
import type { TextSection } from "@winnow/core/domain/text/InputText";
import type { PageText } from "../../facts/PageReading.ts";
import type { ContentBlock } from "../../write/Content.ts";
import { writeContent, writeSections } from "../../write/writeContent.ts";
import { WIDE, wholeWords } from "./DividedWords.ts";

/** Programs that read pictures put spaces between all words. */
const WIDE_GAP = new RegExp(`(?<=${WIDE})\\s+(?=${WIDE})`, "gu");

const paragraphOf = (lines: string): ContentBlock => ({
  type: "paragraph",
  children: [{ type: "text", text: lines.replace(WIDE_GAP, "").replaceAll("\n", " ") }]
});

const sectionsOf = (page: number, words: string): ReadonlyArray<TextSection> => {
  const blocks = wholeWords(words.split("\n\n")).map(paragraphOf);
  const { sections } = writeContent({ pages: [{ blocks, links: [] }], isPaged: false });
  return sections.map((section) => ({ ...section, page, readBy: "ocr" }));
};

/**
 * `words` by page: lines, with an empty line between paragraphs. They follow the text that their page has, such as the
 * stamp of an archive.
 */
export const withScannedText = (text: PageText, words: ReadonlyMap<number, string>): PageText => {
  const sections = [...Map.groupBy(text.sections, ({ page }) => page)].flatMap(([page = 0, own]) => {
    const read = words.get(page) ?? "";
    return read === "" ? own : [...own.filter((section) => section.text !== ""), ...sectionsOf(page, read)];
  });
  return { ...text, ...writeSections(sections) };
};
