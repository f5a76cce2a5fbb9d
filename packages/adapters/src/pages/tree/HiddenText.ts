/**
 * Detects invisible text: hidden by its own markup, its colour, or a class name for screen readers, and
 * `noscript` where scripts run. Pages put text for machines there, including instructions to language models.
 */
import { isReadable, PAGE_COLOURS, type TextColours, textColours } from "./TextColours.ts";
import type { PageElement } from "./PageTree.ts";
import { charsOf, folded } from "./PlainText.ts";

const HIDING_STYLE =
  /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden|font-size\s*:\s*(?:0?\.\d+(?:px|pt)|0|1(?:px|pt))(?![.\d])|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)|clip-path\s*:\s*inset\(\s*(?:50|100)%)/i;

/** Outside any window; pages shift visible elements by less than this. */
const OUTSIDE_STYLE = /(?:left|top|right|text-indent)\s*:\s*-(?:999|\d{5})/i;

const CLEAR_STYLE = /(?:^|[;\s])opacity\s*:\s*0?\.?0*%?\s*(?:;|!|$)/i;

/** Marks elements that scripts will fade in. */
const FADING_STYLE = /(?:transform|transition|animation|will-change|filter)\s*:/i;
const FADING_NAMES = /\b(?:animat\w*|aos\b|fade\w*|reveal\w*|wow\b|lazy\w*|motion\b|appear\w*)/i;
const FADING_ATTRIBUTES: ReadonlySet<string> = new Set(["data-w-id", "data-aos", "data-sal", "data-scroll"]);

const FOLDED_NAMES = /accordion|collaps|expand|toggle-?content|faq|tab-?(?:pane|content)/i;

/** Class names of common style sheets for text that is only for screen readers. */
const SCREEN_READER_NAMES =
  /(?:^|\s)(?:sr-only|(?:u-|is-)?visually-?hidden|vh|screen-?reader(?:-text|-only|s-only)?|(?:a|u)-offscreen|a11y-(?:hidden|only)|element-invisible|assistive-text|hide-visually|hidden-visually)(?:-focusable)?(?=\s|$)/i;

/** Makes them visible again, always or from a certain window width. */
const SHOWN_NAMES = /(?:^|[\s:])not-sr-only(?=\s|$)/i;

/** Hidden elements with more than this share of all text are the page itself, to be shown by a script. */
const REVEALED_SHARE = 0.5;

const NOT_TEXT: ReadonlySet<string> = new Set(["script", "style", "template"]);

/** React streams parts of a page like this and moves them into place by script. */
const STREAMED_ID = /^S:[\da-f]+$/;

/** Limits on comparing an element with its siblings, in characters and in nodes. */
const ECHO_CHARS_MAX = 200;
const ECHO_NODES_MAX = 50;

/** Maximum number of siblings compared. */
const NEIGHBOURS_MAX = 12;

/** A box without size whose content does not overflow. */
const isEmptyBox = (style: string): boolean =>
  !FADING_STYLE.test(style) &&
  /overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i.test(style) &&
  /(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$)/i.test(style);

const isForScreenReaders = ({ attributes }: PageElement): boolean => {
  const { class: names } = attributes;
  return names !== undefined && SCREEN_READER_NAMES.test(names) && !SHOWN_NAMES.test(names);
};

/** Null if it is longer than a label. */
const labelOf = (element: PageElement): string | null => {
  let text = "";
  const waiting = [...element.children].toReversed();
  for (let nodes = 0; waiting.length > 0; nodes++) {
    const next = waiting.pop() ?? "";
    if (nodes > ECHO_NODES_MAX || text.length > ECHO_CHARS_MAX) return null;
    if (typeof next === "string") text += next;
    else waiting.push(...next.children.slice(0, ECHO_NODES_MAX).toReversed());
  }
  const label = folded(text).replaceAll(" ", "");
  return label === "" ? null : label;
};

/**
 * Text hidden from screen readers is visible; they get the same words next to it, for example for prices and
 * initials.
 */
const isEchoed = (element: PageElement): boolean => {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > NEIGHBOURS_MAX) return false;
  const screenReaderTexts = siblings.filter(
    (other) => typeof other !== "string" && isForScreenReaders(other)
  );
  const seen = screenReaderTexts.length === 0 ? null : labelOf(element);
  return (
    seen !== null &&
    screenReaderTexts.some((other) => typeof other !== "string" && labelOf(other)?.includes(seen) === true)
  );
};

const isFading = ({ attributes }: PageElement): boolean =>
  FADING_STYLE.test(attributes["style"] ?? "") ||
  FADING_NAMES.test(attributes["class"] ?? "") ||
  Object.keys(attributes).some((name) => FADING_ATTRIBUTES.has(name) || name.startsWith("data-framer"));

/**
 * Sections that open on a click, such as answers in a list of questions: readers who look for them see them.
 */
const isFolded = ({ attributes }: PageElement): boolean =>
  attributes["role"] === "tabpanel" || FOLDED_NAMES.test(attributes["class"] ?? "");

/** How an element is hidden; null if it is not. */
type Hiding = "markup" | "aria" | "clear" | "colour";

const hidingOf = (element: PageElement, colours: TextColours, around: TextColours): Hiding | null => {
  const { attributes, name } = element;
  const { hidden, id, style = "" } = attributes;
  if (name === "html" || name === "body" || (id !== undefined && STREAMED_ID.test(id))) return null;
  if (name === "noscript" || (hidden !== undefined && hidden.toLowerCase() !== "until-found"))
    return "markup";
  if (attributes["aria-hidden"] === "true" && !isFolded(element)) return isEchoed(element) ? null : "aria";
  if (isForScreenReaders(element)) return "markup";
  if (style !== "" && (HIDING_STYLE.test(style) || OUTSIDE_STYLE.test(style) || isEmptyBox(style)))
    return "markup";
  if (CLEAR_STYLE.test(style) && !isFading(element)) return "clear";
  return colours === around || isReadable(colours) ? null : "colour";
};

/** Sets `hidden` on hidden elements. */
export const markHidden = (root: PageElement): void => {
  const lengths = new Map<PageElement, number>();
  const hidings = new Map<PageElement, Hiding>();
  const mark = (element: PageElement, around: TextColours): number => {
    const colours = textColours(element, around);
    const hiding = hidingOf(element, colours, around);
    element.hidden = hiding !== null;
    let length = 0;
    for (const child of element.children) {
      if (typeof child === "string") length += charsOf(child);
      else if (!NOT_TEXT.has(child.name)) length += mark(child, colours);
    }
    if (hiding !== null) {
      lengths.set(element, length);
      hidings.set(element, hiding);
    }
    return length;
  };
  const total = mark(root, PAGE_COLOURS);
  const isShown = (length: number): boolean => length > REVEALED_SHARE * total;
  // If a rule hides most of a page in many pieces, it is ignored: the style sheet or script must show them again.
  const sums = new Map<Hiding, number>();
  for (const [element, length] of lengths) {
    const hiding = hidings.get(element) ?? "markup";
    sums.set(hiding, (sums.get(hiding) ?? 0) + length);
    if (isShown(length)) element.hidden = false;
  }
  for (const [element, hiding] of hidings) {
    if (hiding !== "markup" && isShown(sums.get(hiding) ?? 0)) element.hidden = false;
  }
};
