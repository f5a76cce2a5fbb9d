/** Footnotes: references in the text to notes on the same page that are also selected. */
import { type PageElement, textOf, walk } from "../tree/PageTree.ts";
import { isDeclaredNote, NoteLinks } from "../typography/NoteLinks.ts";
import type { KeptText } from "./KeptText.ts";

/** A note of one word could be parsed as a link target. */
const WORDS_MIN = 2;
const CHARS_MAX = 2_000;

export class Notes {
  private readonly links: NoteLinks;
  private readonly kept: KeptText;
  private readonly names = new Map<PageElement, string>();

  constructor(body: PageElement, kept: KeptText) {
    this.links = new NoteLinks(body);
    this.kept = kept;
    walk(body, (element) => {
      if (element.name === "a" && kept.has(element)) this.nameTarget(element);
    });
  }

  private nameTarget(link: PageElement): void {
    const note = this.links.noteOf(link);
    if (note === null || !this.kept.has(note) || this.names.has(note)) return;
    const text = textOf(note, CHARS_MAX).trim();
    const isNote = isDeclaredNote(link) ? text !== "" : text.split(/\s+/).length > WORDS_MIN;
    if (text.length <= CHARS_MAX && isNote) this.names.set(note, String(this.names.size + 1));
  }

  /** Name of the note that this element contains; null for others. */
  nameOf(element: PageElement): string | null {
    return this.names.get(element) ?? null;
  }

  /** Name of the note that a link refers to. */
  markOf(link: PageElement): string | null {
    const note = this.names.size === 0 ? null : this.links.noteOf(link);
    return note === null ? null : this.nameOf(note);
  }
}
