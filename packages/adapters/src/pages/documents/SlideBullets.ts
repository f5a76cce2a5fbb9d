/**
 * Whether paragraphs of a slide are list items: by themselves, by their text box, or by layout and master
 * (ECMA-376, 19.3).
 */
import type { PageElement } from "../tree/PageTree.ts";
import { childOf, elementsOf, optionalXml, relatedPart } from "./Markup.ts";
import type { ZipEntries } from "./ZipEntries.ts";

export type Bullet = "mark" | "number" | "none";

export const bulletOf = (properties: PageElement | null): Bullet | null => {
  if (properties === null) return null;
  if (childOf(properties, "a:buNone") !== null) return "none";
  if (childOf(properties, "a:buAutoNum") !== null) return "number";
  const isMarked = childOf(properties, "a:buChar") !== null || childOf(properties, "a:buBlip") !== null;
  return isMarked ? "mark" : null;
};

interface Placeholder {
  readonly type: string;
  readonly index: string;
}

const placeholderOf = (shape: PageElement): Placeholder | null => {
  const [found] = elementsOf(childOf(shape, "p:nvSpPr") ?? shape, "p:ph");
  return found === undefined
    ? null
    : { type: found.attributes["type"] ?? "obj", index: found.attributes["idx"] ?? "0" };
};

/** Body placeholders of any type use the body style. */
const BODY = /^(?:body|obj|tbl|chart|dgm|media|clipArt|pic)$/;

const listStyleOf = (shape: PageElement | undefined): PageElement | null =>
  shape === undefined ? null : childOf(shape, "p:txBody", "a:lstStyle");

const atLevel = (style: PageElement | null, level: number): Bullet | null =>
  style === null ? null : bulletOf(childOf(style, `a:lvl${level + 1}pPr`));

interface Template {
  readonly shapes: ReadonlyArray<readonly [Placeholder, PageElement]>;
  readonly bodyStyle: PageElement | null;
}

const NO_TEMPLATE: Template = { shapes: [], bodyStyle: null };

/** Bullets defined by the layout and the master of slides; each is read once. */
export class SlideTemplates {
  private readonly zip: ZipEntries;
  private readonly templates = new Map<string, Template>();

  constructor(zip: ZipEntries) {
    this.zip = zip;
  }

  private template(name: string | null): Template {
    if (name === null) return NO_TEMPLATE;
    const known = this.templates.get(name);
    if (known !== undefined) return known;
    const root = optionalXml(this.zip, name);
    const shapes = (root === null ? [] : elementsOf(root, "p:sp")).flatMap((shape) => {
      const placeholder = placeholderOf(shape);
      return placeholder === null ? [] : [[placeholder, shape] as const];
    });
    const [styles] = root === null ? [] : elementsOf(root, "p:txStyles");
    const template = { shapes, bodyStyle: styles === undefined ? null : childOf(styles, "p:bodyStyle") };
    this.templates.set(name, template);
    return template;
  }

  /** By level, for paragraphs of a text box without bullets of their own. */
  bulletsOf(slide: string, shape: PageElement): (level: number) => Bullet {
    const placeholder = placeholderOf(shape);
    const own = listStyleOf(shape);
    if (placeholder === null) return (level) => atLevel(own, level) ?? "none";
    const layoutName = relatedPart(this.zip, slide, "slideLayout");
    const masterName = layoutName === null ? null : relatedPart(this.zip, layoutName, "slideMaster");
    const [layout, master] = [this.template(layoutName), this.template(masterName)];
    const [, inLayout] = layout.shapes.find(([each]) => each.index === placeholder.index) ?? [];
    const isBody = BODY.test(placeholder.type);
    const [, inMaster] =
      master.shapes.find(([each]) => (isBody ? BODY.test(each.type) : each.type === placeholder.type)) ?? [];
    const styles = [own, listStyleOf(inLayout), listStyleOf(inMaster), isBody ? master.bodyStyle : null];
    return (level) => {
      for (const style of styles) {
        const bullet = atLevel(style, level);
        if (bullet !== null) return bullet;
      }
      return "none";
    };
  }
}
