/** Rewrites superscripts and subscripts so that their meaning remains without the markup. */
import { BLOCKS, NO_TEXT } from "../tree/NoiseRules.ts";
import { type PageElement, textOf, walk } from "../tree/PageTree.ts";
import { BEFORE_CHARS, SCRIPT_CHARS_MAX, subscript, superscript } from "./ScriptMeaning.ts";

/** How much of the text after a script is considered. */
const AFTER_CHARS = 12;

/** Elements whose text is one line of its own for what is before and after a script. */
const SEPARATE: ReadonlySet<string> = new Set(["pre", "code", "kbd", "samp", "button", "dialog", "map"]);

interface TextPiece {
  readonly element: PageElement;
  readonly index: number;
}

/** Null is the border of a block. */
type Piece = TextPiece | PageElement | null;

const isScript = (element: PageElement): boolean => {
  if (element.name !== "sup" && element.name !== "sub") return false;
  const { length } = textOf(element, 4 * SCRIPT_CHARS_MAX).trim();
  let holdsBlock = false;
  walk(element, (inner) => {
    holdsBlock ||= BLOCKS.has(inner.name) || NO_TEXT.has(inner.name) || inner.hidden;
    return !holdsBlock;
  });
  return length > 0 && length <= SCRIPT_CHARS_MAX && !holdsBlock;
};

const piecesOf = (root: PageElement): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = [];
  const collect = (element: PageElement): void => {
    element.children.forEach((child, index) => {
      if (typeof child === "string") pieces.push({ element, index });
      else if (child.hidden || NO_TEXT.has(child.name)) return;
      else if (isScript(child)) pieces.push(child);
      else if (SEPARATE.has(child.name) || BLOCKS.has(child.name)) {
        pieces.push(null);
        if (child.name !== "pre") collect(child);
        pieces.push(null);
      } else collect(child);
    });
  };
  collect(root);
  return pieces;
};

const isText = (piece: Piece | undefined): piece is TextPiece => piece != null && "index" in piece;

const stringOf = ({ element, index }: TextPiece): string => {
  const child = element.children[index];
  return typeof child === "string" ? child : "";
};

const NOTE_NAMES =
  /(?:^|[\s_-])(?:fn|footnotes?|endnotes?|notes?|noteref|refs?|references?|cite|citations?)(?:[\s_-]|$|\d)/i;

const isNoteLink = ({ attributes, name }: PageElement): boolean =>
  name === "a" && ((attributes["href"] ?? "").includes("#") || NOTE_NAMES.test(namesOf({ attributes })));

const namesOf = ({ attributes }: Pick<PageElement, "attributes">): string =>
  `${attributes["class"] ?? ""} ${attributes["id"] ?? ""} ${attributes["role"] ?? ""} ${attributes["epub:type"] ?? ""}`;

/** Its own names say so, or a link to a place of the page in it or right around it. */
const refersToNote = (script: PageElement): boolean => {
  let isNote = NOTE_NAMES.test(namesOf(script)) || (script.parent !== null && isNoteLink(script.parent));
  walk(script, (inner) => {
    isNote ||= isNoteLink(inner);
    return !isNote;
  });
  return isNote;
};

/** The first string inside with text becomes the new text, the others become empty. */
const rewrite = (element: PageElement, written: string): void => {
  let isWritten = false;
  const visit = (inner: PageElement): void => {
    inner.children.forEach((child, index) => {
      if (typeof child !== "string") return visit(child);
      if (child.trim() === "") return;
      inner.children[index] = isWritten ? "" : written;
      isWritten = true;
    });
  };
  visit(element);
};

const textAfter = (pieces: ReadonlyArray<Piece>, from: number): string => {
  let text = "";
  for (let at = from; at < pieces.length && text.length < AFTER_CHARS; at += 1) {
    const piece = pieces[at];
    if (piece == null) break;
    text += isText(piece) ? stringOf(piece) : textOf(piece, AFTER_CHARS);
  }
  return text.slice(0, AFTER_CHARS);
};

/** The slash of a fraction that is written with scripts. */
const plainSlash = (piece: Piece | undefined): void => {
  if (isText(piece)) piece.element.children[piece.index] = stringOf(piece).replace(/^\s?[⁄∕]\s?/u, "/");
};

export const writeScripts = (root: PageElement): void => {
  const pieces = piecesOf(root);
  let before = "";
  pieces.forEach((piece, at) => {
    if (piece === null) before = "";
    else if (isText(piece)) before += stringOf(piece);
    else {
      const whole = textOf(piece);
      const text = whole.trim();
      const place = { before: before.slice(-BEFORE_CHARS), after: textAfter(pieces, at + 1) };
      const isRaised = piece.name === "sup";
      const written = isRaised ? superscript(text, place, refersToNote(piece)) : subscript(text, place);
      if (isRaised && written.trim() === text) plainSlash(pieces[at + 1]);
      const spaced = written + (/\s$/.test(whole) ? " " : "");
      if (written !== text) rewrite(piece, spaced);
      before += spaced;
    }
    if (before.length > 4 * BEFORE_CHARS) before = before.slice(-BEFORE_CHARS);
  });
};
