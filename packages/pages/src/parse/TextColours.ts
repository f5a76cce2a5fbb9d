/**
 * Whether text contrasts with its background, as far as inline styles and old attributes say (CSS Color 4, sRGB).
 * A background that something else may set is unknown, and text on it counts as readable. Retrain: train/train-page-text.ts.
 * Tests: HiddenText.test.ts.
 */
import type { InlineStyle } from "./InlineStyle.ts";
import type { PageElement, PageNode } from "./PageTree.ts";
import type { SheetNames } from "./SheetNames.ts";

/** Red, green and blue from 0 to 255; "clear" is transparent, "unknown" may be any colour. */
type Colour = readonly [number, number, number] | "clear" | "unknown";

/** Text and background colours in one place. */
export interface TextColours {
  readonly text: Colour;
  readonly background: Colour;
}

/** The defaults: white, and a text colour that the style sheet is assumed to match to the background. */
export const PAGE_COLOURS: TextColours = { text: "unknown", background: [255, 255, 255] };

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

/** "#fff", "rgb(0 0 0 / 50%)", "white", at the beginning. */
const COLOUR = /^(?:#([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})|(rgba?|hsla?)\(([^()]{1,60})\)|([a-z]+))/i;

/** Null if the text does not begin with a colour. */
const colourIn = (text: string): Colour | null => {
  const [, hex, name, list, word] = COLOUR.exec(text.trim()) ?? [];
  if (hex !== undefined) return ofHex(hex);
  if (name !== undefined && list !== undefined) return ofFunction(name.toLowerCase(), list);
  if (word === undefined) return null;
  return NAMED[word.toLowerCase()] ?? (/^(?:inherit|unset|initial|none)$/i.test(word) ? null : "unknown");
};

const PICTURE = /(?:url|gradient|image|cross-fade)\(|var\(/i;

/** Light backgrounds hide no text that the page's own white would show. */
const LIGHT_CHANNEL_MIN = 224;

/** Whether a background of a style sheet may show light text. */
export const isPainting = (stated: string): boolean => {
  const colour = colourIn(stated);
  if (colour === null) return PICTURE.test(stated);
  return typeof colour === "string"
    ? colour === "unknown" && !/^(?:inherit|initial|unset|none)\b/i.test(stated)
    : colour.some((each) => each < LIGHT_CHANNEL_MIN);
};

/** Names of elements that stand out from the page, whose sheet usually sets another background: "hero", "btn". */
const PAINTED_NAMES =
  /(?:^|[\s_-])(?:dark|black|night|inver(?:se|ted)|navy|bg|background|hero|cover|banner|overlay|jumbotron|parallax|btn|button|badge|callout|cta|masthead|ribbon|colou?red?|elementor|et_pb|vc|fusion|wp-block-(?:cover|group|button))(?:[\s_-]|\d|$)/i;
const PALE_NAMES = /(?:^|[\s_-])(?:white|light|transparent|none)(?:[\s_-]|$)/i;

const PICTURES: ReadonlySet<string> = new Set(["img", "picture", "video"]);

/** A picture that lies under what is beside it. */
const isBehind = (node: PageNode): boolean =>
  typeof node !== "string" &&
  PICTURES.has(node.name) &&
  /position\s*:\s*(?:absolute|fixed)/i.test(node.attributes["style"] ?? "");

/** Of old pages, and of scripts that load a picture later. */
const BACKGROUNDS = /^(?:background|data-(?:bg|background).*)$/;

const isPainted = (element: PageElement, sheet: SheetNames): boolean => {
  const { attributes } = element;
  if (Object.keys(attributes).some((name) => BACKGROUNDS.test(name))) return true;
  if (sheet.paints(element) || element.children.some(isBehind)) return true;
  const names = `${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`;
  return PAINTED_NAMES.test(names) && !PALE_NAMES.test(names);
};

const backgroundOf = (
  element: PageElement,
  style: InlineStyle,
  behind: Colour,
  sheet: SheetNames
): Colour => {
  const image = style.get("background-image") ?? "";
  const stated =
    style.get("background-color") ?? style.get("background") ?? element.attributes["bgcolor"] ?? "";
  if (PICTURE.test(image) || PICTURE.test(stated)) return "unknown";
  const found = colourIn(stated);
  if (found !== null && found !== "clear") return found;
  return isPainted(element, sheet) ? "unknown" : behind;
};

/** Clear letters through which their background is seen. */
const PAINTED_LETTERS: TextColours = { text: "unknown", background: "unknown" };

/** @param around the colours of the containing element */
export const textColours = (
  element: PageElement,
  style: InlineStyle,
  around: TextColours,
  sheet: SheetNames
): TextColours => {
  const stated =
    style.get("color") ?? (element.name === "font" ? element.attributes["color"] : undefined) ?? "inherit";
  if (/text/.test(style.get("background-clip") ?? style.get("-webkit-background-clip") ?? ""))
    return PAINTED_LETTERS;
  const text = /^(?:inherit|currentcolor)$/i.test(stated) ? around.text : (colourIn(stated) ?? "unknown");
  const background = backgroundOf(element, style, around.background, sheet);
  return text === around.text && background === around.background ? around : { text, background };
};

/** Whether a person could read the text. */
export const isReadable = ({ text, background }: TextColours): boolean => {
  if (text === "clear") return false;
  if (text === "unknown" || background === "unknown" || background === "clear") return true;
  return text.some((each, place) => Math.abs(each - (background[place] ?? 0)) > UNSEEN_DIFFERENCE);
};
