/** Adds the notes that selected text refers to, which are often far from it and in small print. */
import type { PageElement } from "../../tree/PageTree.ts";
import { NoteLinks } from "../../typography/NoteLinks.ts";
import type { Block, Region } from "./Blocks.ts";

/** Longer notes are sections of the page. */
const NOTE_CHARS_MAX = 2_000;

/** With more text in the notes, relative to the selected text, they are the references of a paper. */
const NOTES_SHARE_MAX = 0.2;

const charsOf = (blocks: ReadonlyArray<Block>): number => blocks.reduce((sum, { chars }) => sum + chars, 0);

/** The links that selected blocks contain. */
const linksIn = (kept: ReadonlyArray<Block>): ReadonlySet<PageElement> => {
  const links = new Set<PageElement>();
  for (const { box, places } of kept)
    for (const { element } of places)
      for (let each: PageElement | null = element; each !== null && each !== box.element; each = each.parent)
        if (each.name === "a") links.add(each);
  return links;
};

export const withNotes = (
  blocks: ReadonlyArray<Block>,
  kept: ReadonlyArray<Block>,
  body: PageElement
): ReadonlyArray<Block> => {
  const links = new NoteLinks(body);
  const notes = new Map<PageElement, Array<Block>>();
  for (const link of linksIn(kept)) {
    const note = links.noteOf(link);
    if (note !== null) notes.set(note, []);
  }
  if (notes.size === 0) return kept;
  const all = new Set(kept);
  for (const block of blocks) {
    if (all.has(block)) continue;
    for (let region: Region | null = block.leaf; region !== null; region = region.parent) {
      if (region.chars <= NOTE_CHARS_MAX) notes.get(region.element)?.push(block);
    }
  }
  const added = [...notes.values()].flat();
  if (charsOf(added) > NOTES_SHARE_MAX * charsOf(kept)) return kept;
  for (const block of added) all.add(block);
  return blocks.filter((block) => all.has(block));
};
