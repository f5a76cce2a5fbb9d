/** Items of lists, of which office documents know only the level, as lists inside each other. */

interface OpenList {
  readonly tag: "ul" | "ol";
  readonly level: number;
  next: number | null;
}

/** Writes HTML. What is no item ends all lists. */
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

  /** The item stays open for what belongs to it. No level is left out, whatever the document says. */
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
