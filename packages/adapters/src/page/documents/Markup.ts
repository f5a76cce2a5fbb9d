/** XML of office documents and books read, and the HTML that they become before they are read as pages. */
import { type PageElement, parsePage, rawTextOf, walk } from "../PageTree.ts";
import type { ZipEntries } from "./ZipEntries.ts";
import { ZipRefused } from "./ZipEntries.ts";

/** Root of a file that has to be there; names keep their prefixes and their case. */
export const requiredXml = (zip: ZipEntries, name: string): PageElement =>
  optionalXml(zip, name) ??
  (() => {
    throw new ZipRefused("damaged");
  })();

export const optionalXml = (zip: ZipEntries, name: string): PageElement | null => {
  const source = zip.text(name);
  if (source === null) return null;
  const { root, truncated } = parsePage(source, { isXml: true });
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

/** Words of the first such element; null where it has none. */
export const firstText = (root: PageElement | null, name: string): string | null => {
  const [found] = root === null ? [] : elementsOf(root, name);
  return (found === undefined ? "" : rawTextOf(found)).trim() || null;
};

/** Targets by id, of a part's relationships (ECMA-376, part 2). */
export const relationsOf = (zip: ZipEntries, part: string): ReadonlyMap<string, string> => {
  const at = part.lastIndexOf("/");
  const root = optionalXml(zip, `${part.slice(0, at)}/_rels${part.slice(at)}.rels`);
  const relations = root === null ? [] : elementsOf(root, "Relationship");
  return new Map(relations.map(({ attributes }) => [attributes["Id"] ?? "", attributes["Target"] ?? ""]));
};

/** A path beside another file of the archive. */
export const pathBeside = (part: string, target: string): string =>
  decodeURI(new URL(target.split("#", 1)[0] ?? "", `zip:///${part}`).pathname).slice(1);

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Day of `dcterms:created` and the like. */
export const dayIn = (date: string | null): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(date ?? "")?.[0].replaceAll("-", "") ?? null;
