/**
 * A page's text as Markdown, made of the very blocks that the text is: headings, lists, tables, code, quotes,
 * emphasis, links, notes and formulas as the page marks them.
 */
import { cleanText } from "@winnow/core/domain/CleanText";
import type { Resolve } from "../Address.ts";
import type { Block } from "../blocks/Blocks.ts";
import type { PageElement } from "../PageTree.ts";
import { BlockReader } from "./BlockReader.ts";
import { escapedUrl } from "./EscapedText.ts";
import { imageReference, InlineReader, type PageLink } from "./InlineReader.ts";
import { KeptText } from "./KeptText.ts";
import { Notes } from "./Notes.ts";
import { writeMarkdown } from "./WriteMarkdown.ts";

export interface PageMarkdown {
  readonly markdown: string;
  /** Of the kept text, each address once, in order. */
  readonly links: ReadonlyArray<PageLink>;
}

export interface MarkdownSource {
  /** Holds the blocks. */
  readonly body: PageElement;
  /** The blocks of the text. */
  readonly kept: ReadonlyArray<Block>;
  readonly resolve: Resolve;
  /** Address of the one picture that is shown, where the text has it; no other one is. */
  readonly picture: string | null;
}

export const pageMarkdown = ({ body, kept, picture, resolve }: MarkdownSource): PageMarkdown => {
  const isPicture = (element: PageElement): boolean =>
    element.name === "img" && picture !== null && resolve(imageReference(element)) === picture;
  const keptText = new KeptText(body, kept, isPicture);
  const notes = new Notes(body, keptText);
  const inlines = new InlineReader(keptText, notes, resolve, picture);
  const markdown = writeMarkdown(new BlockReader(keptText, notes, inlines).flow(body));
  return { markdown: cleanText(markdown), links: [...inlines.links.values()] };
};

/** The picture that Markdown shows under `picture`, under another reference; without it where that is null. */
export const withPicture = (markdown: string, picture: string | null, reference: string | null): string => {
  if (picture === null) return markdown;
  const [first = "", ...rest] = markdown.split(`](${escapedUrl(picture)})`);
  const merged = rest.reduce((before, after) => {
    const start = before.lastIndexOf("![");
    const isPicture = start >= 0 && !/(?<!\\)\]/u.test(before.slice(start));
    if (!isPicture) return `${before}](${escapedUrl(picture)})${after}`;
    return reference === null ? before.slice(0, start) + after : `${before}](${reference})${after}`;
  }, first);
  return merged.trim();
};

/** Of a text without structure, line by line. */
export const plainMarkdown = (text: string): string =>
  writeMarkdown(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => ({ type: "paragraph", children: [{ type: "text", text: line }] }))
  );
