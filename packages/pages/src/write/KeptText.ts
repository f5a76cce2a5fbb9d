/**
 * Which strings of a page belong to the selected blocks, by element. Measured by bench/page-markdown.ts.
 * Tests: wordsKept.test.ts, readContent.test.ts.
 */
import { type Block, regionsOf } from "../select/blocks/Blocks.ts";
import { headingLevel, type PageElement } from "../parse/PageTree.ts";

/** An inline element that is shown as a block: style="display: flex". */
const isLine = ({ leaf }: Block): boolean =>
  /(?:^|[;\s])display\s*:\s*(?:block|flex|grid|list-item|table)(?![\w-])/i.test(
    leaf.element.attributes["style"] ?? ""
  );

const NOTHING = { isKept: false, isLeft: false };

/** Selected headings over text of which nothing is selected. */
const bareHeadings = (all: ReadonlyArray<Block>, kept: ReadonlySet<Block>): ReadonlySet<PageElement> => {
  const bare = new Set<PageElement>();
  // What is below the place in the section that a heading of each level would begin there.
  let below: ReadonlyArray<typeof NOTHING> = Array.from({ length: 6 }, () => NOTHING);
  for (const block of all.toReversed()) {
    const isKept = kept.has(block);
    const heading = regionsOf(block).find(({ element }) => headingLevel(element) !== null)?.element;
    const level = (heading && headingLevel(heading)) ?? Infinity;
    const section = below[level - 1];
    if (heading !== undefined && isKept && section?.isLeft === true && !section.isKept) bare.add(heading);
    below = below.map((each, index) =>
      index + 1 >= level ? NOTHING : { isKept: each.isKept || isKept, isLeft: each.isLeft || !isKept }
    );
  }
  return bare;
};

export class KeptText {
  private readonly blocks = new Map<PageElement, Map<number, number>>();
  private readonly holders = new Set<PageElement>();
  private readonly kept: ReadonlyArray<Block>;
  private readonly bare: ReadonlySet<PageElement>;

  constructor(kept: ReadonlyArray<Block>, all: ReadonlyArray<Block>) {
    this.kept = kept;
    this.bare = all === kept ? new Set() : bareHeadings(all, new Set(kept));
    kept.forEach(({ places }, number) => {
      for (const { element, index } of places) {
        const known = this.blocks.get(element);
        if (known === undefined) this.blocks.set(element, new Map([[index, number]]));
        else known.set(index, number);
        if (String(element.children[index]).trim() !== "") this.hold(element);
      }
    });
  }

  private hold(element: PageElement): void {
    for (let each: PageElement | null = element; each !== null && !this.holders.has(each); each = each.parent)
      this.holders.add(each);
  }

  /** Number of the selected block that contains a string; null if it is not selected. */
  blockOf(element: PageElement, index: number): number | null {
    return this.blocks.get(element)?.get(index) ?? null;
  }

  /** Whether the page shows two selected blocks on lines of their own. */
  areLines(one: number, other: number): boolean {
    const [first, second] = [this.kept[one], this.kept[other]];
    return (
      first?.box !== second?.box || [first, second].some((block) => block !== undefined && isLine(block))
    );
  }

  /** Whether anything inside is selected. */
  has(element: PageElement): boolean {
    return this.holders.has(element);
  }

  /** Whether it is a heading over text of which nothing is selected. */
  isBare(element: PageElement): boolean {
    return this.bare.has(element);
  }
}
