/** The content of a page or document: what reading it gives, and what its text and its Markdown are written from. */
import type { MetadataLink } from "@winnow/core/domain/source/SourceMetadata";
import { LISTED_LINKS_MAX } from "../PageLimits.ts";

export type Inline =
  | { readonly type: "text"; readonly text: string }
  /** White space is preserved. */
  | { readonly type: "code"; readonly text: string }
  /** TeX as on the page, and how it reads without. */
  | { readonly type: "formula"; readonly tex: string; readonly text: string; readonly isDisplay: boolean }
  | { readonly type: "strong" | "emphasis" | "struck"; readonly children: ReadonlyArray<Inline> }
  /** `url` is absolute. */
  | { readonly type: "link"; readonly url: string; readonly children: ReadonlyArray<Inline> }
  /** A reference to the note with this name; `text` is what the page shows. */
  | { readonly type: "noteMark"; readonly name: string; readonly text: string }
  | { readonly type: "checkbox"; readonly isChecked: boolean }
  | { readonly type: "break" };

export type ContentBlock =
  | {
      readonly type: "heading";
      readonly level: number;
      readonly children: ReadonlyArray<Inline>;
      /** Whether nothing of its section is in the content. Default false. */
      readonly isBare?: boolean;
    }
  | { readonly type: "paragraph"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: ReadonlyArray<ContentBlock> }
  | {
      readonly type: "list";
      /** Number of the first item; null if unordered. */
      readonly start: number | null;
      /** What the page shows before its items, such as `iv.` or `4)`; empty for the number and a full stop. */
      readonly labels?: ReadonlyArray<string>;
      /** Each item is a term and its meanings. Default false. */
      readonly isGlossary?: boolean;
      readonly items: ReadonlyArray<ReadonlyArray<ContentBlock>>;
    }
  /** Every row has as many cells as the header. */
  | {
      readonly type: "table";
      readonly head: ReadonlyArray<ReadonlyArray<Inline>>;
      readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Inline>>>;
    }
  /** `label` is what the page shows before it; empty if nothing. */
  | {
      readonly type: "note";
      readonly name: string;
      readonly label: string;
      readonly children: ReadonlyArray<Inline>;
    };

/** One page. */
export interface PageContent {
  readonly blocks: ReadonlyArray<ContentBlock>;
  /** In order, without duplicates and tracking parameters. */
  readonly links: ReadonlyArray<MetadataLink>;
}

export interface Content {
  readonly pages: ReadonlyArray<PageContent>;
  /** Whether its pages have numbers that can be cited. */
  readonly isPaged: boolean;
  /** Whether its headings are those of their page only. Default false. */
  readonly isSlides?: boolean;
  /** The file as it stands, if it is its own text: indents and empty lines tell something there. */
  readonly text?: string;
}

/** A text without structure, line by line. */
export const plainContent = (text: string): PageContent => ({
  blocks: text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ type: "paragraph", children: [{ type: "text", text: line }] })),
  links: []
});

/** Each URL once, in order, with its first link text. */
export const linksOf = ({ pages }: Content): ReadonlyArray<MetadataLink> => {
  const links = new Map<string, MetadataLink>();
  for (const link of pages.flatMap((page) => page.links))
    if (links.size < LISTED_LINKS_MAX && !links.has(link.url)) links.set(link.url, link);
  return [...links.values()];
};

/** As readers see it, on one line but for its breaks; without struck words if these are to be left out. */
export const plainText = (inlines: ReadonlyArray<Inline>, leftOut?: "struck"): string =>
  inlines
    .map((inline) => {
      switch (inline.type) {
        case "text":
        case "code":
        case "formula":
        case "noteMark":
          return inline.text.replace(/\s+/g, " ");
        case "break":
          return "\n";
        case "checkbox":
          return inline.isChecked ? "[x]" : "[ ]";
        default:
          return inline.type === leftOut ? "" : plainText(inline.children, leftOut);
      }
    })
    .join("");
