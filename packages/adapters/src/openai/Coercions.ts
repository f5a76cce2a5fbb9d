/**
 * Mends what models write instead of what was asked, where only one thing can be meant: "12" for 12, a value
 * for a list of one, a missing null, a map for its list of entries. Pure and deterministic; on the wire, that
 * is before Projection.fromWire. Never makes a value up.
 */
import { makeFitsWire } from "./projection/FitsWire.ts";
import { allowsNull } from "./projection/Grammar.ts";
import type { Projection } from "./projection/Projection.ts";
import { dateIn, dateTimeIn, numberIn } from "./ScalarTexts.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  type Leaf,
  memberOf,
  type ObjectShape,
  optionName,
  shapeAt,
  type ShapeId,
  TUPLE_REST,
  type Tuple,
  type Union
} from "./projection/Shape.ts";

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false]
]);

const folded = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

/** The listed value that is the same but for case and spaces around; the given one when there is none. */
const listedFor = (values: ReadonlyArray<Json> | null, given: Json): Json => {
  if (values === null || typeof given !== "string") return given;
  const same = values.filter((value) => typeof value === "string" && folded(value) === folded(given));
  return same.length === 1 ? (same[0] ?? given) : given;
};

/** Whether 1 is the whole of a number, so that a percentage is a part of it. */
const isShare = ({ maximum }: JsonObject): boolean => typeof maximum === "number" && maximum <= 1;

const stringFor = (text: string, { format }: JsonObject): string => {
  if (format === "date") return dateIn(text) ?? text;
  return format === "date-time" ? (dateTimeIn(text) ?? text) : text;
};

const scalarFor = (type: Leaf["type"], given: Json, keywords: JsonObject = {}): Json => {
  const text = typeof given === "string" ? given.trim() : null;
  switch (type) {
    case "number":
      return text === null ? given : (numberIn(text, isShare(keywords)) ?? given);
    case "integer":
      return text === null ? given : (numberIn(text) ?? given);
    case "boolean":
      return text === null ? given : (BOOLEANS.get(text.toLowerCase()) ?? given);
    case "null":
      return text === "" || text?.toLowerCase() === "null" ? null : given;
    case "string":
      if (text !== null) return stringFor(text, keywords);
      return typeof given === "number" || typeof given === "boolean" ? String(given) : given;
  }
};

/** Words that models write where there is nothing. */
const NOTHING = new Set([
  "",
  "-",
  "null",
  "none",
  "n/a",
  "na",
  "nil",
  "tbd",
  "not available",
  "not given",
  "not mentioned",
  "not provided",
  "not specified",
  "not stated",
  "unknown",
  "unspecified"
]);

const meansNothing = (given: Json): boolean => typeof given === "string" && NOTHING.has(folded(given));

type Mend = (id: ShapeId, given: Json) => Json;

class Mender {
  /** Values that were a word for nothing and are read as null. */
  unsaid = 0;
  readonly #projection: Projection;
  readonly #fits: ReturnType<typeof makeFitsWire>;

  constructor(projection: Projection) {
    this.#projection = projection;
    this.#fits = makeFitsWire(projection.grammar);
  }

  readonly mend: Mend = (id, given) => {
    const shape = shapeAt(this.#projection.grammar.table, id);
    switch (shape._tag) {
      case "Leaf":
        return listedFor(shape.values, scalarFor(shape.type, given, shape.keywords));
      case "Array":
        return this.#list(given).map((one) => this.mend(shape.items, one));
      case "Map":
        return this.#entries(shape.values, given);
      case "Object":
        return isObject(given) ? this.#object(shape, given) : given;
      case "Tuple":
        return this.#tuple(shape, given);
      case "Union":
        return this.#union(shape, id, given);
      default:
        return given;
    }
  };

  #list(given: Json): ReadonlyArray<Json> {
    if (Array.isArray(given)) return given;
    return given === null || meansNothing(given) ? [] : [given];
  }

  /** A word for nothing is a value where any text is. */
  #takesWords(id: ShapeId): boolean {
    const shape = shapeAt(this.#projection.grammar.table, id);
    if (shape._tag !== "Leaf") return shape._tag === "Any" || shape._tag === "Union";
    const { format, pattern } = shape.keywords;
    return shape.type === "string" && format === undefined && pattern === undefined;
  }

  /** Optional members that are missing, or hold a word for nothing that does not fit, are absent. */
  #member(id: ShapeId, given: Json | undefined, required: boolean): Json | undefined {
    if (given === undefined) return required ? undefined : null;
    if (given === null && !required) return null;
    const mended = this.mend(id, given);
    const isNothing = meansNothing(given) && (!required || allowsNull(this.#projection.grammar, id));
    const fits = this.#fits(id, mended, "tolerant") && (!isNothing || this.#isWord(id, mended));
    if (fits || !isNothing) return mended;
    this.unsaid++;
    return null;
  }

  /** Whether a word for nothing may be the value itself: a listed one, or one among all texts. */
  #isWord(id: ShapeId, word: Json): boolean {
    const shape = shapeAt(this.#projection.grammar.table, id);
    const options = shape._tag === "Union" ? shape.options : [id];
    return options.some((option) => {
      const each = shapeAt(this.#projection.grammar.table, option);
      return (each._tag === "Leaf" && each.values?.includes(word) === true) || this.#takesWords(option);
    });
  }

  #object({ members, extra, extraName }: ObjectShape, given: JsonObject): Json {
    const known = members.flatMap(({ name, wireName, shape, required }) => {
      const value = this.#member(shape, memberOf(given, wireName) ?? memberOf(given, name), required);
      return value === undefined ? [] : [[wireName, value] as const];
    });
    if (extra === null) return Object.fromEntries(known);
    const names = new Set(members.flatMap(({ name, wireName }) => [name, wireName]));
    const others = memberOf(given, extraName);
    const beside = Object.entries(given).filter(([name]) => !names.has(name) && name !== extraName);
    const entries = [
      ...(others === undefined ? [] : this.#entryList(extra, others)),
      ...this.#entryList(extra, Object.fromEntries(beside))
    ];
    return Object.fromEntries([...known, [extraName, entries]]);
  }

  #entryList(values: ShapeId, given: Json): ReadonlyArray<Json> {
    const entries = this.#entries(values, given);
    return Array.isArray(entries) ? entries : [];
  }

  #entries(values: ShapeId, given: Json): Json {
    const entry = (key: string, value: Json): Json => ({ key, value: this.mend(values, value) });
    if (isObject(given)) return Object.entries(given).map(([key, value]) => entry(key, value));
    if (!Array.isArray(given)) return given;
    return given.map((one: Json) => {
      const key = isObject(one) ? scalarFor("string", memberOf(one, "key") ?? null) : null;
      const value = isObject(one) ? memberOf(one, "value") : undefined;
      return typeof key === "string" && value !== undefined ? entry(key, value) : one;
    });
  }

  #tuple({ slots, rest }: Tuple, given: Json): Json {
    const listed: Json = Array.isArray(given)
      ? Object.fromEntries([
          ...slots.flatMap(({ wireName }, place) => {
            const value: Json | undefined = given[place];
            return value === undefined ? [] : [[wireName, value] as const];
          }),
          [TUPLE_REST, given.slice(slots.length)]
        ])
      : given;
    if (!isObject(listed)) return listed;
    const known = slots.flatMap(({ wireName, shape, required }) => {
      const value = this.#member(shape, memberOf(listed, wireName), required);
      return value === undefined ? [] : [[wireName, value] as const];
    });
    if (rest === null) return Object.fromEntries(known);
    const others = this.#list(memberOf(listed, TUPLE_REST) ?? []).map((one) => this.mend(rest, one));
    return Object.fromEntries([...known, [TUPLE_REST, others]]);
  }

  /** What fits an option stays; else the first option that it can be made to fit. */
  #union(shape: Union, id: ShapeId, given: Json): Json {
    if (this.#fits(id, given, "exact")) return given;
    const marks = this.#projection.grammar.marked.get(shape);
    for (const [place, option] of shape.options.entries()) {
      const marked = marks?.has(option) === true;
      const inner = marked && isObject(given) ? (memberOf(given, optionName(place)) ?? given) : given;
      const mended = this.mend(option, inner);
      if (this.#fits(option, mended, "tolerant")) return marked ? { [optionName(place)]: mended } : mended;
    }
    return given;
  }
}

export interface Coerced {
  readonly value: Json;
  /** How many values said "unknown" or the like, and are null now. */
  readonly unsaid: number;
}

export const coerced = (projection: Projection, given: Json): Coerced => {
  const mender = new Mender(projection);
  const value = mender.mend(projection.grammar.table.root, given);
  return { value, unsaid: mender.unsaid };
};
