/** Builds nested lists from list items, of which slides only store the level. Tests: Slides.test.ts, LibreOffice.test.ts. */
import type { PageElement } from "../../parse/PageTree.ts";
import { append } from "../MarkupPage.ts";

interface OpenList {
  readonly list: PageElement;
  readonly level: number;
  /** The last item, into which deeper lists go. */
  item: PageElement;
  /** The number of the item that continues it; null if it has none. */
  next: number | null;
}

export class OpenLists {
  private readonly body: PageElement;
  private readonly open: Array<OpenList> = [];

  constructor(body: PageElement) {
    this.body = body;
  }

  /** Anything but an item ends all lists. */
  end(): void {
    this.open.length = 0;
  }

  /** The new item, for its content. No level is skipped, whatever the document says. */
  item({ level, number }: { readonly level: number; readonly number: number | null }): PageElement {
    this.open.splice(this.open.findLastIndex((each) => each.level <= level) + 1);
    const next = number === null ? null : number + 1;
    let last = this.open.at(-1);
    if (last?.level === level && last.next === number) {
      last.next = next;
      return (last.item = append(last.list, "li"));
    }
    if (last?.level === level) this.open.pop();
    last = this.open.at(-1);
    const parent = last?.item ?? this.body;
    const list = number === null ? append(parent, "ul") : append(parent, "ol", { start: String(number) });
    const item = append(list, "li");
    this.open.push({ list, level, item, next });
    return item;
  }
}
