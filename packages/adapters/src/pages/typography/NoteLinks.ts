/** Links from the mark of a note to the note on the same page. */
import { type PageElement, textOf, walk } from "../tree/PageTree.ts";

const MARK = /^[[(]?(?:\d{1,3}|[a-z*†‡§¶])[\])]?$/iu;
const NAMES = /fn|foot|note|cite|ref/i;
const HOLDERS: ReadonlySet<string> = new Set(["li", "p", "div", "dd", "td", "aside"]);

/** The link is marked as a note reference (DPUB-ARIA, EPUB). */
export const isDeclaredNote = ({ attributes }: PageElement): boolean =>
  attributes["role"] === "doc-noteref" || /(^|\s)noteref(\s|$)/.test(attributes["epub:type"] ?? "");

/** The id of the note; some pages write their whole address before it. */
const noteId = (link: PageElement): string | null => {
  const { class: className = "", href = "", id = "", role = "" } = link.attributes;
  const [path = "", target = ""] = href.split("#", 2);
  if (target === "" || !MARK.test(textOf(link, 20).trim())) return null;
  const isMarked =
    link.parent?.name === "sup" ||
    link.children.some((child) => typeof child !== "string" && child.name === "sup") ||
    isDeclaredNote(link);
  const isNote = isMarked || (path === "" && NAMES.test(`${className} ${href} ${id} ${role}`));
  return isNote ? target : null;
};

const decodedId = (id: string): string => {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
};

/** Finds notes in a part of a page. */
export class NoteLinks {
  private readonly body: PageElement;
  private byId: Map<string, PageElement> | null = null;

  constructor(body: PageElement) {
    this.body = body;
  }

  private elementOf(id: string): PageElement | null {
    if (this.byId === null) {
      const byId = new Map<string, PageElement>();
      walk(this.body, (element) => {
        const own =
          element.attributes["id"] ?? (element.name === "a" ? element.attributes["name"] : undefined);
        if (own !== undefined && !byId.has(own)) byId.set(own, element);
      });
      this.byId = byId;
    }
    return this.byId.get(id) ?? this.byId.get(decodedId(id)) ?? null;
  }

  /** The element of the note that a link refers to; null if it is no mark of a note, or is within it. */
  noteOf(link: PageElement): PageElement | null {
    const id = noteId(link);
    let note = id === null ? null : this.elementOf(id);
    while (note !== null && !HOLDERS.has(note.name)) note = note.parent;
    for (let around: PageElement | null = link; around !== null; around = around.parent)
      if (around === note) return null;
    return note;
  }
}
