/** Titles of documents: in their properties, and the headings of their first page. Tests: Pdf.test.ts, WordDocument.test.ts. */
import { type ContentBlock, type PageContent, plainText } from "../write/Content.ts";

/** Titles that programs generate: "Untitled", "Microsoft Word - a", "report-2.docx". */
const NO_TITLE =
  /^(?:untitled|document\d*|(?:microsoft )?(?:word|powerpoint)(?: document| presentation)?|slide \d+|presentation\d*|title|no title)$|^microsoft (?:word|powerpoint) - |^(?!.*\s\S+\s\S+\s).{0,80}\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|pdf|qxd)$/i;

/** Null if a program filled in something else: its own name or that of the file. */
export const titleOf = (written: string | null): string | null =>
  written === null || NO_TITLE.test(written.trim()) ? null : written;

/** Headings that precede the text of many documents. */
const FRONT_MATTER =
  /^(?:(?:table of )?contents|abstract|introduction|inhalt(?:sverzeichnis)?|table des matières|sommaire|índice|indice|inhoud(?:sopgave)?|содержание|оглавление|目次|目录|目錄|차례|목차)$/iu;

type Heading = ContentBlock & { readonly type: "heading" };

const headingsIn = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<Heading> =>
  blocks.flatMap((block) => {
    if (block.type === "heading") return [block];
    if (block.type === "list") return block.items.flatMap(headingsIn);
    return block.type === "quote" ? headingsIn(block.blocks) : [];
  });

/** The first heading of the highest level of a page; null if it is not the title of a document. */
export const headingOf = (page: PageContent | undefined, levelMax = 6): string | null => {
  const headings = headingsIn(page?.blocks ?? []).filter(({ level }) => level <= levelMax);
  const level = headings.reduce((least, each) => Math.min(least, each.level), Infinity);
  const text = plainText(headings.find((each) => each.level === level)?.children ?? []).trim();
  return text === "" || FRONT_MATTER.test(text) ? null : text;
};
