/**
 * Detects invisible text: hidden by its own markup, its colour, or a class name for screen readers, and
 * `noscript` where scripts run. Pages put text for machines there, including instructions to language models.
 */
import type { PageElement } from "./PageTree.ts";
import { charsOf, folded } from "./PlainText.ts";

// Whether text contrasts with its background, as far as its own markup says (CSS Color 4, sRGB).

/** Red, green and blue from 0 to 255; "clear" is transparent, "unknown" may be any colour. */
type Colour = readonly [number, number, number] | "clear" | "unknown";

/** Text and background colours in one place. */
interface TextColours {
  readonly text: Colour;
  readonly background: Colour;
}

/** The defaults: white, and a text colour that the style sheet is assumed to match to the background. */
const PAGE_COLOURS: TextColours = { text: "unknown", background: [255, 255, 255] };

/** Differences of a channel up to this are invisible. */
const UNSEEN_DIFFERENCE = 16;

const NAMED: Readonly<Record<string, Colour>> = {
  transparent: "clear",
  black: [0, 0, 0],
  white: [255, 255, 255],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  ghostwhite: [248, 248, 255],
  whitesmoke: [245, 245, 245],
  red: [255, 0, 0],
  lime: [0, 255, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  navy: [0, 0, 128],
  yellow: [255, 255, 0],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  silver: [192, 192, 192]
};

/** A lower opacity is invisible, from 0 to 1. */
const UNSEEN_ALPHA = 0.05;

const channel = (text: string): number =>
  Math.round(text.endsWith("%") ? Number(text.slice(0, -1)) * 2.55 : Number(text));

const ofHex = (digits: string): Colour => {
  const wide = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [red, green, blue, alpha = 255] = (wide.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  if (red === undefined || green === undefined || blue === undefined) return "unknown";
  return alpha / 255 < UNSEEN_ALPHA ? "clear" : [red, green, blue];
};

const ofLightness = (hue: number, saturation: number, lightness: number): Colour => {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const part = (shift: number): number => {
    const at = (shift + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
};

const ofFunction = (name: string, list: string): Colour => {
  const [one = "", two = "", three = "", alpha = "1"] = list.split(/[\s,/]+/).filter(Boolean);
  const opacity = alpha.endsWith("%") ? Number(alpha.slice(0, -1)) / 100 : Number(alpha);
  if (opacity < UNSEEN_ALPHA) return "clear";
  if (name.startsWith("rgb")) {
    const [red, green, blue] = [channel(one), channel(two), channel(three)];
    return [red, green, blue].every(Number.isFinite) ? [red, green, blue] : "unknown";
  }
  const [hue, saturation, lightness] = [one, two, three].map((each) => Number.parseFloat(each));
  return hue === undefined || !Number.isFinite(hue + (saturation ?? Number.NaN) + (lightness ?? Number.NaN))
    ? "unknown"
    : ofLightness(((hue % 360) + 360) % 360, (saturation ?? 0) / 100, (lightness ?? 0) / 100);
};

const COLOUR = /^(?:#([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})|(rgba?|hsla?)\(([^()]{1,60})\)|([a-z]+))/i;

/** Null if the text does not begin with a colour. */
const colourIn = (text: string): Colour | null => {
  const [, hex, name, list, word] = COLOUR.exec(text.trim()) ?? [];
  if (hex !== undefined) return ofHex(hex);
  if (name !== undefined && list !== undefined) return ofFunction(name.toLowerCase(), list);
  if (word === undefined) return null;
  return NAMED[word.toLowerCase()] ?? (/^(?:inherit|unset|initial|none)$/i.test(word) ? null : "unknown");
};

const TEXT_STYLE = /(?:^|[;\s])color\s*:\s*([^;]{1,80})/i;
const BACKGROUND_STYLE = /(?:^|[;\s])background(?:-color)?\s*:\s*([^;]{1,80})/i;
const PICTURE_STYLE = /background[^;]{0,40}(?:url|gradient)\(/i;

const backgroundOf = (style: string, bgcolor: string | undefined, behind: Colour): Colour => {
  if (PICTURE_STYLE.test(style)) return "unknown";
  const stated = BACKGROUND_STYLE.exec(style)?.[1] ?? bgcolor;
  if (stated === undefined) return behind;
  const found = colourIn(stated) ?? (stated.includes("var(") ? "unknown" : behind);
  return found === "clear" ? behind : found;
};

/** @param around the colours of the containing element */
const textColours = ({ attributes, name }: PageElement, around: TextColours): TextColours => {
  const { style = "", bgcolor } = attributes;
  const stated = TEXT_STYLE.exec(style)?.[1] ?? (name === "font" ? attributes["color"] : undefined);
  const text = stated === undefined ? around.text : (colourIn(stated) ?? "unknown");
  const background = backgroundOf(style, bgcolor, around.background);
  return text === around.text && background === around.background ? around : { text, background };
};

/** Whether a person could read the text. */
const isReadable = ({ text, background }: TextColours): boolean => {
  if (text === "clear") return false;
  if (text === "unknown" || background === "unknown" || background === "clear") return true;
  return text.some((each, place) => Math.abs(each - (background[place] ?? 0)) > UNSEEN_DIFFERENCE);
};

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
