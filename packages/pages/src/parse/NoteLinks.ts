/**
 * Links from the mark of a note to the note on the same page. Retrain: train/train-page-text.ts.
 * Tests: Typography.test.ts, readContent.test.ts.
 */
import { type PageElement, textOf, walk } from "./PageTree.ts";

/** What the link to a note shows: `1`, `[a]`, `(iv)`, `†`; wikis number each kind apart: `[note 1]`. */
const MARK = /^[[(]?(?:(?:note|n|nb|fn|anm\.?)\s*)?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶◊]{1,3})[\])]?$/iu;
/** `_ftn1` and `_edn1` are written by word processors. */
const NAMES = /fn|ftn|_edn|foot|note|cite|ref/i;
const MARK_CHARS_MAX = 20;
/** Longer notes are sections of the page. */
export const NOTE_CHARS_MAX = 2_000;
/** What links from notes back to their marks show. */
const BACK = /^(?:[↩↑⤴⏎←^]\ufe0e?|back|return|jump up)?$/iu;
const HOLDERS: ReadonlySet<string> = new Set(["li", "p", "div", "dd", "td", "aside"]);

/** The link is marked as a note reference (DPUB-ARIA, EPUB). */
export const isDeclaredNote = ({ attributes }: PageElement): boolean =>
  attributes["role"] === "doc-noteref" || /(^|\s)noteref(\s|$)/.test(attributes["epub:type"] ?? "");

/** A target with such a name is a note even behind the page's whole address. */
const FOOTNOTE = /^(?:foot|end|cite)_?note/i;

/** The id that a link leads to; some pages write their whole address before it. */
const targetOf = ({ attributes }: PageElement): string => (attributes["href"] ?? "").split("#", 2)[1] ?? "";

/** The id of the note. */
const noteId = (link: PageElement): string | null => {
  const { class: className = "", href = "", id = "", role = "" } = link.attributes;
  const target = targetOf(link);
  if (target === "" || !MARK.test(textOf(link, MARK_CHARS_MAX).trim())) return null;
  const isMarked =
    link.parent?.name === "sup" ||
    link.children.some((child) => typeof child !== "string" && child.name === "sup") ||
    isDeclaredNote(link) ||
    FOOTNOTE.test(target) ||
    link.attributes["aria-describedby"] === target;
  const isNote = isMarked || (href.startsWith("#") && NAMES.test(`${className} ${href} ${id} ${role}`));
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
  private readonly byId = new Map<string, PageElement>();
  /** Of links and elements with an id, in the order of the page. */
  private readonly order = new Map<PageElement, number>();

  constructor(body: PageElement) {
    this.body = body;
  }

  private index(): void {
    if (this.order.size > 0) return;
    this.order.set(this.body, 0);
    walk(this.body, (element) => {
      const own = element.attributes["id"] ?? (element.name === "a" ? element.attributes["name"] : undefined);
      if (own !== undefined || element.name === "a") this.order.set(element, this.order.size);
      if (own !== undefined && !this.byId.has(own)) this.byId.set(own, element);
    });
  }

  /** The element that a link leads to, and whether it comes after the link. */
  private leadsTo(
    link: PageElement,
    id: string
  ): { readonly to: PageElement; readonly isLater: boolean } | null {
    this.index();
    const to = this.byId.get(id) ?? this.byId.get(decodedId(id));
    return to === undefined ? null : { to, isLater: (this.order.get(to) ?? 0) > (this.order.get(link) ?? 0) };
  }

  /** The element of the note that a link refers to; null if it is no mark of a note, or is within it. */
  noteOf(link: PageElement): PageElement | null {
    const id = noteId(link);
    const target = id === null ? null : this.leadsTo(link, id);
    let note = target?.isLater === true ? target.to : null;
    while (note !== null && !HOLDERS.has(note.name)) note = note.parent;
    for (let around: PageElement | null = link; around !== null; around = around.parent)
      if (around === note) return null;
    return note;
  }

  /** Whether a link only leads from a note back to its mark. */
  isBacklink(link: PageElement): boolean {
    const id = targetOf(link);
    const text = textOf(link, MARK_CHARS_MAX).trim();
    if (id === "" || !(MARK.test(text) || BACK.test(text))) return false;
    const led = this.leadsTo(link, id);
    return led === null ? BACK.test(text) : !led.isLater;
  }
}
