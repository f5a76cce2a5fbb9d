/**
 * Writes into the tree of a page what its markup means, so that text, Markdown and everything else read the same:
 * superscripts, formulas, quotation marks, checkboxes, readings above characters, struck text. Retrain: train/train-page-text.ts.
 */
import { BLOCKS } from "./NoiseRules.ts";
import { charsOf } from "./PlainText.ts";
import { PageElement, textOf, walk } from "./PageTree.ts";
import { formulaElement } from "./Formulas.ts";
import { writeScripts } from "./Scripts.ts";

/** Readings above the characters of a word, and their brackets. */
const READINGS: ReadonlySet<string> = new Set(["rt", "rp", "rtc"]);

const STRUCK: ReadonlySet<string> = new Set(["s", "strike", "del"]);
const STRUCK_STYLE = /text-decoration(?:-line)?\s*:[^;]{0,60}line-through/i;
const STRUCK_NAMES = /(?:^|\s)(?:line-through|strike-?through|text-strike|struck)(?=\s|$)/i;

/** With a larger share of the page struck, an end tag is missing. */
const STRUCK_SHARE_MAX = 0.5;

const isStruck = ({ attributes, name }: PageElement): boolean =>
  STRUCK.has(name) ||
  STRUCK_STYLE.test(attributes["style"] ?? "") ||
  STRUCK_NAMES.test(attributes["class"] ?? "");

const holdsBlock = (element: PageElement): boolean => {
  let isFound = BLOCKS.has(element.name) && element.name !== "br";
  walk(element, (inner) => {
    isFound ||= BLOCKS.has(inner.name) && inner.name !== "br";
    return !isFound;
  });
  return isFound;
};

/** Marks the running text inside, so that no struck element contains blocks. */
const strike = (element: PageElement): void => {
  if (!holdsBlock(element)) {
    element.isStruck = true;
    return;
  }
  element.children.forEach((child, index) => {
    if (typeof child !== "string") return strike(child);
    if (child.trim() === "") return;
    const run = new PageElement("s", element);
    run.isStruck = true;
    run.children.push(child);
    element.children[index] = run;
  });
};

const markStruck = (root: PageElement): void => {
  const struck: Array<PageElement> = [];
  walk(root, (element) => {
    if (!isStruck(element)) return true;
    struck.push(element);
    return false;
  });
  if (struck.length === 0) return;
  const chars = struck.reduce((sum, element) => sum + charsOf(textOf(element)), 0);
  if (chars > STRUCK_SHARE_MAX * charsOf(textOf(root))) return;
  struck.forEach(strike);
};

const OPENING = /^["'“”‘’«»„‚「『]/u;
const CLOSING = /["'“”‘’«»「『]$/u;

const neighbour = ({ children }: PageElement, index: number): string => {
  const child = children[index];
  return typeof child === "string" ? child : "";
};

/** The marks that browsers add, unless the page has its own. */
const quote = (element: PageElement, parent: PageElement, index: number, isNested: boolean): void => {
  const text = textOf(element).trim();
  const isMarked =
    text === "" ||
    OPENING.test(text) ||
    (CLOSING.test(neighbour(parent, index - 1)) && OPENING.test(neighbour(parent, index + 1)));
  if (isMarked) return;
  element.children.unshift(isNested ? "‘" : "“");
  element.children.push(isNested ? "’" : "”");
};

/** Name of the elements that show the state of a checkbox: no page can contain it. */
const CHECKBOX = "#checkbox";

const isCheckbox = ({ attributes, name }: PageElement): boolean =>
  name === "input" && attributes["type"]?.trim().toLowerCase() === "checkbox";

/** It shows a state rather than asking for one. */
const showsState = ({ attributes }: PageElement): boolean =>
  "checked" in attributes || "disabled" in attributes || /task-?list/i.test(attributes["class"] ?? "");

const GROUPS: ReadonlySet<string> = new Set(["ul", "ol", "menu", "table"]);

const groupOf = (element: PageElement): PageElement | null => {
  let around = element.parent;
  while (around !== null && !GROUPS.has(around.name)) around = around.parent;
  return around;
};

/** Lists and tables with checkboxes that show a state. */
const checklistsIn = (root: PageElement): ReadonlySet<PageElement | null> => {
  const groups = new Set<PageElement | null>();
  walk(root, (element) => {
    if (isCheckbox(element) && showsState(element)) groups.add(groupOf(element));
  });
  groups.delete(null);
  return groups;
};

const checkbox = (input: PageElement, parent: PageElement): PageElement => {
  const element = new PageElement(CHECKBOX, parent);
  element.children.push("checked" in input.attributes ? "[x] " : "[ ] ");
  return element;
};

/** Null if the element is not the state of a checkbox. */
export const checkboxState = ({ children, name }: PageElement): boolean | null =>
  name === CHECKBOX ? children[0] === "[x] " : null;

export const writeTypography = (root: PageElement): void => {
  const checklists = checklistsIn(root);
  const write = (parent: PageElement, isQuoted: boolean): void => {
    for (let index = 0; index < parent.children.length; index += 1) {
      const child = parent.children[index];
      if (typeof child !== "object") continue;
      const instead = isCheckbox(child)
        ? checklists.has(groupOf(child)) && !child.hidden
          ? checkbox(child, parent)
          : null
        : formulaElement(parent, index);
      if (instead !== null) {
        parent.children[index] = instead;
        continue;
      }
      if (READINGS.has(child.name)) child.hidden = true;
      else write(child, isQuoted || child.name === "q");
      if (child.name === "q") quote(child, parent, index, isQuoted);
    }
  };
  write(root, false);
  markStruck(root);
  writeScripts(root);
};
