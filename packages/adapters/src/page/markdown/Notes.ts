/** Footnotes: references in the text to notes on the same page that are also selected. */
import { type PageElement, textOf, walk } from "../PageTree.ts";
import type { KeptText } from "./KeptText.ts";

const MARK = /^[[(]?(?:\d{1,3}|[a-z*†‡§¶])[\])]?$/iu;
const NAMES = /fn|foot|note|cite|ref/i;
const HOLDERS: ReadonlySet<string> = new Set(["li", "p", "div", "dd", "td", "aside"]);

/** A note of one word could be parsed as a link target. */
const WORDS_MIN = 2;
const CHARS_MAX = 2_000;

/** The link is marked as a note reference (DPUB-ARIA, EPUB). */
const isDeclared = ({ attributes }: PageElement): boolean =>
  attributes["role"] === "doc-noteref" || /(^|\s)noteref(\s|$)/.test(attributes["epub:type"] ?? "");

const targetOf = (link: PageElement): string | null => {
  const { class: className = "", href = "", id = "", role = "" } = link.attributes;
  if (!href.startsWith("#") || href.length < 2 || !MARK.test(textOf(link, 20).trim())) return null;
  const isMarked =
    link.parent?.name === "sup" ||
    link.children.some((child) => typeof child !== "string" && child.name === "sup");
  return isMarked || isDeclared(link) || NAMES.test(`${className} ${href} ${id} ${role}`)
    ? href.slice(1)
    : null;
};

export class Notes {
  private readonly body: PageElement;
  private readonly kept: KeptText;
  private readonly names = new Map<PageElement, string>();
  private byId: Map<string, PageElement> | null = null;

  constructor(body: PageElement, kept: KeptText) {
    this.body = body;
    this.kept = kept;
    walk(body, (element) => {
      if (element.name === "a" && kept.has(element)) this.nameTarget(element);
    });
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
    return this.byId.get(id) ?? null;
  }

  private holderOf(id: string): PageElement | null {
    let element = this.elementOf(id);
    while (element !== null && !HOLDERS.has(element.name)) element = element.parent;
    return element;
  }

  private nameTarget(link: PageElement): void {
    const id = targetOf(link);
    const note = id === null ? null : this.holderOf(id);
    if (note === null || !this.kept.has(note) || this.names.has(note)) return;
    for (let around: PageElement | null = link; around !== null; around = around.parent)
      if (around === note) return;
    const text = textOf(note, CHARS_MAX).trim();
    const isNote = isDeclared(link) ? text !== "" : text.split(/\s+/).length > WORDS_MIN;
    if (text.length <= CHARS_MAX && isNote) this.names.set(note, String(this.names.size + 1));
  }

  /** Name of the note that this element contains; null for others. */
  nameOf(element: PageElement): string | null {
    return this.names.get(element) ?? null;
  }

  /** Name of the note that a link refers to. */
  markOf(link: PageElement): string | null {
    const id = this.names.size === 0 ? null : targetOf(link);
    const note = id === null ? null : this.holderOf(id);
    return note === null ? null : this.nameOf(note);
  }
}
