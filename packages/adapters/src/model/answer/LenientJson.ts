/**
 * Parses JSON as models write it without enforcement: comments, trailing commas, other quotes, unquoted names,
 * `None` and `NaN`, raw line breaks, quotes within strings, missing ends. Pure, linear, and null if ambiguous.
 */
import { type Json, numberWritten } from "../schema/Shape.ts";

/** Maximum depth, because consumers recurse. */
export const DEPTH_MAX = 150;

export interface LenientOptions {
  /** Whether brackets still open at the end of the text are closed. */
  readonly closesOpen: boolean;
}

/** A value and the position after it. */
export interface Found {
  readonly value: Json;
  readonly end: number;
}

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
  ["undefined", null],
  ["NaN", null],
  ["Infinity", null],
  ["-Infinity", null]
]);

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"]
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"]
]);

const SPACE = /(?:[\s\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)*/uy;
const NUMBER = /[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\w.])/uy;
const WORD = /-?[A-Za-z]+(?!\w)/uy;
const NAME = /[A-Za-z_$][\w$-]*/uy;
const HEX = /[0-9a-fA-F]{4}/uy;
const QUOTED_NAME = /(["'])[^"'\\\n]{1,200}\1\s*:/uy;

/** Thrown if the text cannot be parsed. */
const NO_JSON = new Error("no JSON");

class Reader {
  at: number;
  readonly #text: string;
  readonly #closesOpen: boolean;

  constructor(text: string, start: number, { closesOpen }: LenientOptions) {
    this.#text = text;
    this.at = start;
    this.#closesOpen = closesOpen;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  /** The next significant character; empty at the end. */
  #next(): string {
    this.#match(SPACE);
    return this.#text[this.at] ?? "";
  }

  value(depth: number): Json {
    if (depth > DEPTH_MAX) throw NO_JSON;
    const char = this.#next();
    if (char === "{") return this.#object(depth);
    if (char === "[") return this.#array(depth);
    if (CLOSING.has(char)) return this.#string();
    const number = this.#match(NUMBER);
    if (number !== null) return numberWritten(number.replaceAll("_", ""));
    const word = this.#match(WORD);
    const literal = word === null ? undefined : WORDS.get(word);
    if (literal === undefined) throw NO_JSON;
    return literal;
  }

  /** Whether the bracket ends here; missing commas, and trailing ones, are accepted. */
  #ends(close: string): boolean {
    let char = this.#next();
    if (char === ",") {
      this.at++;
      char = this.#next();
    }
    if (char === "") {
      if (!this.#closesOpen) throw NO_JSON;
      return true;
    }
    if (char === close) {
      this.at++;
      return true;
    }
    // The enclosing bracket ends: this one was omitted.
    return this.#closesOpen && (char === "}" || char === "]");
  }

  #object(depth: number): Json {
    this.at++;
    const members: Array<readonly [string, Json]> = [];
    while (!this.#ends("}")) {
      const name = CLOSING.has(this.#next()) ? this.#string() : this.#match(NAME);
      if (name === null || this.#next() !== ":") throw NO_JSON;
      this.at++;
      members.push([name, this.value(depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  #array(depth: number): Json {
    this.at++;
    const items: Array<Json> = [];
    while (!this.#ends("]")) items.push(this.value(depth + 1));
    return items;
  }

  /** A quote ends a string if what follows is valid after a string, or a member whose comma is missing. */
  #isEnd(after: number): boolean {
    SPACE.lastIndex = after;
    const next = after + (SPACE.exec(this.#text)?.[0].length ?? 0);
    QUOTED_NAME.lastIndex = next;
    return ["", ",", "}", "]", ":"].includes(this.#text[next] ?? "") || QUOTED_NAME.test(this.#text);
  }

  #string(): string {
    const close = CLOSING.get(this.#text[this.at] ?? "") ?? '"';
    this.at++;
    let value = "";
    for (;;) {
      const char = this.#text[this.at++];
      if (char === undefined) throw NO_JSON;
      if (char === "\\") value += this.#escaped();
      else if (char === close && this.#isEnd(this.at)) return value;
      else value += char;
    }
  }

  #escaped(): string {
    const char = this.#text[this.at++];
    if (char === undefined) throw NO_JSON;
    if (char === "u") {
      const code = this.#match(HEX);
      if (code === null) throw NO_JSON;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    return ESCAPES.get(char) ?? char;
  }
}

/** The value that starts at `start`; null if there is none. */
export const lenientValueAt = (text: string, start: number, options: LenientOptions): Found | null => {
  const reader = new Reader(text, start, options);
  try {
    const value = reader.value(0);
    return { value, end: reader.at };
  } catch (error) {
    if (error === NO_JSON) return null;
    throw error;
  }
};
