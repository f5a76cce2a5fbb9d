/**
 * The numbers that the items of an ordered list show.
 * Measured by bench/page-markdown.ts. Tests: readContent.test.ts, plainBlock.test.ts.
 */
import type { PageElement } from "./PageTree.ts";

interface ListNumber {
  readonly value: number;
  /** As the page shows it: a number, a letter or a Roman numeral. */
  readonly label: string;
}

/** A larger number, such as the date in start="20251129", counts nothing. */
const NUMBER_MAX = 999_999;

const ROMAN: ReadonlyArray<readonly [number, string]> = [
  [1_000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
];

const ROMAN_MAX = 3_999;

const roman = (value: number): string => {
  let rest = value;
  let out = "";
  for (const [worth, sign] of ROMAN) for (; rest >= worth; rest -= worth) out += sign;
  return out;
};

/** 1 is a, 27 is aa. */
const letters = (value: number): string => {
  let out = "";
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26))
    out = String.fromCodePoint(97 + ((rest - 1) % 26)) + out;
  return out;
};

const labelOf = (value: number, type: string): string => {
  if (value < 1) return String(value);
  if (/^a$/i.test(type)) return type === "a" ? letters(value) : letters(value).toUpperCase();
  if (!/^i$/i.test(type) || value > ROMAN_MAX) return String(value);
  return type === "i" ? roman(value) : roman(value).toUpperCase();
};

/** Style sheets that remove the numbers. */
const UNNUMBERED_STYLE = /list-style(?:-type)?\s*:[^;]{0,40}\bnone\b/i;
/** Names of lists without numbers: "list-unstyled", "breadcrumb". */
const UNNUMBERED_NAMES =
  /(?:^|[\s_-])(?:list-?unstyled|unstyled|list-?none|list-?inline|list-?group|no-?bullets?|breadcrumbs?|comment-?list|children|carousel|slides?|slider|swiper|grid|cards?|tabs?|nav|menu|pagination)(?:[\s_-]|$)/i;

const isNumbered = ({ attributes, name }: PageElement): boolean =>
  name === "ol" &&
  !UNNUMBERED_STYLE.test(attributes["style"] ?? "") &&
  !UNNUMBERED_NAMES.test(attributes["class"] ?? "");

const integer = (written: string | undefined): number | null => {
  const value = Number.parseInt(written ?? "", 10);
  return Number.isSafeInteger(value) && value >= 0 && value <= NUMBER_MAX ? value : null;
};

const NONE: ReadonlyMap<PageElement, ListNumber> = new Map();

/** By item; empty for lists without numbers. */
export const listNumbers = (list: PageElement): ReadonlyMap<PageElement, ListNumber> => {
  if (!isNumbered(list)) return NONE;
  const items = list.children.filter(
    (child): child is PageElement => typeof child !== "string" && child.name === "li" && !child.hidden
  );
  const { attributes } = list;
  const isReversed = "reversed" in attributes;
  let next = integer(attributes["start"]) ?? (isReversed ? items.length : 1);
  return new Map(
    items.map((item) => {
      const value = integer(item.attributes["value"]) ?? next;
      next = value + (isReversed ? -1 : 1);
      return [item, { value, label: labelOf(value, item.attributes["type"] ?? attributes["type"] ?? "") }];
    })
  );
};
