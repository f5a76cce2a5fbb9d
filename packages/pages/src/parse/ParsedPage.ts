/** Parses a page: its element tree, with covered e-mail addresses lifted, hidden text marked and the meaning of its typography written out. */
import { uncoverEmails } from "./CoveredEmails.ts";
import { markHidden } from "./HiddenText.ts";
import { type PageTree, parseTree } from "./PageTree.ts";
import { writeTypography } from "./Typography.ts";

/** `isXhtml`: as in {@link parseTree}. */
export const parsePage = (
  html: string,
  { isXhtml = false }: { readonly isXhtml?: boolean } = {}
): PageTree => {
  const tree = parseTree(html, { isXhtml });
  uncoverEmails(tree.root);
  markHidden(tree.root);
  writeTypography(tree.root);
  return tree;
};
