/** Which strings of a page belong to the selected blocks, by element. */
import type { Block } from "../select/blocks/Blocks.ts";
import type { PageElement, PageNode } from "../parse/PageTree.ts";

const isLine = ({ leaf }: Block): boolean =>
  /(?:^|[;\s])display\s*:\s*(?:block|flex|grid|list-item|table)(?![\w-])/i.test(
    leaf.element.attributes["style"] ?? ""
  );

export class KeptText {
  private readonly blocks = new Map<PageElement, Map<number, number>>();
  private readonly holders = new Set<PageElement>();
  private readonly kept: ReadonlyArray<Block>;
  /** Cache by element. */
  private readonly endsOf = new Map<PageElement, readonly [number, number] | null>();

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

  /** The selected blocks inside, from first to last. */
  blocksIn(element: PageElement): ReadonlyArray<Block> {
    const ends = this.ends(element);
    return ends === null ? [] : this.kept.slice(ends[0], ends[1] + 1);
  }

  /** Numbers of the first and last selected block inside. */
  private ends(element: PageElement): readonly [number, number] | null {
    const known = this.endsOf.get(element);
    if (known !== undefined) return known;
    let found: readonly [number, number] | null = null;
    for (let index = 0; index < element.children.length; index += 1) {
      const child = element.children[index] as PageNode;
      let ends: readonly [number, number] | null = null;
      if (typeof child !== "string") ends = this.holders.has(child) ? this.ends(child) : null;
      else {
        const number = child.trim() === "" ? null : this.blockOf(element, index);
        ends = number === null ? null : [number, number];
      }
      if (ends !== null) found = [found?.[0] ?? ends[0], ends[1]];
    }
    this.endsOf.set(element, found);
    return found;
  }

  /** Whether anything inside is selected. */
  has(element: PageElement): boolean {
    return this.holders.has(element);
  }
}
