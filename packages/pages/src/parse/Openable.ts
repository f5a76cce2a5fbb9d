/**
 * Hidden text that a reader opens with a click: answers, panels of tabs, the rest after "read more". Recognised by
 * the control that opens it, by its role or by what such boxes are called; never menus, dialogs and forms. Retrain: train/train-page-text.ts.
 * Tests: HiddenText.test.ts.
 */
import { withHyphens } from "./NoiseRules.ts";
import { type PageElement, type PageNode, textOf, walk } from "./PageTree.ts";
import { charsOf } from "./PlainText.ts";

/** Names of boxes that open, and of what holds several of them: "faq-answer", "read-more-text", "accordion". */
const OPENING_NAMES =
  /accordion|collaps|expand|toggle-?(?:content|body|panel|text)|faq|answer|spoiler|sp-body|disclosure|tab-?(?:pane|panel|content)|panel-?(?:body|content)|(?:read|show|see|view|full|long|more|rest|remaining|hidden|extra)-?_?(?:more|less|text|content|description|desc|bio|story|article)|(?:^|[\s_-])(?:more|moretext|tabs?)(?:[\s_-]|$)/i;

/** Names of what is closed until it is needed, because it covers the page or leads to others: "modal", "mega-menu". */
const CHROME_NAMES =
  /(?:^|[\s_-])(?:modals?|popups?|pop-up|popovers?|dialogs?|lightbox|overlay|off-?canvas|drawers?|fly-?(?:in|out)|tooltips?|toasts?|alerts?|(?:nav(?:bar|igation|page)?|mega|main|mobile|sub|sub-?nav)?-?(?:nav|menus?|submenu)|navbar|dropdowns?|search|cookies?|consent|gdpr|lang(?:uages?)?|login|sign-?(?:in|up)|cart|basket|minicart|bag|share|sharing|newsletter|subscribe|error|success|loading|loader|spinner|preloader|captcha|honeypot|template|age-?(?:gate|popup))(?=[\s_-]|$)/i;

const CHROME_ELEMENTS: ReadonlySet<string> = new Set(["nav", "menu", "dialog", "form", "noscript"]);

const CHROME_ROLES =
  /^(?:navigation|menu|menubar|listbox|tree|dialog|alertdialog|search|tooltip|alert|status|log|toolbar|banner|contentinfo)$/i;

const namesOf = ({ attributes }: PageElement): string =>
  withHyphens(`${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`);

/** Everything inside belongs to the surroundings of the content, except in pages that are one form. */
export const isChromePlace = ({ attributes, name }: PageElement): boolean =>
  (name !== "form" && CHROME_ELEMENTS.has(name)) || CHROME_ROLES.test(attributes["role"] ?? "");

/** What surrounds the content of a page. */
export const isChrome = (element: PageElement): boolean =>
  isChromePlace(element) || element.name === "form" || CHROME_NAMES.test(namesOf(element));

/** With a larger share of its characters in links, a box is a menu. */
const LINKED_SHARE_MAX = 0.5;

/** Counted up to this many characters. */
const COUNTED_CHARS_MAX = 5_000;

/** Mostly links, as menus are. */
export const isLinkList = (element: PageElement): boolean => {
  let [chars, linked] = [0, 0];
  const count = (node: PageNode, isLinked: boolean): void => {
    if (chars > COUNTED_CHARS_MAX) return;
    if (typeof node === "string") {
      const length = charsOf(node);
      chars += length;
      if (isLinked) linked += length;
    } else for (const child of node.children) count(child, isLinked || node.name === "a");
  };
  count(element, false);
  return chars > 0 && linked > LINKED_SHARE_MAX * chars;
};

const CONTROL_ROLES = /^(?:button|tab)$/i;

/** Of libraries: `data-toggle`, `data-bs-toggle`, `data-accordion-target`, `@click`, `data-action`. */
const TOGGLES =
  /^(?:aria-expanded|(?:on|@|v-on:|x-on:|ng-|wire:)click(?:\..*)?|data-action|data-(?:\w+-)?(?:toggle|target))$/;

const BOX_TYPES = /^\s*(?:checkbox|radio)\s*$/i;
const FIELDS = /^(?:input|select|textarea)$/;

const isField = ({ attributes, name }: PageElement): boolean =>
  FIELDS.test(name) && !BOX_TYPES.test(attributes["type"] ?? "") && attributes["type"] !== "hidden";

const holdsField = (element: PageElement): boolean => {
  let isFound = false;
  walk(element, (inner) => {
    isFound ||= isField(inner);
    return !isFound;
  });
  return isFound;
};

const isControl = (element: PageElement): boolean => {
  const { attributes, name } = element;
  return (
    name === "button" ||
    name === "summary" ||
    (name === "label" && !holdsField(element)) ||
    Object.keys(attributes).some((each) => TOGGLES.test(each)) ||
    CONTROL_ROLES.test(attributes["role"] ?? "") ||
    (name === "a" && /^\s*(?:#|javascript:|$)/i.test(attributes["href"] ?? ""))
  );
};

/** Attributes that name what a control opens; `for` of a label names a checkbox instead. */
const TARGETS = /^(?:aria-controls|aria-owns|href|data-parent|data-(?:\w+-)?(?:target|toggle))$/;

const targetsOf = ({ attributes }: PageElement): ReadonlyArray<string> =>
  Object.entries(attributes)
    .filter(([name]) => TARGETS.test(name))
    .flatMap(([, target]) => target.split(/\s+/))
    .map((target) => target.replace(/^#/, ""))
    .filter((target) => target !== "");

/** A longer neighbour is a text of its own rather than the name of what follows, in characters. */
const LABEL_CHARS_MAX = 300;

/** How far into it its control is looked for, in elements. */
const CONTROL_ELEMENTS_MAX = 12;

const isLabel = (element: PageElement): boolean => textOf(element, LABEL_CHARS_MAX).length <= LABEL_CHARS_MAX;

const holdsControl = (element: PageElement): boolean => {
  let count = 0;
  let isFound = isControl(element);
  walk(element, (inner) => {
    count += 1;
    isFound ||= count <= CONTROL_ELEMENTS_MAX && isControl(inner);
    return !isFound && count <= CONTROL_ELEMENTS_MAX;
  });
  return isFound;
};

/** Nodes before and after an element among which its neighbour is looked for: text and line breaks come between. */
const NEIGHBOURS_MAX = 4;

const firstElement = (nodes: ReadonlyArray<PageNode>): PageElement | null =>
  nodes.find(
    (node): node is PageElement =>
      typeof node !== "string" && node.name !== "br" && (!FIELDS.test(node.name) || isField(node))
  ) ?? null;

const HEADING = /^(?:h[1-6]|dt|legend|strong|b)$/;
const QUESTION = /[?？؟]\s*$/u;

const isQuestion = (element: PageElement): boolean => QUESTION.test(textOf(element, LABEL_CHARS_MAX));

/** Names of lists of questions whose answers open. */
const ANSWER_NAMES = /accordion|collaps|faq/i;

/** Whether an element holds answers that open, as far as its name says so. */
export const isAnswers = (element: PageElement): boolean =>
  ANSWER_NAMES.test(namesOf(element)) && !isChrome(element);

/** The names of holders count for what is this many levels inside. */
const HOLDERS_MAX = 2;

const isNamedOpening = (element: PageElement): boolean => {
  let named: PageElement | null = element;
  for (let level = 0; level <= HOLDERS_MAX && named !== null; level += 1, named = named.parent)
    if (named.name !== "body" && OPENING_NAMES.test(namesOf(named))) return !isChrome(named);
  return false;
};

/** What controls say that show the rest of a text, in the languages of most pages: "Read more", "Mehr". */
const MORE =
  /\b(?:more|less|expand|show|unfold|full|mehr|weiter|ausklappen|plus|suite|más|mais|più|meer|mer|więcej|více|больше|ещё)\b|もっと|続き|更多|展开|더 ?보기/iu;

const opensSomething = (control: PageElement): boolean =>
  control.attributes["aria-expanded"] !== undefined ||
  control.attributes["aria-controls"] !== undefined ||
  control.name === "label" ||
  control.name === "summary" ||
  OPENING_NAMES.test(namesOf(control)) ||
  MORE.test(textOf(control, LABEL_CHARS_MAX));

/** Shorter text after a button reports what it did, in characters. */
const OPENED_CHARS_MIN = 40;

/** What is opened stands right after what opens it, or right before it; what is filled in is a form, or a trap. */
const isBesideControl = (element: PageElement, index: number): boolean => {
  if (holdsField(element)) return false;
  const siblings = element.parent?.children ?? [];
  const before = firstElement(siblings.slice(Math.max(0, index - NEIGHBOURS_MAX), index).toReversed());
  const after = firstElement(siblings.slice(index + 1, index + 1 + NEIGHBOURS_MAX));
  if (after !== null && isLabel(after) && isControl(after) && opensSomething(after)) return true;
  if (before === null || !isLabel(before)) return false;
  const isLong = textOf(element, OPENED_CHARS_MIN).trim().length >= OPENED_CHARS_MIN;
  return holdsControl(before)
    ? isLong || opensSomething(before) || HEADING.test(before.name)
    : isQuestion(before);
};

/** Gaps of templates that a script fills in, at the beginning of a box. */
const UNFILLED = /\{\{|\{%|<%/;
const UNFILLED_CHARS = 200;

/** Of a schema.org Question. */
const ANSWER_PROPERTIES = /^\s*(?:accepted|suggested)Answer\s*$/;

/** Finds what controls of a page open. */
export class Openable {
  private readonly targets = new Set<string>();
  private readonly controls = new Set<string>();

  constructor(root: PageElement) {
    walk(root, (element) => {
      if (!isControl(element) && element.attributes["aria-controls"] === undefined) return;
      for (const target of targetsOf(element)) this.targets.add(target);
      const { id } = element.attributes;
      if (id !== undefined) this.controls.add(id);
    });
  }

  /** Whether a hidden element, at this index of its parent, is content that a reader opens. */
  opens(element: PageElement, index: number): boolean {
    if (isChrome(element) || UNFILLED.test(textOf(element, UNFILLED_CHARS))) return false;
    const { attributes, name } = element;
    if (attributes["role"] === "tabpanel" || isNamedOpening(element)) return true;
    const isAnswer = name === "dd" || ANSWER_PROPERTIES.test(attributes["itemprop"] ?? "");
    const isMeant = this.isTarget(attributes) || isAnswer || isBesideControl(element, index);
    return isMeant && !isLinkList(element);
  }

  private isTarget({ id, "aria-labelledby": label }: PageElement["attributes"]): boolean {
    return (
      (id !== undefined && this.targets.has(id)) ||
      (label?.split(/\s+/).some((each) => this.controls.has(each)) ?? false)
    );
  }
}
