/** A text document (WordprocessingML, ECMA-376) as HTML: headings, lists, tables, links, emphasis, notes. */
import type { PageElement } from "../tree/PageTree.ts";
import { chosenAlternative } from "./Drawings.ts";
import { ListWriter } from "./ListWriter.ts";
import {
  childOf,
  childrenOf,
  optionalXml,
  relativePath,
  relatedPart,
  relationsOf,
  requiredXml
} from "./Markup.ts";
import { LEFT_OUT, type WordInlines, wordInlines, type WordPart } from "./WordInlines.ts";
import { WordNumbering } from "./WordNumbering.ts";
import { listPlaceOf, outlineLevel, type ParagraphRole, valueOf, WordStyles } from "./WordStyles.ts";
import { wordTableHtml } from "./WordTables.ts";
import { type ZipEntries, ZipRefused } from "./ZipEntries.ts";

/** Maximum nesting of tables and text boxes; deeper ones are left out. */
const DEPTH_MAX = 20;

interface Reader {
  readonly numbering: WordNumbering;
  depth: number;
}

const GROUPS = { code: "pre", quote: "blockquote" } as const;

/** The blocks of a body, a cell or a text box, in order. */
class BlockWriter {
  private readonly parts: Array<string> = [];
  private readonly lists = new ListWriter();
  private readonly part: WordPart;
  private readonly reader: Reader;
  private group: keyof typeof GROUPS | null = null;
  /** The beginning of the next paragraph: a drop cap, or a paragraph whose paragraph mark was deleted. */
  private carried: WordInlines = { html: "", boxes: "" };

  constructor(part: WordPart, reader: Reader) {
    this.part = part;
    this.reader = reader;
  }

  done(): string {
    if (this.carried.html !== "") this.paragraphOf({ html: "", boxes: "" }, null, null);
    this.endGroups();
    return this.parts.join("");
  }

  private endGroups(): void {
    this.parts.push(this.lists.end());
    this.enter(null);
  }

  private enter(group: keyof typeof GROUPS | null): void {
    if (this.group === group) return;
    if (this.group !== null) this.parts.push(`</${GROUPS[this.group]}>`);
    if (group !== null) this.parts.push(`<${GROUPS[group]}>`);
    this.group = group;
  }

  blocks(parent: PageElement): void {
    for (const child of childrenOf(parent)) this.block(child);
  }

  private block(child: PageElement): void {
    if (LEFT_OUT.has(child.name)) return;
    if (child.name === "w:p") this.paragraph(child);
    else if (child.name === "mc:AlternateContent")
      for (const each of chosenAlternative(child)) this.block(each);
    else if (child.name === "w:tbl") {
      this.endGroups();
      this.parts.push(wordTableHtml(child, (cell) => cellHtml(cell, this.part, this.reader)));
    } else if (child.name === "m:oMathPara" || child.name === "m:oMath") {
      this.endGroups();
      this.parts.push(`<p>${wordInlines(child, this.part).html}</p>`);
    } else if (childrenOf(child).length > 0) this.blocks(child);
  }

  private paragraph(paragraph: PageElement): void {
    const properties = childOf(paragraph, "w:pPr");
    const own = wordInlines(paragraph, this.part);
    const inlines = { html: this.carried.html + own.html, boxes: this.carried.boxes + own.boxes };
    const isJoined = properties !== null && childOf(properties, "w:rPr", "w:del") !== null;
    const isDropped =
      properties !== null && childOf(properties, "w:framePr")?.attributes["w:dropCap"] !== undefined;
    const isContinued = (isJoined || isDropped) && inlines.html !== "";
    this.carried = isContinued ? inlines : { html: "", boxes: "" };
    if (!isContinued) this.paragraphOf(inlines, paragraph, properties);
  }

  private paragraphOf(
    inlines: WordInlines,
    paragraph: PageElement | null,
    properties: PageElement | null
  ): void {
    const html = this.carried.html + inlines.html;
    const style = this.part.styles.paragraph(
      properties === null ? null : valueOf(childOf(properties, "w:pStyle"))
    );
    const level = outlineLevel(properties) ?? style.headingLevel;
    const place = paragraph === null ? null : (listPlaceOf(properties) ?? style.list);
    // Counted even if a heading shows the number.
    const item = place === null || html === "" ? null : this.reader.numbering.item(place);
    if (level !== null) this.whole(`<h${level}>${html}</h${level}>`);
    else if (item !== null) {
      this.enter(null);
      this.parts.push(this.lists.item(item, html));
    } else if (html !== "") this.ordinary(html, style.role);
    if (inlines.boxes !== "") this.whole(inlines.boxes);
  }

  private whole(html: string): void {
    this.endGroups();
    this.parts.push(html);
  }

  private ordinary(html: string, role: ParagraphRole): void {
    if (role === "continued" && this.lists.isOpen) {
      this.parts.push(`<p>${html}</p>`);
      return;
    }
    this.parts.push(this.lists.end());
    const isMore = this.group === "code";
    this.enter(role === "code" || role === "quote" ? role : null);
    if (role !== "code") this.parts.push(`<p>${html}</p>`);
    else this.parts.push((isMore ? "\n" : "") + html.replaceAll("<br>", "\n"));
  }
}

const blocksHtml = (parent: PageElement, part: WordPart, reader: Reader): string => {
  if (reader.depth >= DEPTH_MAX) return "";
  reader.depth += 1;
  const writer = new BlockWriter(part, reader);
  writer.blocks(parent);
  reader.depth -= 1;
  return writer.done();
};

/** A single paragraph stays on the line of its row. */
const cellHtml = (cell: PageElement, part: WordPart, reader: Reader): string => {
  const html = blocksHtml(cell, part, reader);
  const isOne = html.startsWith("<p>") && html.endsWith("</p>") && !html.includes("<p>", 1);
  return isOne ? html.slice("<p>".length, -"</p>".length) : html;
};

type NoteKind = "footnote" | "endnote";

/** The notes of a document, numbered in the order of their references. */
class WordNotes {
  private readonly numbers = new Map<string, number>();

  mark(kind: NoteKind, id: string): string {
    const key = `${kind} ${id}`;
    const number = this.numbers.get(key) ?? this.numbers.size + 1;
    this.numbers.set(key, number);
    return `<sup><a role="doc-noteref" href="#${kind}-${id}">[${number}]</a></sup>`;
  }

  /** In the order of their references, unreferenced ones last. */
  referenceIndex(kind: NoteKind, id: string): number {
    return this.numbers.get(`${kind} ${id}`) ?? Infinity;
  }
}

interface Note {
  readonly kind: NoteKind;
  readonly id: string;
  readonly element: PageElement;
  readonly part: WordPart;
}

const notesIn = (zip: ZipEntries, kind: NoteKind, main: WordPart): ReadonlyArray<Note> => {
  const name = relatedPart(zip, main.name, `${kind}s`) ?? relativePath(main.name, `${kind}s.xml`);
  const root = optionalXml(zip, name);
  const part: WordPart = { ...main, name, links: relationsOf(zip, name) };
  return (root === null ? [] : childrenOf(childOf(root, `w:${kind}s`) ?? root))
    .filter((each) => each.name === `w:${kind}` && !/eparator$|Notice$/.test(each.attributes["w:type"] ?? ""))
    .map((element) => ({ kind, id: element.attributes["w:id"] ?? "", element, part }));
};

/** Notes come at the end. */
export const wordHtml = (zip: ZipEntries, name: string): string => {
  const relatedXml = (type: string): PageElement | null =>
    optionalXml(zip, relatedPart(zip, name, type) ?? relativePath(name, `${type}.xml`));
  const body = childOf(requiredXml(zip, name), "w:document", "w:body");
  if (body === null) throw new ZipRefused("damaged");
  const notes = new WordNotes();
  const reader: Reader = { numbering: new WordNumbering(relatedXml("numbering")), depth: 0 };
  const part: WordPart = {
    zip,
    name,
    links: relationsOf(zip, name),
    styles: new WordStyles(relatedXml("styles")),
    noteMark: (kind, id) => notes.mark(kind, id),
    boxHtml: (content, holder) => blocksHtml(content, holder, reader)
  };
  const text = blocksHtml(body, part, reader);
  const written = (["footnote", "endnote"] as const)
    .flatMap((kind) => notesIn(zip, kind, part))
    .toSorted((one, other) => {
      const [before, after] = [
        notes.referenceIndex(one.kind, one.id),
        notes.referenceIndex(other.kind, other.id)
      ];
      return before === after ? 0 : before - after;
    })
    .map((note) => {
      const html = cellHtml(note.element, note.part, reader);
      return html === "" ? "" : `<li id="${note.kind}-${note.id}">${html}</li>`;
    });
  const list = written.join("");
  return `<body>${text}${list === "" ? "" : `<ol>${list}</ol>`}</body>`;
};
