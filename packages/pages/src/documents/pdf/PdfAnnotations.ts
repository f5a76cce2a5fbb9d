/** The annotations of PDF pages: links, values of form fields, and text typed on top. Pure. Tests: Pdf.test.ts. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { withoutTracking } from "@winnow/core/domain/url/Tracking";
import type { PdfPiece } from "./PdfLayout.ts";

/** As the library returns it; every value comes from the file. */
export type Annotation = Readonly<Record<string, unknown>>;

/** A URL and its link text on the page. */
export interface PdfLink {
  readonly url: string;
  readonly text: string;
}

/** Links of one page; an index may have some hundred. */
const PDF_PAGE_LINKS_MAX = 1_000;

/** Flags of ISO 32000-2, 12.5.3: hidden, and visible only in print. */
const HIDDEN_FLAGS = 2 | 32;

type Box = readonly [left: number, bottom: number, right: number, top: number];

const boxOf = ({ rect }: Annotation): Box | null => {
  const numbers = Array.isArray(rect) ? rect.filter((each) => typeof each === "number") : [];
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers;
  return numbers.length === 4 ? [left, bottom, right, top] : null;
};

const isShown = ({ annotationFlags }: Annotation): boolean =>
  typeof annotationFlags !== "number" || (annotationFlags & HIDDEN_FLAGS) === 0;

/** Only web links, without tracking parameters. */
const addressOf = ({ url }: Annotation): string | null => {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const isOutside = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === "";
  return isOutside ? withoutTracking(parsed).href : null;
};

/** How far a rectangle may begin above its line, as a share of the letter height. */
const BELOW_SHARE = 0.3;

/** The words whose centre is in a rectangle, estimated from the width of a piece. */
const wordsIn = ([left, bottom, right, top]: Box, pieces: ReadonlyArray<PdfPiece>): string =>
  pieces
    .filter(
      ({ height, width, x, y }) =>
        y >= bottom - BELOW_SHARE * height && y <= top && x <= right && x + width >= left
    )
    .flatMap(({ text, width, x }) =>
      [...text.matchAll(/\S+/g)]
        .filter(({ 0: word, index }) => {
          const middle = x + (width * (index + word.length / 2)) / Math.max(1, text.length);
          return middle >= left && middle <= right;
        })
        .map(([word]) => word)
    )
    .join(" ");

/** Words that touch the link are not part of it, nor is the punctuation around them. */
const trimmed = (text: string): string => text.replace(/^[\s([{“"'‘]+|[\s)\]}.,;:”"'’]+$/gu, "");

/** In file order; the parts of a link that continues on the next line are joined. */
export const linksOfPage = (
  annotations: ReadonlyArray<Annotation>,
  pieces: ReadonlyArray<PdfPiece>
): ReadonlyArray<PdfLink> => {
  const links: Array<PdfLink> = [];
  for (const annotation of annotations) {
    const url = annotation["subtype"] === "Link" ? addressOf(annotation) : null;
    const box = boxOf(annotation);
    if (url === null || box === null || links.length >= PDF_PAGE_LINKS_MAX) continue;
    const text = trimmed(cleanText(wordsIn(box, pieces)));
    const last = links.at(-1);
    if (last?.url === url && text !== "" && last.text !== text)
      links[links.length - 1] = {
        url,
        text: /\p{L}-$/u.test(last.text) ? last.text.slice(0, -1) + text : `${last.text} ${text}`.trim()
      };
    else links.push({ url, text });
  }
  return links;
};

/** Letter height in points of fields without a font size. */
const FIELD_HEIGHT = 10;

/** One value, or the selected ones of a list. */
const valueOf = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string").join(", ");

const typedIn = ({ contentsObj, fieldType, fieldValue, password, subtype }: Annotation): string => {
  if (subtype === "Widget") return password === true || fieldType === "Btn" ? "" : valueOf(fieldValue);
  return subtype === "FreeText" ? valueOf((contentsObj as { readonly str?: unknown } | undefined)?.str) : "";
};

const fontSizeOf = ({ defaultAppearanceData }: Annotation): number => {
  const size = (defaultAppearanceData as { readonly fontSize?: unknown } | null | undefined)?.fontSize;
  return typeof size === "number" && size > 0 ? size : FIELD_HEIGHT;
};

/** Text typed into fields and over the page, as pieces at their positions. */
export const typedPieces = (annotations: ReadonlyArray<Annotation>): ReadonlyArray<PdfPiece> =>
  annotations.flatMap((annotation) => {
    const box = boxOf(annotation);
    const lines = typedIn(annotation).split(/\r\n?|\n/);
    if (box === null || !isShown(annotation)) return [];
    const [left, bottom, right, top] = box;
    const height = Math.min(fontSizeOf(annotation), Math.max(1, top - bottom));
    // A single line is centred in its field, several begin at its top.
    const first = lines.length === 1 ? (bottom + top - height) / 2 : top - height;
    return lines.flatMap((text, line) =>
      text.trim() === ""
        ? []
        : [{ text, x: left, y: first - 1.2 * height * line, width: right - left, height }]
    );
  });
