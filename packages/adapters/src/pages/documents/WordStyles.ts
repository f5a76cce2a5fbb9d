/**
 * What the styles of a text document say about its paragraphs and runs, including the styles they are based on.
 */
import type { PageElement } from "../tree/PageTree.ts";
import { childOf, elementsOf } from "./Markup.ts";

const HEADING_MAX = 6;
/** Maximum length of a chain of base styles; a longer one is a cycle. */
const BASES_MAX = 12;

export const valueOf = (element: PageElement | null): string | null => element?.attributes["w:val"] ?? null;

/** Null if there is no such on/off element. */
export const switchOf = (element: PageElement | null): boolean | null =>
  element === null ? null : !["0", "false", "off", "none"].includes(valueOf(element) ?? "1");

export interface ListPlace {
  readonly id: string;
  readonly level: number;
}

/** The list level in paragraph properties; null if there is none. */
export const listPlaceOf = (properties: PageElement | null): ListPlace | null => {
  const numbering = properties === null ? null : childOf(properties, "w:numPr");
  if (numbering === null) return null;
  const level = Number(valueOf(childOf(numbering, "w:ilvl")) ?? 0);
  const id = valueOf(childOf(numbering, "w:numId"));
  if (id === null) return null;
  return { id, level: Number.isInteger(level) ? Math.min(Math.max(level, 0), 8) : 0 };
};

export type ParagraphRole = "code" | "quote" | "continued" | null;

export interface ParagraphStyle {
  readonly headingLevel: number | null;
  readonly role: ParagraphRole;
  readonly list: ListPlace | null;
}

export interface WordStyle {
  readonly isBold: boolean | null;
  readonly isItalic: boolean | null;
  readonly isHidden: boolean | null;
  readonly isCode: boolean;
}

const NO_PARAGRAPH: ParagraphStyle = { headingLevel: null, role: null, list: null };
const NO_WORD: WordStyle = { isBold: null, isItalic: null, isHidden: null, isCode: false };

/** Style names are the same in every language version of the program. */
const CODE =
  /^(?:source code|html (?:preformatted|code|typewriter)|preformatted text|verbatim(?: char)?|code(?: block)?)$/;
const QUOTE = /^(?:intense )?quote$|^quotations?$|^block (?:text|quote)$/;
const CONTINUED = /^list (?:continue|paragraph)(?: \d)?$/;

const levelOf = (outline: string | null): number | null => {
  const level = outline === null ? NaN : Number(outline) + 1;
  return level >= 1 && level <= HEADING_MAX ? level : null;
};

export const outlineLevel = (properties: PageElement | null): number | null =>
  properties === null ? null : levelOf(valueOf(childOf(properties, "w:outlineLvl")));

const roleOf = (name: string): ParagraphRole => {
  if (CODE.test(name)) return "code";
  if (QUOTE.test(name)) return "quote";
  return CONTINUED.test(name) ? "continued" : null;
};

export class WordStyles {
  private readonly byId: ReadonlyMap<string, PageElement>;
  private readonly byDefault: string;
  private readonly paragraphs = new Map<string, ParagraphStyle>();
  private readonly words = new Map<string, WordStyle>();

  constructor(root: PageElement | null) {
    const styles = root === null ? [] : elementsOf(root, "w:style");
    this.byId = new Map(styles.map((style) => [style.attributes["w:styleId"] ?? "", style]));
    const usual = styles.find(
      ({ attributes }) =>
        attributes["w:type"] === "paragraph" && /^(?:1|true|on)$/.test(attributes["w:default"] ?? "")
    );
    this.byDefault = usual?.attributes["w:styleId"] ?? "";
  }

  /** The style and its base styles, nearest first. */
  private basesOf(id: string): ReadonlyArray<PageElement> {
    const bases: Array<PageElement> = [];
    let style = this.byId.get(id);
    while (style !== undefined && bases.length < BASES_MAX) {
      bases.push(style);
      style = this.byId.get(valueOf(childOf(style, "w:basedOn")) ?? "");
    }
    return bases;
  }

  paragraph(id: string | null): ParagraphStyle {
    const key = id ?? this.byDefault;
    const known = this.paragraphs.get(key);
    if (known !== undefined) return known;
    const found = this.basesOf(key).reduceRight<ParagraphStyle>((base, style) => {
      const name = (valueOf(childOf(style, "w:name")) ?? "").toLowerCase();
      const properties = childOf(style, "w:pPr");
      const heading =
        name === "title" ? 1 : levelOf(String(Number(/^heading (\d)$/.exec(name)?.[1] ?? NaN) - 1));
      return {
        headingLevel: heading ?? outlineLevel(properties) ?? base.headingLevel,
        role: roleOf(name) ?? base.role,
        list: listPlaceOf(properties) ?? base.list
      };
    }, NO_PARAGRAPH);
    this.paragraphs.set(key, found);
    return found;
  }

  word(id: string): WordStyle {
    const known = this.words.get(id);
    if (known !== undefined) return known;
    const found = this.basesOf(id).reduceRight<WordStyle>((base, style) => {
      const properties = childOf(style, "w:rPr");
      const switched = (name: string): boolean | null =>
        properties === null ? null : switchOf(childOf(properties, name));
      return {
        isBold: switched("w:b") ?? base.isBold,
        isItalic: switched("w:i") ?? base.isItalic,
        isHidden: switched("w:vanish") ?? base.isHidden,
        isCode: base.isCode || CODE.test((valueOf(childOf(style, "w:name")) ?? "").toLowerCase())
      };
    }, NO_WORD);
    this.words.set(id, found);
    return found;
  }
}
