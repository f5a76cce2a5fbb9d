/**
 * A page's text as Markdown, built from the same blocks as the text: headings, lists, tables, code, quotes,
 * emphasis, links, notes and formulas as marked up on the page.
 */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import type { Resolve } from "../parse/Address.ts";
import type { Block } from "../select/blocks/Blocks.ts";
import type { PageElement } from "../parse/PageTree.ts";
import { BlockReader } from "./BlockReader.ts";
import { writeMarkdown } from "./WriteMarkdown.ts";
import { InlineReader, type PageLink } from "./InlineReader.ts";
import { KeptText } from "./KeptText.ts";
import { Notes } from "./Notes.ts";

export interface PageMarkdown {
  readonly markdown: string;
  /** Of the selected text, in order, without duplicates. */
  readonly links: ReadonlyArray<PageLink>;
}

export interface MarkdownSource {
  /** Contains the blocks. */
  readonly body: PageElement;
  /** The blocks of the text. */
  readonly kept: ReadonlyArray<Block>;
  readonly resolve: Resolve;
}

export const pageMarkdown = ({ body, kept, resolve }: MarkdownSource): PageMarkdown => {
  const keptText = new KeptText(kept);
  const notes = new Notes(body, keptText);
  const inlines = new InlineReader(keptText, notes, resolve);
  const markdown = writeMarkdown(new BlockReader(keptText, notes, inlines).flow(body));
  return { markdown: cleanText(markdown), links: [...inlines.links.values()] };
};

/** For a text without structure, line by line. */
export const plainMarkdown = (text: string): string =>
  writeMarkdown(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => ({ type: "paragraph", children: [{ type: "text", text: line }] }))
  );
