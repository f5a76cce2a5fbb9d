/**
 * Coerces values where there is only one interpretation: "12" to 12, dates and numbers as people write them, a single
 * value to a list, a missing null, a map to its list of entries. Pure and deterministic, on wire values before
 * Projection.fromWire. Never invents a value.
 */
import { asciiDigits, momentOf } from "@winnow/core/domain/text/WrittenDays";
import { numberReadings } from "@winnow/core/domain/text/WrittenNumbers";
import { makeFitsWire } from "../schema/ShapeMatch.ts";
import { propertyOf } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import {
  allowsNull,
  asWrittenNumber,
  isObject,
  type Json,
  type Leaf,
  numberWritten,
  type ObjectShape,
  optionName,
  shapeAt,
  type ShapeId,
  type Union
} from "../schema/Shape.ts";
import type { Projection } from "../schema/Projection.ts";

const CURRENCY = "(?:[$€£¥₹₩₽₺₫₴]|(?:US|CA|AU|NZ|HK)\\$|[A-Z]{3}(?=[\\s\\d])|(?<=[\\s\\d])[A-Z]{3})";
/** The currency of `$12`, `US$ 12` and `12 EUR`. */
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, "gu");

const PLAIN = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/u;

/** Shifts digits in the text, so that 12.3 % is exactly 0.123. */
const hundredth = (plain: string): string => {
  const [digits = "", exponent = "0"] = plain.split(/e/iu);
  return `${digits}e${Number(exponent) - 2}`;
};

/** A number with a currency or percent sign; null for anything else or with a unit. */
const numberIn = (written: string, isShare = false): Json => {
  const text = asciiDigits(written).replaceAll("٫", ".").replaceAll("٬", ",");
  const isPercent = /\d\s*[%٪]$/u.test(text);
  const bare = text
    .replaceAll("−", "-")
    .replace(/\s*[%٪]$/u, "")
    .replaceAll(AROUND, "")
    .trim();
  const [, sign = "", unsigned = ""] = /^([+-]?)(.*)$/su.exec(bare) ?? [];
  const plain = PLAIN.test(bare) ? bare : sign + (numberReadings(unsigned)[0] ?? unsigned);
  if (!PLAIN.test(plain) || !Number.isFinite(Number(plain))) return null;
  return numberWritten(isPercent && isShare ? hundredth(plain) : plain);
};

/** A time without an offset is unchanged, because its zone is unknown. */
const dateTimeIn = (text: string): string | null => {
  const { day = null, fraction = "", time = null, zone = "" } = momentOf(text) ?? {};
  if (day === null || time === null || zone === "") return null;
  return `${day}T${time}${time.length > "00:00".length ? fraction : ":00"}${zone}`;
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false]
]);

const folded = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

/** The listed value that is equal except for case and surrounding spaces; otherwise unchanged. */
const listedFor = (values: ReadonlyArray<Json> | null, given: Json): Json => {
  if (values === null || typeof given !== "string") return given;
  const same = values.filter((value) => typeof value === "string" && folded(value) === folded(given));
  return same.length === 1 ? (same[0] ?? given) : given;
};

/** Whether the number is a share of 1, so that percentages are converted. */
const isShare = ({ maximum }: JsonObject): boolean => typeof maximum === "number" && maximum <= 1;

const stringFor = (text: string, { format }: JsonObject): string => {
  if (format === "date") return momentOf(text)?.day ?? text;
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
      return typeof given === "number" || typeof given === "boolean"
        ? stringFor(String(given), keywords)
        : (asWrittenNumber(given)?.text ?? given);
  }
};

/** Texts that models write for missing values. */
const ABSENT_TEXTS = new Set([
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

const meansAbsent = (given: Json): boolean => typeof given === "string" && ABSENT_TEXTS.has(folded(given));

type Coerce = (id: ShapeId, given: Json) => Json;

class Coercer {
  /** Number of values that were such a text and became null. */
  nulledCount = 0;
  readonly #projection: Projection;
  readonly #fits: ReturnType<typeof makeFitsWire>;

  constructor(projection: Projection) {
    this.#projection = projection;
    this.#fits = makeFitsWire(projection.table);
  }

  readonly coerce: Coerce = (id, given) => {
    const shape = shapeAt(this.#projection.table, id);
    switch (shape._tag) {
      case "Leaf":
        return listedFor(shape.values, scalarFor(shape.type, given, shape.keywords));
      case "Array":
        return this.#list(given).map((one, place) => this.coerce(shape.slots[place] ?? shape.rest, one));
      case "Map":
        return this.#entries(shape.values, given);
      case "Object":
        return isObject(given) ? this.#object(shape, given) : given;
      case "Union":
        return this.#union(shape, id, given);
      default:
        return given;
    }
  };

  #list(given: Json): ReadonlyArray<Json> {
    if (Array.isArray(given)) return given;
    return given === null || meansAbsent(given) ? [] : [given];
  }

  /** Such a text is a valid value where any text is allowed. */
  #takesWords(id: ShapeId): boolean {
    const shape = shapeAt(this.#projection.table, id);
    if (shape._tag !== "Leaf") return shape._tag === "Any" || shape._tag === "Union";
    const { format, pattern } = shape.keywords;
    return shape.type === "string" && format === undefined && pattern === undefined;
  }

  /** Optional properties become absent if they are missing, or if they are such a text and do not fit. */
  #property(id: ShapeId, given: Json | undefined, required: boolean): Json | undefined {
    if (given === undefined) return required ? undefined : null;
    if (given === null && !required) return null;
    const coercedValue = this.coerce(id, given);
    const isNothing = meansAbsent(given) && !required && coercedValue !== null;
    const fits = this.#fits(id, coercedValue, "tolerant") && (!isNothing || this.#isWord(id, coercedValue));
    if (fits || !isNothing) return coercedValue;
    this.nulledCount++;
    return null;
  }

  /** Whether such a text may be the value itself: it is listed, or any text is allowed. */
  #isWord(id: ShapeId, word: Json): boolean {
    const shape = shapeAt(this.#projection.table, id);
    const options = shape._tag === "Union" ? shape.options : [id];
    return options.some((option) => {
      const each = shapeAt(this.#projection.table, option);
      return (each._tag === "Leaf" && each.values?.includes(word) === true) || this.#takesWords(option);
    });
  }

  #object({ properties, extra, extraName }: ObjectShape, given: JsonObject): Json {
    const known = properties.flatMap(({ name, wireName, shape, required }) => {
      const value = this.#property(shape, propertyOf(given, wireName) ?? propertyOf(given, name), required);
      return value === undefined ? [] : [[wireName, value] as const];
    });
    if (extra === null) return Object.fromEntries(known);
    const names = new Set(properties.flatMap(({ name, wireName }) => [name, wireName]));
    const others = propertyOf(given, extraName);
    const unnamed = Object.entries(given).filter(([name]) => !names.has(name) && name !== extraName);
    const entries = [
      ...(others === undefined ? [] : this.#entryList(extra, others)),
      ...this.#entryList(extra, Object.fromEntries(unnamed))
    ];
    return Object.fromEntries([...known, [extraName, entries]]);
  }

  #entryList(values: ShapeId, given: Json): ReadonlyArray<Json> {
    const entries = this.#entries(values, given);
    return Array.isArray(entries) ? entries : [];
  }

  #entries(values: ShapeId, given: Json): Json {
    const entry = (key: string, value: Json): Json => ({ key, value: this.coerce(values, value) });
    if (isObject(given)) return Object.entries(given).map(([key, value]) => entry(key, value));
    if (!Array.isArray(given)) return given;
    return given.map((one: Json) => {
      const key = isObject(one) ? scalarFor("string", propertyOf(one, "key") ?? null) : null;
      const value = isObject(one) ? propertyOf(one, "value") : undefined;
      return typeof key === "string" && value !== undefined ? entry(key, value) : one;
    });
  }

  /** In the option that a value fits, else in the first that it can be coerced to; such a text may mean null. */
  #union(shape: Union, id: ShapeId, given: Json): Json {
    const isNothing = meansAbsent(given) && allowsNull(this.#projection.table, id);
    const options = shape.options.map((option, place) => {
      const name = shape.tagged.has(option) ? optionName(place) : null;
      const inner = name !== null && isObject(given) ? (propertyOf(given, name) ?? given) : given;
      return { option, name, inner };
    });
    const fitting = options.filter(({ option, inner }) => this.#fits(option, inner, "exact"));
    for (const { option, name, inner } of [...fitting, ...options]) {
      const value = this.coerce(option, inner);
      if (this.#fits(option, value, "tolerant") && (!isNothing || this.#isWord(id, value)))
        return name === null ? value : { [name]: value };
    }
    if (!isNothing) return given;
    this.nulledCount++;
    return null;
  }
}

export interface Coerced {
  readonly value: Json;
  /** How many values such as "unknown" became null. */
  readonly nulledCount: number;
}

export const coerced = (projection: Projection, given: Json): Coerced => {
  const coercer = new Coercer(projection);
  const value = coercer.coerce(projection.table.root, given);
  return { value, nulledCount: coercer.nulledCount };
};
