/** Parses a page: its element tree, with hidden text marked and the meaning of its typography written out. */
import { markHidden } from "../tree/HiddenText.ts";
import { type PageTree, parseTree } from "../tree/PageTree.ts";
import { writeTypography } from "../typography/Typography.ts";

/** `isXhtml`: as in {@link parseTree}. */
export const parsePage = (
  html: string,
  { isXhtml = false }: { readonly isXhtml?: boolean } = {}
): PageTree => {
  const tree = parseTree(html, { isXhtml });
  markHidden(tree.root);
  writeTypography(tree.root);
  return tree;
};
