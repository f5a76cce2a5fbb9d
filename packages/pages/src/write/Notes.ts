/**
 * Footnotes: references to notes on the same page that are also selected. Measured by bench/page-markdown.ts.
 * Tests: readContent.test.ts.
 */
import { type PageElement, textOf, walk } from "../parse/PageTree.ts";
import { isDeclaredNote, NOTE_CHARS_MAX, NoteLinks } from "../parse/NoteLinks.ts";
import { trimmedEnds } from "./InlineRun.ts";
import type { KeptText } from "./KeptText.ts";
import type { Inline } from "./Content.ts";

/** A note of one or two words could be parsed as a link target. */
const WORDS_MIN = 3;

interface Note {
  readonly name: string;
  /** As shown in the text, without brackets. */
  readonly mark: string;
}

/** What links back from a note stood between them, or the mark itself: `[1]`, `(a):`, `1.`, `^`. */
const OWN_MARK = /^\s*(?:[[(]\s*([^\s\])]*)\s*[\])]\s*[.:]?|([^\s.):]+)[.):](?!\d)|[\^↑])\s*/u;

export class Notes {
  private readonly links: NoteLinks;
  private readonly kept: KeptText;
  private readonly notes = new Map<PageElement, Note>();

  constructor(body: PageElement, kept: KeptText) {
    this.links = new NoteLinks(body);
    this.kept = kept;
    walk(body, (element) => {
      if (element.name === "a" && kept.has(element)) this.nameTarget(element);
    });
  }

  private nameTarget(link: PageElement): void {
    const note = this.links.noteOf(link);
    if (note === null || !this.kept.has(note) || this.notes.has(note)) return;
    const text = textOf(note, NOTE_CHARS_MAX).trim();
    const isNote = isDeclaredNote(link) ? text !== "" : text.split(/\s+/).length >= WORDS_MIN;
    if (text.length > NOTE_CHARS_MAX || !isNote) return;
    const mark = textOf(link).replace(/[^\p{L}\p{N}*†‡§¶]/gu, "");
    this.notes.set(note, { name: String(this.notes.size + 1), mark });
  }

  /** Name of the note that this element contains; null for others. */
  nameOf(element: PageElement): string | null {
    return this.notes.get(element)?.name ?? null;
  }

  /** Whether a link only leads from a note back to its mark. */
  isBacklink(link: PageElement): boolean {
    if (this.notes.size === 0 || !this.links.isBacklink(link)) return false;
    let around: PageElement | null = link;
    while (around !== null && !this.notes.has(around)) around = around.parent;
    return around !== null;
  }

  /** Name of the note that a link refers to. */
  markOf(link: PageElement): string | null {
    const note = this.notes.size === 0 ? null : this.links.noteOf(link);
    return note === null ? null : this.nameOf(note);
  }

  /** The text of a note, and the mark before it, which its name replaces in Markdown. */
  withoutMark(
    note: PageElement,
    inlines: ReadonlyArray<Inline>
  ): { readonly children: ReadonlyArray<Inline>; readonly mark: string } {
    const [first, ...rest] = inlines;
    const own = first?.type === "text" ? OWN_MARK.exec(first.text) : null;
    const shown = own?.[1] ?? own?.[2] ?? "";
    if (first?.type !== "text" || own === null || (shown !== "" && shown !== this.notes.get(note)?.mark))
      return { children: inlines, mark: "" };
    const text = first.text.slice(own[0].length);
    const children = trimmedEnds(text === "" ? rest : [{ ...first, text }, ...rest]);
    return { children, mark: shown === "" ? "" : own[0].trim() };
  }
}
