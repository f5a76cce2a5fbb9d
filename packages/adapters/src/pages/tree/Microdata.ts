/**
 * Converts the microdata of a page (WHATWG HTML, section 5) to the same graph as JSON-LD, so that one reader
 * serves both. Only schema.org types; limited like JSON-LD.
 */
import type { JsonLdGraph, JsonLdNode } from "./JsonLd.ts";
import { JSON_LD_DEPTH_MAX, JSON_LD_NODES_MAX, MICRODATA_TEXT_CHARS_MAX } from "../PageLimits.ts";
import { type PageElement, textOf } from "./PageTree.ts";

const VOCABULARY = /^https?:\/\/(?:www\.)?schema\.org\//i;

const ADDRESSED: Readonly<Record<string, string>> = {
  a: "href",
  area: "href",
  link: "href",
  audio: "src",
  embed: "src",
  iframe: "src",
  img: "src",
  source: "src",
  video: "src",
  object: "data"
};

const propertyText = (element: PageElement): string => {
  const { attributes, name } = element;
  const address = ADDRESSED[name];
  if (attributes["content"] !== undefined) return attributes["content"].trim();
  if (address !== undefined && attributes[address] !== undefined) return attributes[address].trim();
  const machine = name === "time" ? attributes["datetime"] : attributes["value"];
  return (machine ?? textOf(element, MICRODATA_TEXT_CHARS_MAX)).trim();
};

type Draft = Record<string, Array<unknown>>;

const isOfSchemaOrg = ({ attributes }: PageElement): boolean =>
  VOCABULARY.test((attributes["itemtype"] ?? "").trim());

export const readMicrodata = (root: PageElement): JsonLdGraph => {
  const entities: Array<JsonLdNode> = [];
  let nodeCount = 0;

  const add = (owner: Draft | null, element: PageElement, value: unknown): void => {
    if (owner === null) return;
    for (const name of (element.attributes["itemprop"] ?? "").split(/\s+/).filter(Boolean)) {
      if (Object.hasOwn(owner, name)) owner[name]?.push(value);
      else if (name !== "__proto__") owner[name] = [value];
    }
  };

  const visit = (element: PageElement, owner: Draft | null, depth: number): void => {
    const isItem = "itemscope" in element.attributes;
    const isKept =
      isItem && isOfSchemaOrg(element) && depth < JSON_LD_DEPTH_MAX && nodeCount < JSON_LD_NODES_MAX;
    let inner = owner;
    if (isKept) {
      nodeCount += 1;
      const draft: Draft = { "@type": (element.attributes["itemtype"] ?? "").split(/\s+/).filter(Boolean) };
      if (element.attributes["itemprop"] === undefined || owner === null) entities.push(draft);
      else add(owner, element, draft);
      inner = draft;
    } else if (isItem) inner = null;
    else if ("itemprop" in element.attributes) add(owner, element, propertyText(element));
    for (const child of element.children)
      if (typeof child !== "string") visit(child, inner, depth + (isKept ? 1 : 0));
  };

  visit(root, null, 0);
  return { entities, byId: new Map() };
};
