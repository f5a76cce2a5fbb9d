/**
 * Rewrites superscripts and subscripts so that their meaning remains without the markup. What they mean is decided
 * from what is before and after: an exponent, a note, a fraction, the cents of a price, an isotope, an ion. Retrain: train/train-page-text.ts.
 * Tests: Typography.test.ts.
 */
import { BLOCKS, isTextless, LABELS, NO_TEXT } from "./NoiseRules.ts";
import { isDeclaredNote } from "./NoteLinks.ts";
import { type PageElement, textOf, walk } from "./PageTree.ts";

/** The text around a superscript or subscript, within its line. */
interface ScriptPlace {
  /** Up to {@link BEFORE_CHARS} characters; ends with what the script belongs to. */
  readonly before: string;
  /** The beginning of what follows. */
  readonly after: string;
}

const BEFORE_CHARS = 80;

/** A longer one is small print rather than a script. */
const SCRIPT_CHARS_MAX = 16;

const RAISED: ReadonlyMap<string, string> = new Map(
  Object.entries({ "+": "⁺", "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵" }).concat(
    Object.entries({ "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹" })
  )
);

const raised = (text: string): string => [...text].map((sign) => RAISED.get(sign) ?? sign).join("");

/** The signs that pages use for minus. */
const plainMinus = (text: string): string => text.replace(/[−–‒]/gu, "-");

// What stands right before or after a script.

/** The other half of a fraction: `/ 2`, `1 /`. */
const SLASH_AFTER = /^\s?[/⁄∕]\s?\d/u;
const SLASH_BEFORE = /\d\s?[/⁄∕]\s?$/u;

/** A script that may refer to notes: `1`, `iv`, `*`, `2, 3`, `4–6`. */
const NOTE = /^(?:\d{1,3}|[a-z]|[ivx]{2,5}|[*†‡§¶]{1,3})(?:\s*[,;–-]\s*(?:\d{1,3}|[a-z]))*$/iu;
const NOTE_NUMBERS = /^[1-9]\d{0,2}(?:\s*[,;–-]\s*[1-9]\d{0,2})*$/u;

/** Units whose powers are common, as words only after a number or slash: `cm`, `5 ft`, `per s`, `3 miles`. */
const UNIT = /(?:^|[^\p{L}])(?:[dcmkµμn]?m|(?:[\d/·*]\s?|per )(?:in|ft|yd|mi|s|h|kg|g|K|V|A))\s?$/u;
const UNIT_WORD = /\d\s?(?:met(?:er|re)s?|inch(?:es)?|feet|foot|miles?|yards?)$/iu;

/** `$4.50`, ` EUR`. */
const CURRENCY_BEFORE = /[$€£¥₹]\s?\d[\d.,']*$/u;
const CURRENCY_AFTER = /^\s?(?:[$€£¥₹]|(?:EUR|USD|GBP|CHF|zł|kr|Kč)(?!\p{L}))/u;

/** `1.024`, but not `B12`; a year; `= 2x`, ` + `; `x`, but not `box`; `(a + b)`. */
const NUMBER_BEFORE = /(?:^|[^\p{L}\p{N}.,])(\d[\d.,]*)\s?$/u;
const YEAR = /^(?:1[5-9]|20)\d\d$/u;
const OPERATOR_BEFORE = /[=+×*·÷^(<>≈−-]\s?[\p{L}\d.,]{1,8}$/u;
const OPERATOR_AFTER = /^\s?[=+×*·÷^<>≈−-]/u;
const VARIABLE_BEFORE = /(?:^|[^\p{L}\p{N}])\p{L}$/u;
const BRACKET_BEFORE = /\(([^()]{0,60})\)$/u;

/** Symbols of the elements that have isotopes in common use. */
const ELEMENT_AFTER =
  /^(?:H|D|He|Li|Be|B|C|N|O|F|Na|Mg|Al|Si|P|S|Cl|Ar|K|Ca|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Se|Br|Kr|Rb|Sr|Mo|Tc|Ru|Ag|Cd|In|Sn|I|Xe|Cs|Ba|Ir|Au|Hg|Tl|Pb|Bi|Po|Rn|Ra|Th|U|Np|Pu|Am)(?![a-z])/u;

const isInFormula = ({ after, before }: ScriptPlace): boolean =>
  OPERATOR_BEFORE.test(before) || OPERATOR_AFTER.test(after);

/** Numbers with more digits are raised to a power only within a formula. */
const BASE_DIGITS_MAX = 2;

const afterNumber = (digits: string, number: string, place: ScriptPlace): string => {
  const { after, before } = place;
  if (/^\d\d$/.test(digits) && (CURRENCY_BEFORE.test(before) || CURRENCY_AFTER.test(after)))
    return /[.,]\s?$/.test(before) ? digits : `.${digits}`;
  const isPower =
    digits.startsWith("-") ||
    number === "10" ||
    isInFormula(place) ||
    (number.length <= BASE_DIGITS_MAX && !YEAR.test(number));
  return isPower || digits.length > 3 ? `^${digits}` : `[${digits}]`;
};

/** Text in brackets with words is not raised to a power. */
const isFactor = (inside: string): boolean => /[\d+=*/−-]|^\p{L}$/u.test(inside) && !/\p{L}{3}/u.test(inside);

/** A number without a sign after something that is not a number. */
const afterText = (digits: string, place: ScriptPlace): string => {
  const { after, before } = place;
  const isSmall = /^[2-4]$/.test(digits);
  if (isSmall && (UNIT.test(before) || UNIT_WORD.test(before))) return raised(digits);
  if (before === "" || /\s$/.test(before)) {
    if (ELEMENT_AFTER.test(after)) return raised(digits);
    return digits.startsWith("0") || digits.length > 3 ? digits : `[${digits}]`;
  }
  const bracket = BRACKET_BEFORE.exec(before)?.[1];
  if (bracket !== undefined && isFactor(bracket)) return `^${digits}`;
  if (VARIABLE_BEFORE.test(before) && (isSmall || isInFormula(place))) return `^${digits}`;
  if (/\p{L}$/u.test(before) && OPERATOR_BEFORE.test(before)) return `^${digits}`;
  return NOTE_NUMBERS.test(digits) ? `[${digits}]` : digits;
};

const numberRaised = (digits: string, place: ScriptPlace): string => {
  const number = NUMBER_BEFORE.exec(place.before)?.[1];
  if (number !== undefined) return afterNumber(digits, number, place);
  if (!/^[+-]/.test(digits)) return afterText(digits, place);
  return UNIT.test(place.before) ? raised(digits) : `^${digits}`;
};

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["TM", "™"],
  ["SM", "℠"]
]);

/** Exponents of numbers; other letters after a number are ordinals, as in 1a and 2e. */
const VARIABLES = /^[nmkxyzijpqNTX]$/u;
/** `n-1`, `2x`, `(a+1)`. */
const EXPRESSION = /^(?=.*[+\-*/\d])(?=.*[a-z\d])[\w+\-*/().]{2,12}$/iu;

const letterRaised = (text: string, { after, before }: ScriptPlace): string => {
  if (/^[o0°]$/iu.test(text) && /\d\s?$/.test(before) && /^\s?[CF](?!\p{L})/u.test(after)) return "°";
  const isBased = NUMBER_BEFORE.test(before) || VARIABLE_BEFORE.test(before);
  return VARIABLES.test(text) && isBased ? `^${text}` : (SIGNS.get(text) ?? text);
};

/**
 * The characters to write instead of a superscript; `isNote`: its markup says that it refers to a note.
 */
const superscript = (written: string, place: ScriptPlace, isNote: boolean): string => {
  const text = plainMinus(written);
  if (/^[[(]/.test(text)) return written;
  if (isNote && NOTE.test(written)) return `[${written}]`;
  const { after, before } = place;
  if (/^\d{1,3}$/.test(text) && SLASH_AFTER.test(after)) return /\d$/.test(before) ? ` ${text}` : text;
  if (/^\d{1,3}[/⁄∕]\d{1,3}$/u.test(text) && /\d$/.test(before)) return ` ${text.replace(/[⁄∕]/u, "/")}`;
  if (/^[.,]\d{1,2}$/.test(text) && /\d$/.test(before)) return written;
  if (/^0$/.test(text) && letterRaised(text, place) === "°") return "°";
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return numberRaised(text, place);
  if (/^(?:\d?[+-]|\d?[+-]\d?)$/.test(text)) return /[\p{L})\]]\d?$/u.test(before) ? raised(text) : written;
  if (NOTE_NUMBERS.test(written) && /\S$/.test(before)) return `[${written}]`;
  if (EXPRESSION.test(text) && /[\p{L}\p{N})]$/u.test(before) && !/^\d*[a-z]{2,}$/iu.test(text))
    return `^(${text})`;
  return letterRaised(text, place);
};

/** The characters to write instead of a subscript. Formulas of substances are written as people search for them. */
const subscript = (written: string, { before }: ScriptPlace): string => {
  const text = plainMinus(written);
  if (SLASH_BEFORE.test(before) || !/[\p{L}\p{N})\]⁺⁻]$/u.test(before)) return written;
  if (/^\d+(?:\.\d+)?$/.test(text)) return /\d$/.test(before) ? `_${text}` : text;
  if (/^[\p{L}\p{N}]+$/u.test(text)) return `_${text}`;
  return /^[\p{L}\p{N}+\-*/,.()]+$/u.test(text) ? `_(${text})` : written;
};

/** How much of the text after a script is considered. */
const AFTER_CHARS = 12;

/** Elements whose text is one line of its own for what is before and after a script. */
const SEPARATE: ReadonlySet<string> = new Set(["pre", "code", "kbd", "samp", ...LABELS]);

interface TextPiece {
  readonly element: PageElement;
  readonly index: number;
}

/** Null is the border of a block. */
type Piece = TextPiece | PageElement | null;

/** Style sheets raise references that are declared. */
const isScript = (element: PageElement): boolean => {
  if (element.name !== "sup" && element.name !== "sub" && !isDeclaredNote(element)) return false;
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
      else if (isTextless(child)) return;
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

/** "footnote-3", "cite". */
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
      const isRaised = piece.name !== "sub";
      const written = isRaised ? superscript(text, place, refersToNote(piece)) : subscript(text, place);
      if (isRaised && written.trim() === text) plainSlash(pieces[at + 1]);
      const spaced = written + (/\s$/.test(whole) ? " " : "");
      if (written !== text) rewrite(piece, spaced);
      before += spaced;
    }
    if (before.length > 4 * BEFORE_CHARS) before = before.slice(-BEFORE_CHARS);
  });
};
