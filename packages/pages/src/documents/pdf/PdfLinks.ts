/** Attaches the links of a page to their words in its blocks. Pure. Tests: Pdf.test.ts. */
import type { Inline } from "../../write/Content.ts";
import type { PdfLink } from "./PdfAnnotations.ts";

/** A link text of one letter, such as a footnote reference, could match anywhere. */
const CHARS_MIN = 2;

/** Uses each link once, in the first block with its words. */
export class LinkPlaces {
  private readonly left: Array<PdfLink>;

  constructor(links: ReadonlyArray<PdfLink>) {
    this.left = links.filter(({ text }) => text.length >= CHARS_MIN);
  }

  inlinesOf(text: string): ReadonlyArray<Inline> {
    const inlines: Array<Inline> = [];
    let from = 0;
    for (let at = 0; at < this.left.length; at += 1) {
      const link = this.left[at] as PdfLink;
      const start = text.indexOf(link.text, from);
      if (start < 0) continue;
      if (start > from) inlines.push({ type: "text", text: text.slice(from, start) });
      inlines.push({ type: "link", url: link.url, children: [{ type: "text", text: link.text }] });
      from = start + link.text.length;
      this.left.splice(at, 1);
      at -= 1;
    }
    if (from < text.length) inlines.push({ type: "text", text: text.slice(from) });
    return inlines;
  }
}
