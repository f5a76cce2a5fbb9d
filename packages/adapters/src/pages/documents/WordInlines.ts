/** The running text of a paragraph: words with emphasis, links, fields, notes, formulas. */
import { type PageElement, rawTextOf } from "../tree/PageTree.ts";
import { chosenAlternative, drawingsHtml } from "./Drawings.ts";
import { childOf, childrenOf, elementsOf, escaped } from "./Markup.ts";
import { formulaHtml } from "./OfficeMath.ts";
import { symbolOf } from "./SymbolFont.ts";
import { switchOf, valueOf, type WordStyles } from "./WordStyles.ts";
import type { ZipEntries } from "./ZipEntries.ts";

export interface WordPart {
  readonly zip: ZipEntries;
  readonly name: string;
  /** Targets of this part by id. */
  readonly links: ReadonlyMap<string, string>;
  readonly styles: WordStyles;
  /** Identifies the note of a reference by kind and id: `footnote 2`. */
  readonly noteMark: (kind: "footnote" | "endnote", id: string) => string;
  /** Blocks of a text box. */
  readonly boxHtml: (content: PageElement, part: WordPart) => string;
}

/** Deleted text, and elements that only describe others. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  "w:del",
  "w:moveFrom",
  "w:instrText",
  "w:rPr",
  "w:pPr",
  "w:sdtPr",
  "w:sdtEndPr",
  "w:rt"
]);

interface Marks {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isCode: boolean;
}

const PLAIN: Marks = { isBold: false, isItalic: false, isCode: false };

interface Stretch extends Marks {
  readonly html: string;
  readonly link: string | null;
}

interface Field {
  instruction: string;
  /** The field's own link, otherwise that of the enclosing field. */
  link: string | null;
}

const FIELD_LINK = /^\s*HYPERLINK\s+(?:"([^"]+)"|([^\s"\\]\S*))/i;

const linkOf = (instruction: string): string | null => {
  const [, quoted, bare] = FIELD_LINK.exec(instruction) ?? [];
  return quoted ?? bare ?? null;
};

const isAlike = (one: Stretch, other: Stretch): boolean =>
  one.link === other.link &&
  one.isBold === other.isBold &&
  one.isItalic === other.isItalic &&
  one.isCode === other.isCode;

const marked = ({ html, isBold, isCode, isItalic }: Stretch): string => {
  if (html.trim() === "") return html;
  const code = isCode ? `<code>${html}</code>` : html;
  const emphasised = isItalic ? `<em>${code}</em>` : code;
  return isBold ? `<strong>${emphasised}</strong>` : emphasised;
};

/** Adjacent runs with one target form one link, whatever their emphasis. */
const written = (stretches: ReadonlyArray<Stretch>): string => {
  let html = "";
  let open: string | null = null;
  for (const stretch of stretches) {
    if (stretch.link !== open) {
      html += open === null ? "" : "</a>";
      html += stretch.link === null ? "" : `<a href="${escaped(stretch.link)}">`;
      open = stretch.link;
    }
    html += marked(stretch);
  }
  return open === null ? html : `${html}</a>`;
};

export interface WordInlines {
  readonly html: string;
  /** Text boxes, charts and diagrams anchored to its words. */
  readonly boxes: string;
}

class InlineWriter {
  readonly stretches: Array<Stretch> = [];
  boxes = "";
  private readonly part: WordPart;
  private readonly fields: Array<Field> = [];
  private marks = PLAIN;
  private link: string | null = null;

  constructor(part: WordPart) {
    this.part = part;
  }

  private add(html: string): void {
    if (html === "") return;
    const link = this.link ?? this.fields.at(-1)?.link ?? null;
    const next: Stretch = { html, link, ...this.marks };
    const last = this.stretches.at(-1);
    // A space between two bold words looks bold.
    const joins = last !== undefined && (isAlike(last, next) || (html.trim() === "" && last.link === link));
    if (joins) this.stretches[this.stretches.length - 1] = { ...last, html: last.html + html };
    else this.stretches.push(next);
  }

  children(element: PageElement): void {
    for (const child of childrenOf(element)) this.child(child);
  }

  private child(child: PageElement): void {
    const { name } = child;
    if (LEFT_OUT.has(name)) return;
    if (name === "w:r") this.run(child);
    else if (name === "w:hyperlink" || name === "w:fldSimple") this.linked(child);
    else if (name === "mc:AlternateContent") for (const each of chosenAlternative(child)) this.child(each);
    else if (name === "m:oMathPara") {
      for (const formula of elementsOf(child, "m:oMath")) this.add(formulaHtml(formula, true));
    } else if (name === "m:oMath") this.add(formulaHtml(child, false));
    else if (name === "w:txbxContent") this.boxes += this.part.boxHtml(child, this.part);
    else if (name === "w:drawing") {
      this.children(child);
      this.boxes += drawingsHtml(child, this.part.zip, this.part.name);
    } else if (!this.piece(child)) this.children(child);
  }

  private linked(element: PageElement): void {
    const outer = this.link;
    const place = element.attributes["w:anchor"];
    const target =
      element.name === "w:hyperlink"
        ? this.part.links.get(element.attributes["r:id"] ?? "")
        : linkOf(element.attributes["w:instr"] ?? "");
    const isWhole = place === undefined || target === undefined || target === null || target.includes("#");
    this.link = isWhole ? (target ?? outer) : `${target}#${place}`;
    this.children(element);
    this.link = outer;
  }

  private run(run: PageElement): void {
    const properties = childOf(run, "w:rPr");
    const style = this.part.styles.word(
      valueOf(properties === null ? null : childOf(properties, "w:rStyle")) ?? ""
    );
    const switched = (name: string): boolean | null =>
      properties === null ? null : switchOf(childOf(properties, name));
    // A field may begin or end within hidden text.
    const isHidden = switched("w:vanish") ?? style.isHidden ?? false;
    const outer = this.marks;
    this.marks = {
      isBold: switched("w:b") ?? style.isBold ?? false,
      isItalic: switched("w:i") ?? style.isItalic ?? false,
      isCode: style.isCode
    };
    for (const child of childrenOf(run)) {
      if (child.name === "w:instrText") this.instruct(rawTextOf(child));
      else if (child.name === "w:fldChar") this.field(child.attributes["w:fldCharType"] ?? "");
      else if (!isHidden) this.child(child);
    }
    this.marks = outer;
  }

  private instruct(text: string): void {
    const field = this.fields.at(-1);
    if (field !== undefined) field.instruction += text;
  }

  private field(type: string): void {
    const field = this.fields.at(-1);
    if (type === "begin") this.fields.push({ instruction: "", link: field?.link ?? null });
    else if (type === "separate" && field !== undefined) field.link = linkOf(field.instruction) ?? field.link;
    else if (type === "end") this.fields.pop();
  }

  /** Whether it contains text. */
  private piece(child: PageElement): boolean {
    switch (child.name) {
      case "w:t":
        this.add(escaped(rawTextOf(child)));
        return true;
      case "w:tab":
      case "w:ptab":
        this.add(" ");
        return true;
      case "w:br":
      case "w:cr":
        this.add("<br>");
        return true;
      case "w:noBreakHyphen":
        this.add("-");
        return true;
      case "w:sym":
        this.add(escaped(symbolOf(child.attributes["w:font"] ?? "", child.attributes["w:char"] ?? "")));
        return true;
      case "w:footnoteReference":
        this.add(this.part.noteMark("footnote", child.attributes["w:id"] ?? ""));
        return true;
      case "w:endnoteReference":
        this.add(this.part.noteMark("endnote", child.attributes["w:id"] ?? ""));
        return true;
      default:
        return false;
    }
  }
}

export const wordInlines = (paragraph: PageElement, part: WordPart): WordInlines => {
  const writer = new InlineWriter(part);
  writer.children(paragraph);
  return { html: written(writer.stretches), boxes: writer.boxes };
};
