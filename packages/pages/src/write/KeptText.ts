/**
 * Which strings of a page belong to the selected blocks, by element. Measured by bench/page-markdown.ts.
 * Tests: wordsKept.test.ts, readContent.test.ts.
 */
import type { Block } from "../select/blocks/Blocks.ts";
import type { PageElement } from "../parse/PageTree.ts";

/** An inline element that is shown as a block: style="display: flex". */
const isLine = ({ leaf }: Block): boolean =>
  /(?:^|[;\s])display\s*:\s*(?:block|flex|grid|list-item|table)(?![\w-])/i.test(
    leaf.element.attributes["style"] ?? ""
  );

export class KeptText {
  private readonly blocks = new Map<PageElement, Map<number, number>>();
  private readonly holders = new Set<PageElement>();
  private readonly kept: ReadonlyArray<Block>;

  constructor(kept: ReadonlyArray<Block>) {
    this.kept = kept;
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
}
