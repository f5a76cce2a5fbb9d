/** Builds nested lists from list items, of which office documents only store the level. */

interface OpenList {
  readonly tag: "ul" | "ol";
  readonly level: number;
  next: number | null;
}

/** Writes HTML. Anything but an item ends all lists. */
export class ListWriter {
  private readonly open: Array<OpenList> = [];

  get isOpen(): boolean {
    return this.open.length > 0;
  }

  end(): string {
    return this.closeTo(0);
  }

  private closeTo(count: number): string {
    return this.open
      .splice(count)
      .toReversed()
      .map(({ tag }) => `</li></${tag}>`)
      .join("");
  }

  /** The item stays open for its content. No level is skipped, whatever the document says. */
  item({ level, number }: { readonly level: number; readonly number: number | null }, html: string): string {
    let closed = this.closeTo(this.open.findLastIndex((each) => each.level <= level) + 1);
    const tag = number === null ? "ul" : "ol";
    const last = this.open.at(-1);
    if (last?.level === level && last.tag === tag && last.next === number) {
      last.next = number === null ? null : number + 1;
      return `${closed}</li><li>${html}`;
    }
    if (last?.level === level) closed += this.closeTo(this.open.length - 1);
    this.open.push({ tag, level, next: number === null ? null : number + 1 });
    return `${closed}<${tag}${number === null ? "" : ` start="${number}"`}><li>${html}`;
  }
}
