/** Titles as the properties of documents have them. */

/** What programs put where a title belongs. */
const NO_TITLE =
  /^(?:untitled|document\d*|(?:microsoft )?(?:word|powerpoint)(?: document| presentation)?|slide \d+|presentation\d*|title|no title)$|^microsoft (?:word|powerpoint) - |^(?!.*\s\S+\s\S+\s).{0,80}\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|pdf|qxd)$/i;

/** Null where a program wrote something else: its own name, that of the file. */
export const titleOf = (written: string | null): string | null =>
  written === null || NO_TITLE.test(written.trim()) ? null : written;

export interface RankedHeading {
  readonly level: number;
  readonly text: string;
}

/** Headings of what stands before the text of many documents. */
const FRONT_MATTER =
  /^(?:(?:table of )?contents|abstract|introduction|inhalt(?:sverzeichnis)?|table des matières|sommaire|índice|indice|inhoud(?:sopgave)?|содержание|оглавление|目次|目录|目錄|차례|목차)$/iu;

/** The first of those that rank highest; null where that names no document. */
export const highest = (headings: ReadonlyArray<RankedHeading>): string | null => {
  const level = headings.reduce((least, each) => Math.min(least, each.level), Infinity);
  const text = headings.find((each) => each.level === level)?.text ?? null;
  return text === null || FRONT_MATTER.test(text.trim()) ? null : text;
};
