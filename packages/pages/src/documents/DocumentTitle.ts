/** Titles in document properties. */

/** Titles that programs generate. */
const NO_TITLE =
  /^(?:untitled|document\d*|(?:microsoft )?(?:word|powerpoint)(?: document| presentation)?|slide \d+|presentation\d*|title|no title)$|^microsoft (?:word|powerpoint) - |^(?!.*\s\S+\s\S+\s).{0,80}\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|pdf|qxd)$/i;

/** Null if a program filled in something else: its own name or that of the file. */
export const titleOf = (written: string | null): string | null =>
  written === null || NO_TITLE.test(written.trim()) ? null : written;

export interface RankedHeading {
  readonly level: number;
  readonly text: string;
}

/** Headings that precede the text of many documents. */
const FRONT_MATTER =
  /^(?:(?:table of )?contents|abstract|introduction|inhalt(?:sverzeichnis)?|table des matières|sommaire|índice|indice|inhoud(?:sopgave)?|содержание|оглавление|目次|目录|目錄|차례|목차)$/iu;

/** The first heading of the highest level; null if it is not the title of a document. */
export const highest = (headings: ReadonlyArray<RankedHeading>): string | null => {
  const level = headings.reduce((least, each) => Math.min(least, each.level), Infinity);
  const text = headings.find((each) => each.level === level)?.text ?? null;
  return text === null || FRONT_MATTER.test(text.trim()) ? null : text;
};
