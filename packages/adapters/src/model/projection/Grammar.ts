/** The shapes of a schema, with what is needed to encode and decode their values. */
import { type ShapeId, type ShapeTable, shapeAt, type Union } from "./Shape.ts";

export interface Grammar {
  readonly table: ShapeTable;
  /** Options that are tagged on the wire (Ambiguity). */
  readonly marked: ReadonlyMap<Union, ReadonlySet<ShapeId>>;
}

/** `exact`: all members are present and no others. */
export type Strictness = "exact" | "tolerant";

/** Whether null is a value on the wire, so that it is kept for an optional member. */
export const allowsNull = (grammar: Grammar, id: ShapeId, seen = new Set<ShapeId>()): boolean => {
  if (seen.has(id)) return false;
  seen.add(id);
  const shape = shapeAt(grammar.table, id);
  if (shape._tag === "Any") return true;
  if (shape._tag === "Leaf") return shape.type === "null";
  if (shape._tag !== "Union") return false;
  const marks = grammar.marked.get(shape);
  return shape.options.some((option) => !marks?.has(option) && allowsNull(grammar, option, seen));
};

/** The index of the option that a value matches; null if none. */
export const choose = (
  { options }: Union,
  fits: (place: number, strictness: Strictness) => boolean
): number | null => {
  for (const strictness of ["exact", "tolerant"] as const) {
    for (let place = 0; place < options.length; place++) if (fits(place, strictness)) return place;
  }
  return null;
};
