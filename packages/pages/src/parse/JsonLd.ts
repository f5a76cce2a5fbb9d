/**
 * Parses the JSON-LD and the microdata of a page into graphs of plain objects. On real pages JSON-LD contains comments,
 * CDATA markers, raw line breaks in strings and trailing commas, and is spread over scripts, arrays and `@graph`; all of
 * this is handled. Size and depth are limited; unparsable parts are skipped. Retrain: train/train-page-text.ts.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { parseJsonIds } from "@winnow/core/domain/text/JsonNumbers";
import {
  JSON_LD_CHARS_MAX,
  JSON_LD_DEPTH_MAX,
  JSON_LD_NODES_MAX,
  MICRODATA_TEXT_CHARS_MAX
} from "../PageLimits.ts";
import { type PageElement, textOf } from "./PageTree.ts";

export type JsonLdNode = Readonly<Record<string, unknown>>;

export interface JsonLdGraph {
  /** The entities the page is about: roots, members of arrays and of `@graph`, main entities. */
  readonly entities: ReadonlyArray<JsonLdNode>;
  readonly byId: ReadonlyMap<string, JsonLdNode>;
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value]);

const property = (node: JsonLdNode, key: string): unknown =>
  Object.hasOwn(node, key) ? node[key] : undefined;

/** Markers that hid JSON-LD from old browsers, "//<![CDATA[" and "//]]>", and a stray semicolon. */
const OPENING = /^(?:<!--|(?:\/\/|\/\*)?\s*<!\[CDATA\[\s*(?:\*\/)?)/;
const CLOSING = /(?:-->|(?:\/\/|\/\*)?\s*\]\]>\s*(?:\*\/)?|;)$/;
const CLOSING_CHARS_MAX = 40;

const unwrapped = (source: string): string => {
  const opened = source.trim().replace(OPENING, "").trimEnd();
  const tail = opened.slice(-CLOSING_CHARS_MAX);
  return opened.slice(0, opened.length - tail.length) + tail.replace(CLOSING, "");
};

/** Line breaks and tabs are white space between tokens and, although forbidden, meant as such in strings. */
const CONTROLS = /\p{Cc}+/gu;

const parseJson = (source: string): unknown => {
  const json = unwrapped(unwrapped(source)).replace(CONTROLS, " ").trim();
  for (const candidate of [json, json.replace(/,\s*(?=[}\]])/g, "")]) {
    try {
      return parseJsonIds(candidate);
    } catch {
      continue;
    }
  }
  return undefined;
};

/** Keys that link an entity to the one the page is about. */
const CONTAINERS: ReadonlySet<string> = new Set(["@graph", "mainEntity", "mainEntityOfPage"]);

export const parseJsonLd = (sources: ReadonlyArray<string>): JsonLdGraph => {
  const entities: Array<JsonLdNode> = [];
  const byId = new Map<string, JsonLdNode>();
  let nodeCount = 0;
  let charsLeft = JSON_LD_CHARS_MAX;

  const index = (value: unknown, depth: number, isEntity: boolean): void => {
    if (depth > JSON_LD_DEPTH_MAX || nodeCount >= JSON_LD_NODES_MAX) return;
    if (Array.isArray(value)) return value.forEach((item) => index(item, depth + 1, isEntity));
    if (!isJsonObject(value)) return;
    nodeCount += 1;
    const keys = Object.keys(value);
    const id = property(value, "@id");
    if (typeof id === "string" && keys.length > 1 && !byId.has(id)) byId.set(id, value);
    if (isEntity && property(value, "@type") !== undefined) entities.push(value);
    for (const key of keys) index(value[key], depth + 1, isEntity && CONTAINERS.has(key));
  };

  for (const source of sources) {
    charsLeft -= source.length;
    if (charsLeft < 0) break;
    index(parseJson(source), 0, true);
  }
  return { entities, byId };
};

/** Short names, without the vocabulary prefix. */
export const typesOf = (node: JsonLdNode): ReadonlyArray<string> =>
  listOf(property(node, "@type"))
    .filter((type) => typeof type === "string")
    .map((type) =>
      type.slice(Math.max(type.lastIndexOf("/"), type.lastIndexOf("#"), type.lastIndexOf(":")) + 1)
    );

/** Of short names, separated by spaces. */
export const typeSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

export const hasType = (node: JsonLdNode, types: ReadonlySet<string>): boolean =>
  typesOf(node).some((type) => types.has(type));

/** Values of a property, with lists flattened and references by `@id` resolved. */
export const valuesOf = (graph: JsonLdGraph, node: JsonLdNode, key: string): ReadonlyArray<unknown> =>
  listOf(property(node, key)).map((value) => {
    if (!isJsonObject(value)) return value;
    const id = property(value, "@id");
    return typeof id === "string" && Object.keys(value).length === 1 ? graph.byId.get(id) : value;
  });

export const nodesOf = (graph: JsonLdGraph, node: JsonLdNode, key: string): ReadonlyArray<JsonLdNode> =>
  valuesOf(graph, node, key).filter(isJsonObject);

/** Strings of a property; for an object its `@value`, otherwise the value of one of `keys`. */
export const stringsOf = (
  graph: JsonLdGraph,
  node: JsonLdNode,
  key: string,
  keys: ReadonlyArray<string> = ["name"]
): ReadonlyArray<string> =>
  valuesOf(graph, node, key).flatMap((value) => {
    if (typeof value === "string") return [value];
    if (typeof value === "number") return [String(value)];
    if (!isJsonObject(value)) return [];
    const inner = ["@value", ...keys].map((name) => listOf(property(value, name))[0]);
    return inner.filter((text) => typeof text === "string").slice(0, 1);
  });

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

/**
 * Converts the microdata of a page (WHATWG HTML, section 5) to the same graph as JSON-LD, so that one reader
 * serves both. Only schema.org types; limited like JSON-LD.
 */
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
