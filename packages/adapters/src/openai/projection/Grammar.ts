/** The shapes of a schema with what is needed to read and write their values on the wire. */
import { type ShapeId, type ShapeTable, shapeAt, type Union } from "./Shape.ts";

export interface Grammar {
  readonly table: ShapeTable;
  /** Options that carry a mark on the wire (Ambiguity). */
  readonly marked: ReadonlyMap<Union, ReadonlySet<ShapeId>>;
}

/** `exact`: all members are there and no others. */
export type Strictness = "exact" | "tolerant";

/** Whether a bare null on the wire is a value, so that it is kept where a member is optional. */
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

/** The place of the option that a value belongs to; null when it looks like none. */
export const choose = (
  { options }: Union,
  fits: (place: number, strictness: Strictness) => boolean
): number | null => {
  for (const strictness of ["exact", "tolerant"] as const) {
    for (let place = 0; place < options.length; place++) if (fits(place, strictness)) return place;
  }
  return null;
};
