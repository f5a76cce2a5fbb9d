/**
 * What a JSON Schema means for an answer, as a table of shapes that refer to each other by place, so that
 * recursion is a number. Each says how its values look on the wire (WireSchema) and how they are turned
 * back (Decode).
 */
import { isJsonObject as isObject, type JsonObject } from "@winnow/core/domain/SchemaRules";
import type * as Schema from "effect/Schema";

export type Json = Schema.Json;
export { isObject, type JsonObject };
export type ShapeId = number;

export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/** A scalar; the same on the wire. */
export interface Leaf {
  readonly _tag: "Leaf";
  readonly type: ScalarType;
  readonly values: ReadonlyArray<Json> | null;
  /** Keywords that providers enforce: bounds, pattern, format. */
  readonly keywords: JsonObject;
}

/** One of some objects or arrays; on the wire their JSON text. */
export interface Literal {
  readonly _tag: "Literal";
  readonly values: ReadonlyArray<Json>;
}

/** Anything; on the wire scalars are themselves, and all else is `{json: "text"}`. */
export interface Any {
  readonly _tag: "Any";
}

export interface Member {
  readonly name: string;
  readonly wireName: string;
  readonly shape: ShapeId;
  /** Optional members that are absent are null on the wire. */
  readonly required: boolean;
}

/** What names of one kind have as values. */
export interface KeyKind {
  readonly keys: JsonObject;
  readonly values: ShapeId;
}

/** On the wire every member is there; further ones are a list of entries under `extraName`. */
export interface ObjectShape {
  readonly _tag: "Object";
  readonly members: ReadonlyArray<Member>;
  readonly extra: ShapeId | null;
  readonly extraName: string;
  readonly extraKeys: JsonObject;
  /** Where {@link extra} is a choice that the name decides: its options, in order. */
  readonly extraKinds: ReadonlyArray<KeyKind>;
  /** Whether names are allowed that nothing speaks of. */
  readonly isOpen: boolean;
  /** Names that must not be. */
  readonly forbiddenNames: ReadonlyArray<string>;
  /** Whether the entries are of {@link FURTHER}, for this object and those within it. */
  readonly isHost: boolean;
}

/** An object without known members; on the wire a list of entries `{key, value}`. */
export interface MapShape {
  readonly _tag: "Map";
  readonly values: ShapeId;
  /** Keywords that providers enforce of its keys: a pattern, or a list. */
  readonly keys: JsonObject;
  readonly kinds: ReadonlyArray<KeyKind>;
  readonly isOpen: boolean;
  readonly minEntries: number | null;
  readonly maxEntries: number | null;
}

export interface ArrayShape {
  readonly _tag: "Array";
  readonly items: ShapeId;
  readonly minItems: number | null;
  readonly maxItems: number | null;
  /** Whether an item that is there already is left out. */
  readonly isSet: boolean;
}

/** An array with a meaning for each place; on the wire an object with a member for each. */
export interface Tuple {
  readonly _tag: "Tuple";
  /** `name` is the place, as in a JSON pointer. */
  readonly slots: ReadonlyArray<Member>;
  readonly rest: ShapeId | null;
}

/** One of several; on the wire those that could be taken for another are `{option_N: value}`. */
export interface Union {
  readonly _tag: "Union";
  readonly options: ReadonlyArray<ShapeId>;
}

/** Nothing conforms. */
export interface Never {
  readonly _tag: "Never";
}

export type Shape = Leaf | Literal | Any | ObjectShape | MapShape | ArrayShape | Tuple | Union | Never;

export interface ShapeRow {
  readonly shape: Shape;
  /** For the model: the description, and in words what the wire schema does not enforce. */
  readonly words: string;
  /** Whether more than one shape refers to it; it has a name on the wire then. */
  readonly shared: boolean;
}

export interface ShapeTable {
  readonly rows: ReadonlyArray<ShapeRow>;
  readonly root: ShapeId;
  /** Whether nothing conforms; the root asks for an empty object then. */
  readonly isImpossible: boolean;
}

export const TUPLE_REST = "rest";
export const ANY_TEXT = "json";

/**
 * What nothing names and nothing forbids: entries whose key is a name, or a pointer on the wire to a member of an
 * object within. Of a named member that is null they say that it is null, or with {@link LEFT_OUT} that it is absent.
 */
export const FURTHER = "further";
export const LEFT_OUT: JsonObject = { [ANY_TEXT]: "" };
export const optionName = (place: number): string => `option_${place + 1}`;

export const shapeAt = (table: ShapeTable, id: ShapeId): Shape => table.rows[id]?.shape ?? { _tag: "Any" };

/** Own members only: a value may have `__proto__` or `constructor` among its names. */
export const memberOf = (value: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;
