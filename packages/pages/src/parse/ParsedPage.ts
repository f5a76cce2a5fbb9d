/**
 * Parses a page: its element tree, with covered e-mail addresses lifted, hidden text marked and the meaning of its
 * typography written out. Retrain: train/train-page-text.ts. Tests: HiddenText.test.ts, Typography.test.ts.
 */
import { uncoverEmails } from "./CoveredEmails.ts";
import { markHidden } from "./HiddenText.ts";
import { type PageTree, parseTree } from "./PageTree.ts";
import { blockText, decoded } from "./PlainText.ts";
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

const MARKUP = /<\/?[a-z][^<>]{0,500}>/i;

/** A value of a page's data as readers would see it: such values are often HTML, escaped once or twice. */
export const shownText = (written: string): string => {
  const text = decoded(written);
  return MARKUP.test(text) ? blockText(parsePage(text).root) : text;
};
