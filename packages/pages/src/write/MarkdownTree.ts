/** The intermediate tree between a page's elements and its Markdown. */

export type Inline =
  | { readonly type: "text"; readonly text: string }
  /** White space is preserved. */
  | { readonly type: "code"; readonly text: string }
  /** TeX as on the page. */
  | { readonly type: "formula"; readonly tex: string; readonly isDisplay: boolean }
  | { readonly type: "strong" | "emphasis" | "struck"; readonly children: ReadonlyArray<Inline> }
  /** `url` is absolute. */
  | { readonly type: "link"; readonly url: string; readonly children: ReadonlyArray<Inline> }
  /** A reference to the note with this name. */
  | { readonly type: "noteMark"; readonly name: string }
  | { readonly type: "checkbox"; readonly isChecked: boolean }
  | { readonly type: "break" };

export type MarkdownBlock =
  | { readonly type: "heading"; readonly level: number; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "paragraph"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: ReadonlyArray<MarkdownBlock> }
  | {
      readonly type: "list";
      /** Number of the first item; null if unordered. */
      readonly start: number | null;
      readonly items: ReadonlyArray<ReadonlyArray<MarkdownBlock>>;
    }
  /** Every row has as many cells as the header. */
  | {
      readonly type: "table";
      readonly head: ReadonlyArray<ReadonlyArray<Inline>>;
      readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Inline>>>;
    }
  | { readonly type: "note"; readonly name: string; readonly children: ReadonlyArray<Inline> };

/** The plain text of inline elements. */
export const plainText = (inlines: ReadonlyArray<Inline>): string =>
  inlines
    .map((inline) => {
      switch (inline.type) {
        case "text":
        case "code":
          return inline.text;
        case "formula":
          return inline.tex;
        case "break":
          return " ";
        case "checkbox":
          return inline.isChecked ? "[x]" : "[ ]";
        case "noteMark":
          return "";
        default:
          return plainText(inline.children);
      }
    })
    .join("");
