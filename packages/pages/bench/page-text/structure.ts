/**
 * The structure of Markdown as elements (headings, list items, rows, cells, code blocks and links), and how far that of
 * two texts agrees. All Markdown is parsed with micromark.
 */
import type { Node, Parent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { wordsOf } from "./measures.ts";

export const PIECES = ["heading", "listItem", "tableRow", "tableCell", "code", "link"] as const;
export type Piece = (typeof PIECES)[number];

const GITHUB = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

export const parsedMarkdown = (markdown: string): Parent => fromMarkdown(markdown, GITHUB);

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

const wordsIn = (text: string): string => wordsOf(text).join(" ");

/** What makes two elements of one kind the same: the words, in rows cell by cell. */
const keyOf = (piece: Piece, node: Node): string => {
  if (!isParent(node) || (piece !== "listItem" && piece !== "tableRow")) return wordsIn(textOfNode(node));
  if (piece === "listItem") return wordsIn(ownText(node));
  const cells = node.children.map((cell) => wordsIn(textOfNode(cell)));
  return cells.some((cell) => cell !== "") ? cells.join(" | ") : "";
};

/** Number of occurrences of each element, by kind and by its words. */
export const piecesOf = (markdown: string): ReadonlyMap<Piece, ReadonlyMap<string, number>> => {
  const pieces = new Map(PIECES.map((piece) => [piece, new Map<string, number>()]));
  visit(parsedMarkdown(markdown), (node) => {
    const piece = PIECES.find((each) => each === node.type);
    if (piece === undefined || isAccident(node, markdown)) return;
    const key = keyOf(piece, node);
    const counts = pieces.get(piece);
    if (key !== "" && counts !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return pieces;
};

type Counts = ReadonlyMap<string, number>;

const total = (counts: Counts): number => [...counts.values()].reduce((sum, times) => sum + times, 0);

/** Recall without elements in the truth, precision without elements found and F1 without either are null. */
export const agreement = (found: Counts = new Map(), truth: Counts = new Map()) => {
  let shared = 0;
  for (const [key, times] of truth) shared += Math.min(times, found.get(key) ?? 0);
  const share = (of: number): number | null => (of === 0 ? null : shared / of);
  return {
    recall: share(total(truth)),
    precision: share(total(found)),
    f1: share((total(truth) + total(found)) / 2)
  };
};
