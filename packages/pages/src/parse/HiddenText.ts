/**
 * Detects text that nobody sees: hidden by its own markup, its colour, or a class name for screen readers, dialogs of
 * consent, and `noscript` where scripts run. Pages put text for machines there, including instructions to language
 * models. What is hidden until a reader opens it, and what is hidden from screen readers only, is text. Retrain: train/train-page-text.ts.
 */
import { isConsent, isDialog } from "./Consent.ts";
import { type InlineStyle, inlineStyle } from "./InlineStyle.ts";
import { isChrome, isChromePlace, isLinkList, Openable } from "./Openable.ts";
import { PageElement } from "./PageTree.ts";
import { charsOf } from "./PlainText.ts";
import { SheetNames } from "./SheetNames.ts";
import { isReadable, PAGE_COLOURS, type TextColours, textColours } from "./TextColours.ts";

/** Too small to be read, in CSS pixels or points: "0", "0.5px", "1pt". */
const TINY = /^(?:0?\.\d+(?:px|pt)|0(?![.\d])|1(?:\.0*)?(?:px|pt)(?![.\d]))/;

/** Sizes that depend on that of the containing element, so that they cannot undo it. */
const RELATIVE_SIZE = /^(?:[\d.]+(?:em|%|ex|ch)|inherit|unset|smaller|larger)/;

/** Of the `font` shorthand: the "0" of "bold 0/1 Arial", before the line height or the names of families. */
const SHORTHAND_SIZE = /(?:^|\s)([\d.]+(?:[a-z]+|%)?)(?=\s*\/|\s)/;

/** "rect(0, 0, 1px, 1px)" and "inset(50%)". */
const EMPTY_CLIP = /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/;
const EMPTY_CLIP_PATH = /^inset\(\s*(?:50|100)%/;

/** Outside any window, as "-9999px" and "-999em"; pages shift visible elements by less than this. */
const OUTSIDE = /^-(?:999|\d{5})/;
const PLACES = ["left", "top", "right", "margin-left", "margin-top", "margin-right"] as const;

/** Marks elements that scripts will fade in. */
const FADING_PROPERTIES = ["transform", "transition", "animation", "will-change", "filter"] as const;
const FADING_NAMES = /\b(?:animat\w*|aos\b|fade\w*|reveal\w*|wow\b|lazy\w*|motion\b|appear\w*)/i;
const FADING_ATTRIBUTES: ReadonlySet<string> = new Set(["data-w-id", "data-aos", "data-sal", "data-scroll"]);

/** Class names of common style sheets for text that is only for screen readers: "sr-only", "u-visually-hidden". */
const SCREEN_READER_NAMES =
  /(?:^|\s)(?:sr-only|(?:u-|is-)?visually-?hidden|vh|screen-?reader(?:-text|-only|s-only)?|(?:a|u)-offscreen|a11y-(?:hidden|only)|element-invisible|assistive-text|hide-visually|hidden-visually)(?:-focusable)?(?=\s|$)/i;

/** Makes them visible again, always or from a certain window width. */
const SHOWN_NAMES = /(?:^|[\s:])not-sr-only(?=\s|$)/i;

/** Fonts that show words as pictures. */
const ICON_NAMES = /(?:^|\s)(?:material-(?:icons|symbols)|google-(?:icons|symbols))/i;

/** Hidden elements with more than this share of all text are the page itself, to be shown by a script. */
const REVEALED_SHARE = 0.5;

const NOT_TEXT: ReadonlySet<string> = new Set(["script", "style", "template"]);

/** React streams parts of a page like this and moves them into place by script. */
const STREAMED_ID = /^S:[\da-f]+$/;

const isFading = ({ attributes }: PageElement, style: InlineStyle): boolean =>
  FADING_PROPERTIES.some((property) => style.has(property)) ||
  FADING_NAMES.test(attributes["class"] ?? "") ||
  Object.keys(attributes).some((name) => FADING_ATTRIBUTES.has(name) || name.startsWith("data-framer"));

const NO_SIZE = /^[01](?:px)?$/;
const SIZES = ["width", "height", "max-width", "max-height"] as const;
/** What gives a box without height its size, such as the padding of boxes with a fixed shape. */
const OTHER_SIZES = ["padding", "padding-top", "padding-bottom", "aspect-ratio", "min-height", "min-width"];

/** A box without size whose content does not overflow. */
const isEmptyBox = (style: InlineStyle): boolean =>
  !FADING_PROPERTIES.some((property) => style.has(property)) &&
  ["overflow", "overflow-x", "overflow-y"].some((name) => /hidden|clip/.test(style.get(name) ?? "")) &&
  SIZES.some((property) => NO_SIZE.test(style.get(property) ?? "")) &&
  !OTHER_SIZES.some((property) => /[1-9]/.test(style.get(property) ?? ""));

const isForScreenReaders = ({ attributes }: PageElement): boolean => {
  const { class: names } = attributes;
  return names !== undefined && SCREEN_READER_NAMES.test(names) && !SHOWN_NAMES.test(names);
};

/** What elements inherit and may undo. */
interface Look {
  readonly colours: TextColours;
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
  /** Indented to a place outside any window. */
  readonly isOutside: boolean;
}

const PAGE_LOOK: Look = { colours: PAGE_COLOURS, isTiny: false, isInvisible: false, isOutside: false };

const isTinyIn = (element: PageElement, style: InlineStyle, around: boolean, sheet: SheetNames): boolean => {
  const size = style.get("font-size") ?? SHORTHAND_SIZE.exec(`${style.get("font") ?? ""} `)?.[1];
  if (size === undefined)
    return around && !sheet.sizes(element) && (element.name !== "font" || !("size" in element.attributes));
  return TINY.test(size) || (around && RELATIVE_SIZE.test(size));
};

const lookOf = (element: PageElement, style: InlineStyle, around: Look, sheet: SheetNames): Look => {
  const colours = textColours(element, style, around.colours, sheet);
  const isTiny = isTinyIn(element, style, around.isTiny, sheet);
  const visibility = style.get("visibility") ?? "inherit";
  const isInvisible = /^(?:hidden|collapse)/.test(visibility)
    ? true
    : around.isInvisible && visibility !== "visible" && visibility !== "initial";
  const indent = style.get("text-indent");
  const isOutside = indent === undefined ? around.isOutside : OUTSIDE.test(indent);
  return { colours, isTiny, isInvisible, isOutside };
};

/** How an element is hidden; "consent" is not undone by its size. */
type Hiding = "markup" | "aria" | "clear" | "colour" | "consent";

const unseenIn = ({ colours, isInvisible, isOutside, isTiny }: Look): Hiding | null => {
  if (isTiny || isInvisible || isOutside) return "markup";
  return isReadable(colours) ? null : "colour";
};

/** Hidden with everything inside. */
const isClosed = ({ attributes }: PageElement, style: InlineStyle): boolean => {
  const { hidden } = attributes;
  const display = style.get("display");
  return (
    display === "none" ||
    (hidden !== undefined && hidden.toLowerCase() !== "until-found" && display === undefined) ||
    style.get("content-visibility") === "hidden" ||
    EMPTY_CLIP.test(style.get("clip") ?? "") ||
    EMPTY_CLIP_PATH.test(style.get("clip-path") ?? "") ||
    PLACES.some((place) => OUTSIDE.test(style.get(place) ?? "")) ||
    isEmptyBox(style)
  );
};

const isClear = (style: InlineStyle): boolean => /^0?\.?0*%?$/.test(style.get("opacity") ?? "1");

/** Hidden from screen readers while it is closed, as menus and dialogs are. */
const isPutAway = (element: PageElement): boolean =>
  element.attributes["aria-hidden"] === "true" &&
  (isDialog(element) || isChrome(element) || isLinkList(element));

const hidingOf = (element: PageElement, style: InlineStyle, opens: () => boolean): Hiding | null => {
  const { attributes, name } = element;
  const { class: names = "", id } = attributes;
  if (name === "html" || name === "body" || (id !== undefined && STREAMED_ID.test(id))) return null;
  if (isConsent(element)) return "consent";
  if (name === "noscript" || isForScreenReaders(element) || ICON_NAMES.test(names)) return "markup";
  if (isPutAway(element)) return "aria";
  if (isClosed(element, style)) return opens() ? null : "markup";
  return isClear(style) && !isFading(element, style) && !opens() ? "clear" : null;
};

const NOTHING: Marked = { length: 0, isSeen: false, unseen: null };

interface Marked {
  /** Characters inside, without those of dialogs of consent. */
  readonly length: number;
  /** Some of them are seen, unless something around them is closed. */
  readonly isSeen: boolean;
  /** Why none of them is, if that is not marked yet because it may hold for the element around it too. */
  readonly unseen: Hiding | null;
}

/** Where an element stands. */
interface Place {
  readonly index: number;
  readonly look: Look;
  readonly isInChrome: boolean;
}

class Marker {
  private readonly lengths = new Map<PageElement, number>();
  private readonly hidings = new Map<PageElement, Hiding>();
  private readonly sheet: SheetNames;
  private readonly openable: Openable;

  constructor(root: PageElement) {
    this.sheet = new SheetNames(root);
    this.openable = new Openable(root);
  }

  mark(element: PageElement, place: Place): Marked {
    const style = inlineStyle(element.attributes["style"]);
    const opens = (): boolean => !place.isInChrome && this.openable.opens(element, place.index);
    const own = lookOf(element, style, place.look, this.sheet);
    const look = own.isInvisible && !place.look.isInvisible && opens() ? { ...own, isInvisible: false } : own;
    const hiding = hidingOf(element, style, opens);
    const isInChrome = place.isInChrome || isChromePlace(element);
    const unseen = unseenIn(look);
    const inside = element.children.map((child, index): Marked => {
      if (typeof child === "string") {
        const length = charsOf(child);
        return { length, isSeen: length > 0 && unseen === null, unseen };
      }
      return NOT_TEXT.has(child.name) ? NOTHING : this.mark(child, { index, look, isInChrome });
    });
    const length = inside.reduce((sum, each) => sum + each.length, 0);
    const isSeen = inside.some((each) => each.isSeen);
    // Pictures have no letters.
    const isUnseen = unseen !== null && !isSeen && (length > 0 || look.isInvisible);
    if (!isUnseen) inside.forEach((each, index) => this.hidePiece(element, index, each));
    if (hiding !== null) this.hide(element, hiding, length);
    return {
      length: hiding === "consent" ? 0 : length,
      isSeen: isSeen && hiding === null,
      unseen: isUnseen && hiding === null ? unseen : null
    };
  }

  /** Shows what only a script or a style sheet can have hidden: most of the page. */
  reveal(total: number): void {
    const isMost = (length: number): boolean => length > REVEALED_SHARE * total;
    // If a rule hides most of a page in many pieces, it is ignored: the style sheet or script must show them again.
    const sums = new Map<Hiding, number>();
    for (const [element, hiding] of this.hidings) {
      const length = this.lengths.get(element) ?? 0;
      sums.set(hiding, (sums.get(hiding) ?? 0) + length);
      if (hiding !== "consent" && isMost(length)) element.hidden = false;
    }
    for (const [element, hiding] of this.hidings) {
      if (hiding !== "markup" && hiding !== "consent" && isMost(sums.get(hiding) ?? 0))
        element.hidden = false;
    }
  }

  private hide(element: PageElement, hiding: Hiding, length: number): void {
    element.hidden = true;
    this.lengths.set(element, length);
    this.hidings.set(element, hiding);
  }

  /** Text beside what is seen gets an element of its own to be hidden. */
  private hidePiece(parent: PageElement, index: number, { length, unseen }: Marked): void {
    const child = parent.children[index];
    if (unseen === null || child === undefined || length === 0) return;
    if (typeof child !== "string") return this.hide(child, unseen, length);
    const piece = new PageElement("span", parent);
    piece.children.push(child);
    parent.children[index] = piece;
    this.hide(piece, unseen, length);
  }
}

/** Sets `hidden` on hidden elements. */
export const markHidden = (root: PageElement): void => {
  const marker = new Marker(root);
  const { length } = marker.mark(root, { index: 0, look: PAGE_LOOK, isInChrome: false });
  marker.reveal(length);
};
