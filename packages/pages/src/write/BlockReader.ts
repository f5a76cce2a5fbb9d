/** Builds the structure of a page's selected text from its elements. Measured by bench/page-markdown.ts. Tests: readContent.test.ts. */
import { isAmount } from "../select/blocks/WordFeatures.ts";
import { BLOCKS, LABELS } from "../parse/NoiseRules.ts";
import { headingLevel, type PageElement } from "../parse/PageTree.ts";
import { captionsOf, cellsOf, holdersOf, looseCellsOf, rowsOf } from "../parse/Tables.ts";
import { codeOf, isGutter } from "./CodeText.ts";
import { withoutTypedMarks, withTypedLists } from "./TypedLists.ts";
import { listNumbers } from "../parse/ListNumbers.ts";
import { isFormula } from "../parse/Formulas.ts";
import type { InlineReader } from "./InlineReader.ts";
import { BREAK, InlineRun, paragraphsOf, trimmedEnds, SPACE } from "./InlineRun.ts";
import type { KeptText } from "./KeptText.ts";
import { type Inline, type ContentBlock, plainText } from "./Content.ts";
import type { Notes } from "./Notes.ts";
import { readTable } from "./TableReader.ts";

/** Maximum nesting of lists and quotes; deeper content goes into the innermost. */
const NESTING_MAX = 12;

const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "menu"]);

const isBlock = ({ name }: PageElement): boolean => (BLOCKS.has(name) && name !== "br") || LABELS.has(name);

/** A heading's link to itself, shown as a symbol such as a pilcrow or as `#its-target`, or to the top of the page. */
const isAnchor = (inline: Inline): boolean => {
  if (inline.type !== "link") return false;
  const label = plainText(inline.children).trim();
  return (
    /#top(?:[_-]of[_-]page)?$/i.test(inline.url) ||
    (inline.url.includes("#") && !/[\p{L}\p{N}]/u.test(label)) ||
    (/^#\p{L}/u.test(label) && inline.url.endsWith(label))
  );
};

/** Emphasis of a whole heading has no meaning. */
const unmarked = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  if (inlines.length > 1 && inlines.some(isAnchor))
    return unmarked(trimmedEnds(inlines.filter((inline) => !isAnchor(inline))));
  const isWhole = inlines.every(
    (inline) =>
      inline.type === "strong" ||
      inline.type === "break" ||
      (inline.type === "text" && inline.text.trim() === "")
  );
  return isWhole
    ? inlines.flatMap((inline) => (inline.type === "strong" ? unmarked(inline.children) : [inline]))
    : inlines;
};

const statedLevel = (element: PageElement): number | null => {
  const { "aria-level": level = "2", role } = element.attributes;
  return (
    headingLevel(element) ??
    (role === "heading" ? Math.max(1, Math.min(6, Number.parseInt(level, 10) || 2)) : null)
  );
};

/** An amount in an element of its own belongs to what follows it. */
const withAmount = (blocks: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const [first, second, ...rest] = blocks;
  if (first?.type !== "paragraph" || second?.type !== "paragraph" || !isAmount(plainText(first.children)))
    return blocks;
  const space = { type: "text", text: /\s$/.test(plainText(first.children)) ? "" : " " } as const;
  const children = [...first.children, space, ...second.children];
  return [{ type: "paragraph", children }, ...rest];
};

const paragraphs = (inlines: ReadonlyArray<Inline>): ReadonlyArray<ContentBlock> =>
  paragraphsOf(inlines).map((children) => ({ type: "paragraph", children }));

/** A list whose numbers leave any out becomes several lists. */
const numberedRuns = (
  list: ContentBlock & { readonly type: "list" },
  values: ReadonlyArray<number | null>
): ReadonlyArray<ContentBlock> => {
  const { labels = [], start } = list;
  if (start === null || start !== values[0]) return [list];
  const runs: Array<{
    type: "list";
    start: number;
    labels: Array<string>;
    items: Array<ReadonlyArray<ContentBlock>>;
  }> = [];
  list.items.forEach((item, index) => {
    const last = runs.at(-1);
    const next = last === undefined ? start : last.start + last.items.length;
    const value = values[index] ?? next;
    const label = labels[index] || `${value}.`;
    if (last === undefined || value !== next)
      runs.push({ type: "list", start: value, labels: [label], items: [item] });
    else {
      last.items.push(item);
      last.labels.push(label);
    }
  });
  return runs;
};

export class BlockReader {
  private readonly kept: KeptText;
  private readonly notes: Notes;
  private readonly inlines: InlineReader;
  private readonly holdsBlocks = new Map<PageElement, boolean>();
  private nesting = 0;

  constructor(kept: KeptText, notes: Notes, inlines: InlineReader) {
    this.kept = kept;
    this.notes = notes;
    this.inlines = inlines;
  }

  /** Whether it contains selected blocks; then it is not running text. */
  private hasBlocks(element: PageElement): boolean {
    const known = this.holdsBlocks.get(element);
    if (known !== undefined) return known;
    const found = element.children.some(
      (child) =>
        typeof child !== "string" &&
        this.kept.has(child) &&
        !isFormula(child) &&
        (isBlock(child) || this.hasBlocks(child))
    );
    this.holdsBlocks.set(element, found);
    return found;
  }

  /** All content of an element. */
  flow(element: PageElement): ReadonlyArray<ContentBlock> {
    const out: Array<ContentBlock> = [];
    const run = new InlineRun();
    this.gather(element, run, out, null);
    this.flush(run, out);
    return withTypedLists(out);
  }

  private flush(run: InlineRun, out: Array<ContentBlock>): void {
    for (const paragraph of paragraphs(run.take())) out.push(paragraph);
  }

  /** `link` is around all of it: its first text becomes the link. */
  private gather(
    element: PageElement,
    run: InlineRun,
    out: Array<ContentBlock>,
    link: PageElement | null,
    isElsewhere: (child: PageElement) => boolean = () => false
  ): void {
    let open = link;
    for (const [index, child] of element.children.entries()) {
      if (typeof child !== "string" && isElsewhere(child)) continue;
      if (typeof child === "string") {
        const block = this.kept.blockOf(element, index);
        if (child.trim() === "") run.space();
        else if (block !== null) {
          if (open === null) run.text(child, block, false);
          else this.inlines.linkedText(open, child, block, run);
          open = null;
        }
        continue;
      }
      const isKept = this.kept.has(child);
      if (!isKept || (!isBlock(child) && (!this.hasBlocks(child) || isFormula(child)))) {
        if (open !== null && isKept) this.inlines.linkedChildren(open, child, run);
        else this.inlines.element(child, run);
      } else {
        const isWhole = isBlock(child) || child.name === "a";
        if (isWhole) this.flush(run, out);
        if (!isBlock(child)) this.gather(child, run, out, child.name === "a" ? child : open);
        else this.block(child, out, open);
        if (isWhole) this.flush(run, out);
      }
      if (isKept) open = null;
    }
  }

  /** Selected text directly in an element whose children should be elements, such as a list. */
  private strayText(element: PageElement, index: number, text: string): ReadonlyArray<ContentBlock> {
    const block = text.trim() === "" ? null : this.kept.blockOf(element, index);
    if (block === null) return [];
    const run = new InlineRun();
    run.text(text, block, false);
    return paragraphs(run.take());
  }

  private inlinesOf(element: PageElement, link: PageElement | null = null): ReadonlyArray<Inline> {
    const run = new InlineRun();
    if (link === null) this.inlines.children(element, run);
    else this.inlines.linkedChildren(link, element, run);
    return run.take();
  }

  private note(element: PageElement, name: string, label = ""): ContentBlock {
    const { children, mark } = this.notes.withoutMark(element, this.inlinesOf(element));
    return { type: "note", name, label: label || mark, children };
  }

  private block(element: PageElement, out: Array<ContentBlock>, link: PageElement | null): void {
    const { name } = element;
    const note = this.notes.nameOf(element);
    const level = statedLevel(element);
    if (note !== null) out.push(this.note(element, note));
    else if (level !== null) this.heading(element, level, out, link);
    else if (name === "pre") this.code(element, out);
    else if (name === "table") this.table(element, out);
    else if (name === "dl") this.definitions(element, out);
    else if (LISTS.has(name)) this.list(element, out);
    else if (name === "blockquote") this.quote(element, out);
    else this.section(element, out, link);
  }

  private section(element: PageElement, out: Array<ContentBlock>, link: PageElement | null): void {
    const run = new InlineRun();
    if (link === null || this.hasBlocks(element)) this.gather(element, run, out, link);
    else this.inlines.linkedChildren(link, element, run);
    this.flush(run, out);
  }

  private heading(
    element: PageElement,
    level: number,
    out: Array<ContentBlock>,
    link: PageElement | null
  ): void {
    const inlines = this.inlinesOf(element, link);
    const isOfLines = this.hasBlocks(element) || inlines.some(({ type }) => type === "break");
    const blocks = isOfLines ? this.flow(element) : [];
    const [first] = blocks;
    // One that was never closed holds its section; others are a list in large letters.
    const isSection = blocks.some(({ type }) => type !== "paragraph");
    const children = unmarked(!isSection ? inlines : first?.type === "paragraph" ? first.children : []);
    const isBare = !isSection && this.kept.isBare(element);
    if (children.length > 0) out.push({ type: "heading", level, children, isBare });
    if (isSection) out.push(...blocks.slice(children.length > 0 ? 1 : 0));
  }

  private code(element: PageElement, out: Array<ContentBlock>): void {
    const code = codeOf(element);
    if (isGutter(element, code.text)) return;
    if (code.text !== "") out.push({ type: "code", ...code });
  }

  /** `isItself`: as the block that it is, rather than what is in it. */
  private nested(element: PageElement, isItself = false): ReadonlyArray<ContentBlock> {
    const out: Array<ContentBlock> = [];
    this.nesting += 1;
    if (isItself && isBlock(element)) this.block(element, out, null);
    else for (const block of this.flow(element)) out.push(block);
    this.nesting -= 1;
    return out;
  }

  private quote(element: PageElement, out: Array<ContentBlock>): void {
    const blocks = this.nested(element);
    if (this.nesting >= NESTING_MAX) out.push(...blocks);
    else if (blocks.length > 0) out.push({ type: "quote", blocks });
  }

  /** Notes among the items are not items. */
  private list(element: PageElement, out: Array<ContentBlock>): void {
    const items: Array<ReadonlyArray<ContentBlock>> = [];
    const numbers = listNumbers(element);
    const values: Array<number | null> = [];
    const labels: Array<string> = [];
    const notes: Array<ContentBlock> = [];
    for (const [index, child] of element.children.entries()) {
      if (typeof child === "string") {
        const stray = this.strayText(element, index, child);
        if (items.length === 0) out.push(...stray);
        else items[items.length - 1] = [...(items.at(-1) ?? []), ...stray];
        continue;
      }
      if (!this.kept.has(child)) continue;
      const note = this.notes.nameOf(child);
      const number = numbers.get(child);
      if (note !== null) {
        notes.push(this.note(child, note, number === undefined ? "" : `${number.label}.`));
        continue;
      }
      const blocks = child.name === "li" ? withAmount(this.nested(child)) : this.nested(child, true);
      // A list directly inside a list belongs to the item before it.
      if (LISTS.has(child.name) && items.length > 0)
        items[items.length - 1] = [...(items.at(-1) ?? []), ...blocks];
      else if (blocks.length > 0) {
        items.push(blocks);
        values.push(number?.value ?? null);
        labels.push(number === undefined ? "" : `${number.label}.`);
      }
    }
    if (this.nesting >= NESTING_MAX) out.push(...items.flat());
    else if (items.length > 0)
      out.push(
        ...numberedRuns(withoutTypedMarks({ type: "list", start: values[0] ?? null, labels, items }), values)
      );
    out.push(...notes);
  }

  /** Each term as an item, in bold, with its definition. */
  private definitions(element: PageElement, out: Array<ContentBlock>): void {
    const items: Array<Array<ContentBlock>> = [];
    const visit = (parent: PageElement): void => {
      for (const [index, child] of parent.children.entries()) {
        if (typeof child === "string") {
          const stray = this.strayText(parent, index, child);
          if (items.length > 0) items.at(-1)?.push(...stray);
          else if (stray.length > 0) items.push([...stray]);
          continue;
        }
        if (!this.kept.has(child)) continue;
        if (child.name === "div") visit(child);
        else if (child.name === "dt") {
          const children = this.inlinesOf(child);
          if (children.length > 0)
            items.push([{ type: "paragraph", children: [{ type: "strong", children }] }]);
        } else if (items.length === 0) items.push([...this.nested(child)]);
        else items.at(-1)?.push(...this.nested(child));
      }
    };
    visit(element);
    if (this.nesting >= NESTING_MAX) out.push(...items.flat());
    else if (items.length > 0) out.push({ type: "list", start: null, isGlossary: true, items });
  }

  private table(element: PageElement, out: Array<ContentBlock>): void {
    const rows = rowsOf(element).filter((row) => this.kept.has(row));
    if (rows.length === 0 || looseCellsOf(element).some((cell) => this.kept.has(cell))) {
      this.section(element, out, null);
      return;
    }
    const captions = captionsOf(element);
    for (const caption of captions) if (this.kept.has(caption)) this.section(caption, out, null);
    // As in a browser, what stands between rows and cells comes before the table.
    const holders = holdersOf(element);
    const parts = new Set([...captions, ...holders, ...rowsOf(element).flatMap(cellsOf)]);
    for (const holder of holders) {
      const run = new InlineRun();
      this.gather(holder, run, out, null, (child) => parts.has(child));
      this.flush(run, out);
    }
    const grid = readTable(element, this.kept, (cell) => this.cell(cell));
    if (grid !== null) out.push({ type: "table", ...grid });
    else for (const row of rows) out.push(...this.row(row));
  }

  /** Its lists and paragraphs on lines of their own. */
  private cell(cell: PageElement): ReadonlyArray<Inline> {
    const run = new InlineRun((last, next) => (this.kept.areLines(last, next) ? BREAK : SPACE));
    this.inlines.children(cell, run);
    return run.take();
  }

  /** The words of a row on one line; larger pieces separately. */
  private row(row: PageElement): ReadonlyArray<ContentBlock> {
    const cells = cellsOf(row).filter((cell) => this.kept.has(cell));
    if (cells.some((cell) => this.hasBlocks(cell))) return cells.flatMap((cell) => this.flow(cell));
    const children = cells.flatMap((cell, index): ReadonlyArray<Inline> =>
      index === 0 ? this.inlinesOf(cell) : [{ type: "text", text: " " }, ...this.inlinesOf(cell)]
    );
    return paragraphs(children);
  }
}
