/**
 * The structure of Markdown as elements (headings, list items, cells, code blocks and links), and the share of the
 * ground truth's elements that another text has. All Markdown is parsed with micromark.
 */
import type { Node, Parent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { wordsOf } from "./measures.ts";

export const PIECES = ["heading", "listItem", "tableCell", "code", "link"] as const;
export type Piece = (typeof PIECES)[number];

export const parsedMarkdown = (markdown: string): Parent =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

const isParent = (node: Node): node is Parent => "children" in node;

/** Words of a node; blocks, cells and breaks separate words. */
export const textOfNode = (node: Node): string => {
  if (node.type === "html" && "value" in node && node.value === "<br>") return " ";
  if (node.type === "html" || node.type === "image" || node.type === "footnoteReference") return "";
  if ("value" in node) return String(node.value);
  if (node.type === "break") return " ";
  if (!isParent(node)) return "";
  const isInline = ["emphasis", "strong", "delete", "link", "linkReference"].includes(node.type);
  const holdsBlocks = !isInline && !["paragraph", "heading", "tableCell"].includes(node.type);
  return node.children.map(textOfNode).join(holdsBlocks ? "\n" : "");
};

export const visit = (node: Node, see: (node: Node) => void): void => {
  see(node);
  if (isParent(node)) for (const child of node.children) visit(child, see);
};

/** The text of a list item without nested lists. */
const ownText = (node: Parent): string =>
  node.children
    .filter(({ type }) => type !== "list")
    .map(textOfNode)
    .join("\n");

/**
 * Ground truths often do not mark code, and its indented lines then only happen to parse as code: only fences count.
 */
const isAccident = ({ position, type }: Node, markdown: string): boolean =>
  type === "code" && !/^[`~]/.test(markdown.slice(position?.start.offset ?? 0));

/** Number of occurrences of each element, by kind and by its words. */
export const piecesOf = (markdown: string): ReadonlyMap<Piece, ReadonlyMap<string, number>> => {
  const pieces = new Map(PIECES.map((piece) => [piece, new Map<string, number>()]));
  visit(parsedMarkdown(markdown), (node) => {
    const piece = PIECES.find((each) => each === node.type);
    if (piece === undefined || isAccident(node, markdown)) return;
    const key = wordsOf(piece === "listItem" && isParent(node) ? ownText(node) : textOfNode(node)).join(" ");
    const counts = pieces.get(piece);
    if (key !== "" && counts !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return pieces;
};

/** Share of the ground truth's elements that were found; null if it has none of this kind. */
export const recallOf = (
  found: ReadonlyMap<string, number> | undefined,
  truth: ReadonlyMap<string, number> | undefined
): number | null => {
  let wanted = 0;
  let had = 0;
  for (const [key, times] of truth ?? []) {
    wanted += times;
    had += Math.min(times, found?.get(key) ?? 0);
  }
  return wanted === 0 ? null : had / wanted;
};
