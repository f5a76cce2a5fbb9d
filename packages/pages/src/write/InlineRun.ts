/** Collects running text of a page, string by string. Measured by bench/page-markdown.ts. Tests: readContent.test.ts. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { type Inline, plainText } from "./Content.ts";

type Spanning = "strong" | "emphasis" | "struck";

/** Adjacent texts are merged, as are adjacent pieces of code. */
export class InlineRun {
  private inlines: Array<Inline> = [];
  /** The block of the last string; text of the next block is kept separate. */
  private block: number | null = null;
  /** The block of the first string in what is gathered now. */
  private first: number | null = null;
  /** Of an item of a list, until its first word. */
  private label = "";
  private readonly between: (last: number, next: number) => Inline;

  /** `between`: what separates two blocks, whose numbers it gets. */
  constructor(between: (last: number, next: number) => Inline = () => SPACE) {
    this.between = between;
  }

  get isEmpty(): boolean {
    return this.inlines.length === 0;
  }

  /** What the page shows before what follows. */
  labelled(label: string): void {
    this.label = label;
  }

  push(inline: Inline): void {
    if (this.label !== "" && isSeen(inline)) {
      const { label } = this;
      this.label = "";
      // Some pages write the number, too.
      if (!plainText([inline]).trimStart().startsWith(label)) this.push({ type: "text", text: label });
    }
    const last = this.inlines.at(-1);
    if (
      last !== undefined &&
      last.type === inline.type &&
      (inline.type === "text" || inline.type === "code")
    ) {
      this.inlines[this.inlines.length - 1] = { ...inline, text: (last as typeof inline).text + inline.text };
    } else this.inlines.push(inline);
  }

  /** A string of a selected block. */
  text(text: string, block: number, isCode: boolean): void {
    if (cleanText(text).trim() === "") return this.space();
    if (this.block !== null && this.block !== block && !this.isEmpty)
      this.push(this.between(this.block, block));
    this.block = block;
    this.first ??= block;
    this.push(isCode ? { type: "code", text } : { type: "text", text });
  }

  space(): void {
    if (!this.isEmpty) this.push(SPACE);
  }

  /**
   * What `gather` adds becomes one inline element, or one per line; none if it only adds white space. Breaks at
   * the ends are moved outside, because a break would escape the marker that follows it.
   */
  within(
    make: (children: ReadonlyArray<Inline>) => Inline,
    gather: () => void,
    { isByLine = false } = {}
  ): void {
    const { block, first, inlines: outer } = this;
    this.inlines = [];
    this.first = null;
    gather();
    const lines = linesOf(this.inlines);
    this.inlines = outer;
    if (block !== null && this.first !== null && this.first !== block && !this.isEmpty)
      this.push(this.between(block, this.first));
    this.first = first ?? this.first;
    (isByLine ? lines : joinedInside(lines)).forEach((line, index) => {
      if (index > 0) this.push(BREAK);
      if (isWritten(line)) this.push(make(line));
      else if (line.length > 0) this.space();
    });
  }

  /** The collected text, without white space and breaks at its ends; empties the run. */
  take(): ReadonlyArray<Inline> {
    const found = trimmedEnds(this.inlines);
    this.inlines = [];
    this.block = null;
    return found;
  }
}

export const SPACE: Inline = { type: "text", text: " " };
export const BREAK: Inline = { type: "break" };

const isSeen = (inline: Inline): boolean => {
  if (inline.type === "text") return inline.text.trim() !== "";
  return inline.type !== "break";
};

const isWritten = (line: ReadonlyArray<Inline>): boolean => line.some(isSeen);

/** The parts between breaks. */
export const linesOf = (inlines: ReadonlyArray<Inline>): ReadonlyArray<ReadonlyArray<Inline>> => {
  const lines: Array<Array<Inline>> = [[]];
  for (const inline of inlines) {
    if (inline.type === "break") lines.push([]);
    else lines.at(-1)?.push(inline);
  }
  return lines;
};

/** All lines from the first to the last non-empty one, as one. */
const joinedInside = (lines: ReadonlyArray<ReadonlyArray<Inline>>): ReadonlyArray<ReadonlyArray<Inline>> => {
  const [first, last] = [lines.findIndex(isWritten), lines.findLastIndex(isWritten)];
  if (first < 0) return lines;
  const inside = lines
    .slice(first, last + 1)
    .flatMap((line, index) => (index === 0 ? line : [BREAK, ...line]));
  return [...lines.slice(0, first), inside, ...lines.slice(last + 1)];
};

/** Without white space and breaks at its ends. */
export const trimmedEnds = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const first = inlines.findIndex(isSeen);
  return first < 0 ? [] : inlines.slice(first, inlines.findLastIndex(isSeen) + 1);
};

/** Two consecutive breaks separate paragraphs. */
export const paragraphsOf = (inlines: ReadonlyArray<Inline>): ReadonlyArray<ReadonlyArray<Inline>> => {
  const paragraphs: Array<Array<Inline>> = [[]];
  let breaks = 0;
  for (const inline of inlines) {
    if (inline.type === "break") breaks += 1;
    else if (isSeen(inline) && breaks > 1) paragraphs.push([]);
    if (isSeen(inline)) breaks = 0;
    paragraphs.at(-1)?.push(inline);
  }
  return paragraphs.map(trimmedEnds).filter((paragraph) => paragraph.length > 0);
};

export const spanning =
  (type: Spanning) =>
  (children: ReadonlyArray<Inline>): Inline => ({ type, children });
