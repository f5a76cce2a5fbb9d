/**
 * Translates patterns of JSON Schema (ECMA-262 with flag `u`) to RE2, which matches in linear time.
 *
 * Look-around and back-references have no equivalent (BacktrackingPattern runs those).
 */
import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** The pattern is not a regular expression; completes "The pattern ...". */
export class PatternRefused extends Error {}

/** The pattern has no equivalent in RE2. */
export class NotLinear extends Error {}

const refuse = (message: string): never => {
  throw new NotLinear(message);
};

/** White space and line ends of ECMA-262; RE2 only knows those of ASCII. */
const SPACE =
  "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

const NOT_SPACE =
  "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

const code = (point: number): string => `\\x{${point.toString(16)}}`;

const LETTER_OR_DIGIT = /^[A-Za-z0-9]$/u;

const character = (point: number): string => {
  const text = String.fromCodePoint(point);
  return LETTER_OR_DIGIT.test(text) ? text : code(point);
};

/** First and last code points that can be adjacent in a text without combining. */
const STRETCHES = [
  [0, 0xdb_ff],
  [0xdc_00, 0xdf_ff],
  [0xe0_00, 0x10_ff_ff]
] as const;

/** Chunk size for `String.fromCodePoint`, whose arguments are limited by the stack. */
const CHUNK = 1_024;

const charactersOf = ([first, last]: readonly [number, number]): string => {
  const chunks: Array<string> = [];
  for (let start = first; start <= last; start += CHUNK) {
    chunks.push(String.fromCodePoint(...Array.from({ length: CHUNK }, (_, index) => start + index)));
  }
  return chunks.join("");
};

const classes = new Map<string, string>();

/** Members of a Unicode property, determined by testing Node's engine. */
const propertyMembers = ({ raw }: AST.CharacterSet): string => {
  const known = classes.get(raw);
  if (known !== undefined) return known;
  const members: Array<string> = [];
  for (const stretch of STRETCHES) {
    for (const [run] of charactersOf(stretch).matchAll(new RegExp(`${raw}+`, "gu"))) {
      const last = Array.from(run.slice(-2)).at(-1) ?? "";
      members.push(`${code(run.codePointAt(0) ?? 0)}-${code(last.codePointAt(0) ?? 0)}`);
    }
  }
  const written = members.join("");
  classes.set(raw, written);
  return written;
};

const setMembers = (set: AST.CharacterSet): string => {
  switch (set.kind) {
    case "digit":
      return set.negate ? "\\D" : "\\d";
    case "word":
      return set.negate ? "\\W" : "\\w";
    case "space":
      return set.negate ? NOT_SPACE : SPACE;
    case "property":
      return propertyMembers(set);
    default:
      return "^\\n\\r\\x{2028}\\x{2029}";
  }
};

const classMembers = (element: AST.CharacterClassElement): string => {
  if (element.type === "Character") return character(element.value);
  if (element.type === "CharacterClassRange") {
    return `${character(element.min.value)}-${character(element.max.value)}`;
  }
  return element.type === "CharacterSet" ? setMembers(element) : refuse("uses nested character classes");
};

const characterClass = ({ elements, negate }: AST.CharacterClass): string => {
  const members = elements.map(classMembers).join("");
  if (members === "") return negate ? "(?s:.)" : "[^\\x00-\\x{10ffff}]";
  return `[${negate ? "^" : ""}${members}]`;
};

/** RE2's maximum repetition count, because each repetition is a copy of its program. */
const REPEATS_MAX = 1_000;

const quantifier = ({ element, min, max, greedy }: AST.Quantifier): string => {
  if (min > REPEATS_MAX || (max > REPEATS_MAX && max !== Number.POSITIVE_INFINITY)) {
    return refuse(`repeats a part more than ${REPEATS_MAX} times`);
  }
  const times = max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
  return `(?:${written(element)})${times}${greedy ? "" : "?"}`;
};

const assertion = (node: AST.Assertion): string => {
  switch (node.kind) {
    case "start":
      return "\\A";
    case "end":
      return "\\z";
    case "word":
      return node.negate ? "\\B" : "\\b";
    default:
      return refuse("uses lookahead or lookbehind");
  }
};

const alternatives = (list: ReadonlyArray<AST.Alternative>): string =>
  list.map(({ elements }) => elements.map(written).join("")).join("|");

const written = (node: AST.Element): string => {
  switch (node.type) {
    case "Character":
      return character(node.value);
    case "CharacterSet":
      return `[${setMembers(node)}]`;
    case "CharacterClass":
      return characterClass(node);
    case "Quantifier":
      return quantifier(node);
    case "Assertion":
      return assertion(node);
    case "Group":
      return node.modifiers === null ? `(?:${alternatives(node.alternatives)})` : refuse("uses inline flags");
    case "CapturingGroup":
      return `(?:${alternatives(node.alternatives)})`;
    case "Backreference":
      return refuse("uses a backreference");
    default:
      return refuse("uses nested character classes");
  }
};

const parser = new RegExpParser();

const parse = (pattern: string): AST.Pattern => {
  try {
    return parser.parsePattern(pattern, undefined, undefined, { unicode: true });
  } catch {
    // Needless escapes, such as `\-`, are an error with the flag and common without.
    try {
      return parser.parsePattern(pattern, undefined, undefined, { unicode: false });
    } catch (error) {
      const message = error instanceof Error ? error.message : "syntax error";
      throw new PatternRefused(`is not a regular expression (${message})`);
    }
  }
};

/** @throws PatternRefused or NotLinear */
export const toRe2Syntax = (pattern: string): string => alternatives(parse(pattern).alternatives);
