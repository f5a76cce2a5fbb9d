/**
 * Reads the content of the selected part of a page: headings, lists, tables, code, quotes, emphasis, links, notes and
 * formulas as marked up there. Measured by bench/page-markdown.ts.
 */
import type { Resolve } from "../parse/Address.ts";
import type { Block } from "../select/blocks/Blocks.ts";
import type { PageElement } from "../parse/PageTree.ts";
import { BlockReader } from "./BlockReader.ts";
import type { PageContent } from "./Content.ts";
import { InlineReader } from "./InlineReader.ts";
import { KeptText } from "./KeptText.ts";
import { Notes } from "./Notes.ts";

interface ContentSource {
  /** Contains the blocks. */
  readonly body: PageElement;
  /** The blocks of the text. */
  readonly kept: ReadonlyArray<Block>;
  /** These and the others. Default none. */
  readonly all?: ReadonlyArray<Block>;
  readonly resolve: Resolve;
}

export const readContent = ({ body, kept, all = kept, resolve }: ContentSource): PageContent => {
  const keptText = new KeptText(kept, all);
  const notes = new Notes(body, keptText);
  const inlines = new InlineReader(keptText, notes, resolve);
  const blocks = new BlockReader(keptText, notes, inlines).flow(body);
  return { blocks, links: [...inlines.links.values()] };
};
