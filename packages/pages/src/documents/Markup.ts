/** Parses the XML of office documents and books. Measured by bench/documents.ts. Tests: WordDocument.test.ts, Book.test.ts. */
import { XML_ELEMENTS_MAX } from "../PageLimits.ts";
import { type PageElement, parseTree, walk } from "../parse/PageTree.ts";
import { type ZipEntries, ZipRefused } from "./ZipEntries.ts";

/** The root of a required file; names keep their prefixes and case. */
export const requiredXml = (zip: ZipEntries, name: string): PageElement =>
  optionalXml(zip, name) ??
  (() => {
    throw new ZipRefused("damaged");
  })();

/**
 * Namespaces by a part of their URI that is the same in both editions of the standard, with their usual
 * prefixes.
 */
const USUAL_PREFIXES: ReadonlyArray<readonly [vocabulary: RegExp, prefix: string]> = [
  [/\/wordprocessingml\/(?:2006\/)?main$/, "w"],
  [/\/presentationml\/(?:2006\/)?main$/, "p"],
  [/\/drawingml\/(?:2006\/)?main$/, "a"],
  [/\/officeDocument\/(?:2006\/)?relationships$/, "r"],
  [/\/markup-compatibility\/2006$/, "mc"],
  [/\/package\/2006\/relationships$/, ""],
  [/\/package\/2006\/metadata\/core-properties$/, "cp"],
  [/\/\/purl\.org\/dc\/elements\/1\.1\/$/, "dc"],
  [/\/\/purl\.org\/dc\/terms\/$/, "dcterms"],
  [/^http:\/\/www\.idpf\.org\/2007\/opf$/, ""],
  [/:xmlns:container$/, ""]
];

/** Formatting and positions: most of such a file, and never needed. */
const FORMATTING =
  "w:rPr w:tblPr w:tcPr w:trPr w:tblStylePr w:latentStyles w:docDefaults a:latin a:ea a:cs a:sym a:solidFill " +
  "a:gradFill a:ln a:effectLst p:spPr p:style p:timing p:transition pic:spPr";

const READ = { skipped: new Set(FORMATTING.split(" ")), elementsMax: XML_ELEMENTS_MAX };

/** ` xmlns:x="http://…"`. */
const DECLARATION = /\sxmlns(?::([\w.-]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** A program may choose any prefix; here elements and attributes get the usual ones. */
const withUsualPrefixes = (source: string): string => {
  const renamed = new Map<string, string>();
  for (const [, prefix = "", double, single] of source.matchAll(DECLARATION)) {
    const usual = USUAL_PREFIXES.find(([vocabulary]) => vocabulary.test(double ?? single ?? ""))?.[1];
    if (usual !== undefined && usual !== prefix) renamed.set(prefix, usual);
  }
  if (renamed.size === 0) return source;
  const named = (prefix: string, name: string): string => {
    const usual = renamed.get(prefix) ?? prefix;
    return usual === "" ? name : `${usual}:${name}`;
  };
  return source.replace(/<[^<>!?]+>/g, (tag) =>
    tag
      .replace(
        /^(<\/?)(?:([\w.-]+):)?([\w.-]+)/,
        (_, start: string, prefix: string | undefined, name: string) => start + named(prefix ?? "", name)
      )
      .replace(/(\s)([\w.-]+):([\w.-]+\s*=)/g, (whole, blank: string, prefix: string, name: string) =>
        prefix === "xmlns" ? whole : blank + named(prefix, name)
      )
  );
};

export const optionalXml = (zip: ZipEntries, name: string): PageElement | null => {
  const source = zip.text(name);
  if (source === null) return null;
  const { root, truncated } = parseTree(withUsualPrefixes(source), { xml: READ });
  if (truncated) throw new ZipRefused("too_large");
  return root;
};

export const elementsOf = (root: PageElement, name: string): ReadonlyArray<PageElement> => {
  const found: Array<PageElement> = [];
  walk(root, (element) => {
    if (element.name === name) found.push(element);
  });
  return found;
};

export const childOf = (element: PageElement, ...names: ReadonlyArray<string>): PageElement | null => {
  let at: PageElement | null = element;
  for (const name of names)
    at =
      at?.children.find((child): child is PageElement => typeof child !== "string" && child.name === name) ??
      null;
  return at;
};

export const childrenOf = (element: PageElement): ReadonlyArray<PageElement> =>
  element.children.filter((child) => typeof child !== "string");

/** All text within. */
export const textsOf = (element: PageElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : textsOf(child))).join("");

/** The text of the first such element that has any; null if none does. */
export const firstText = (root: PageElement | null, name: string): string | null =>
  (root === null ? [] : elementsOf(root, name))
    .map((element) => textsOf(element).trim())
    .find((text) => text !== "") ?? null;

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

const relationsIn = (zip: ZipEntries, part: string): ReadonlyArray<Relation> => {
  const at = part.lastIndexOf("/") + 1;
  const root = optionalXml(zip, `${part.slice(0, at)}_rels/${part.slice(at)}.rels`);
  return (root === null ? [] : elementsOf(root, "Relationship")).map(({ attributes }) => ({
    id: attributes["Id"] ?? "",
    type: (attributes["Type"] ?? "").split("/").at(-1) ?? "",
    target: attributes["Target"] ?? ""
  }));
};

/** Targets of a part's relationships by id (ECMA-376, part 2). */
export const relationsOf = (zip: ZipEntries, part: string): ReadonlyMap<string, string> =>
  new Map(relationsIn(zip, part).map(({ id, target }) => [id, target]));

/** Name of the first part with this relationship to another; "" is the package itself. */
export const relatedPart = (zip: ZipEntries, part: string, type: string): string | null => {
  const relation = relationsIn(zip, part).find((each) => each.type === type);
  return relation === undefined ? null : relativePath(part, relation.target);
};

const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Resolves a path relative to another file of the archive. */
export const relativePath = (part: string, target: string): string => {
  const url = URL.parse(
    target.split("#", 1)[0] ?? "",
    `zip:///${part.split("/").map(encodeURIComponent).join("/")}`
  );
  return url === null ? target : decodedPath(url.pathname).slice(1);
};
