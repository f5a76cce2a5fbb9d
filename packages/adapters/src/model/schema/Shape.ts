/**
 * The structure of valid answers to a JSON Schema, as a table of shapes that reference each other by index, which
 * makes recursion simple. Each defines its wire form (WireSchema) and its decoding (Decode). Coercions and merging
 * read it too; everything else knows Projection only. Tests: numbers.test.ts, Projection.test.ts.
 */
import type * as Schema from "effect/Schema";
import { isJsonObject, pointerBelow } from "@winnow/core/domain/text/Json";
import { isExactNumber } from "@winnow/core/domain/text/JsonNumbers";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

export type Json = Schema.Json;

/** A number whose text is not how JavaScript writes it, until it is known whether its text or its double is wanted. */
export class WrittenNumber {
  readonly text: string;
  readonly value: number;

  constructor(text: string) {
    this.text = text;
    this.value = Number(text);
  }

  get isExact(): boolean {
    return isExactNumber(this.text);
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  isJsonObject(value) && !(value instanceof WrittenNumber);

export const asWrittenNumber = (value: unknown): WrittenNumber | null =>
  value instanceof WrittenNumber ? value : null;

/** The number that a text writes; one as JavaScript writes it is a number, like all others within a `Json`. */
export const numberWritten = (text: string): Json =>
  String(Number(text)) === text ? Number(text) : (new WrittenNumber(text) as unknown as Json);

/** With doubles for all numbers, null for those beyond them; `onInexact` receives the pointers of rounded ones. */
export const inDoubles = (value: Json, onInexact: (pointer: string) => void = () => {}, at = ""): Json => {
  const number = asWrittenNumber(value);
  if (number !== null) {
    if (!number.isExact) onInexact(at);
    return Number.isFinite(number.value) ? number.value : null;
  }
  if (Array.isArray(value)) {
    return value.map((item: Json, place) => inDoubles(item, onInexact, pointerBelow(at, place)));
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          inDoubles(inner, onInexact, pointerBelow(at, name))
        ])
      )
    : value;
};
export type ShapeId = number;

export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/** A scalar, the same on the wire; or listed objects and arrays, on the wire their JSON text. */
export interface Leaf {
  readonly _tag: "Leaf";
  readonly type: ScalarType;
  readonly values: ReadonlyArray<Json> | null;
  /** Keywords that providers enforce: bounds, pattern, format. */
  readonly keywords: JsonObject;
  /** Whether the values are JSON texts. */
  readonly isJson: boolean;
}

/** Anything; on the wire, scalars are unchanged and everything else is `{json: "text"}`. */
export interface Any {
  readonly _tag: "Any";
}

export interface Property {
  readonly name: string;
  readonly wireName: string;
  readonly shape: ShapeId;
  /** Absent optional properties are null on the wire. */
  readonly required: boolean;
}

/** On the wire all properties are present; others are a list of entries under `extraName`. */
export interface ObjectShape {
  readonly _tag: "Object";
  readonly properties: ReadonlyArray<Property>;
  readonly extra: ShapeId | null;
  readonly extraName: string;
  readonly extraKeys: JsonObject;
  /** Whether unnamed properties are allowed. */
  readonly isOpen: boolean;
  /**
   * Of the root: whether the entries are additional properties of it and of objects within it. A key is a name, or a
   * wire pointer from here.
   */
  readonly listsAdditional: boolean;
}

/** An object without known properties; on the wire a list of entries `{key, value}`. */
export interface MapShape {
  readonly _tag: "Map";
  readonly values: ShapeId;
  /** Constraints on its keys that providers enforce: a pattern, or a list. */
  readonly keys: JsonObject;
  readonly minEntries: number | null;
  readonly maxEntries: number | null;
}

export interface ArrayShape {
  readonly _tag: "Array";
  /** Of a tuple: the shape of each place. */
  readonly slots: ReadonlyArray<ShapeId>;
  /** Of items at the other places. */
  readonly rest: ShapeId;
  /** Of items at any place: on the wire, those of a tuple may be at any of its places. */
  readonly items: ShapeId;
  readonly minItems: number | null;
  readonly maxItems: number | null;
  /** Whether duplicate items are dropped. */
  readonly isSet: boolean;
}

/** A union; on the wire, options that look alike are `{option_N: value}`. */
export interface Union {
  readonly _tag: "Union";
  readonly options: ReadonlyArray<ShapeId>;
  readonly tagged: ReadonlySet<ShapeId>;
}

/** Nothing conforms. */
export interface Never {
  readonly _tag: "Never";
}

export type Shape = Leaf | Any | ObjectShape | MapShape | ArrayShape | Union | Never;

export interface ShapeRow {
  readonly shape: Shape;
  /** For the model: the description, and constraints that the wire schema does not enforce. */
  readonly words: string;
  /** Whether more than one shape references it; it then has a name on the wire. */
  readonly shared: boolean;
}

export interface ShapeTable {
  readonly rows: ReadonlyArray<ShapeRow>;
  readonly root: ShapeId;
}

export const ANY_TEXT = "json";

export const optionName = (place: number): string => `option_${place + 1}`;

export const shapeAt = ({ rows }: Pick<ShapeTable, "rows">, id: ShapeId): Shape =>
  rows[id]?.shape ?? { _tag: "Any" };

/** `exact`: all properties are present and no others. */
export type Strictness = "exact" | "tolerant";

/** Whether null is a value on the wire, so that it is kept for an optional property. */
export const allowsNull = (table: ShapeTable, id: ShapeId, seen = new Set<ShapeId>()): boolean => {
  if (seen.has(id)) return false;
  seen.add(id);
  const shape = shapeAt(table, id);
  if (shape._tag === "Any") return true;
  if (shape._tag === "Leaf") return shape.type === "null";
  return (
    shape._tag === "Union" &&
    shape.options.some((option) => !shape.tagged.has(option) && allowsNull(table, option, seen))
  );
};
