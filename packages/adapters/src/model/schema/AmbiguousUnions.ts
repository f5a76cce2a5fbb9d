/**
 * Finds options of a union that could be confused on the wire and need a tag. Options that decode in the same way
 * need none.
 */
import {
  ANY_TEXT,
  type Property,
  shapeAt,
  type Shape,
  type ShapeId,
  type ShapeTable,
  TUPLE_REST,
  type Union
} from "./Shape.ts";

/** Options are compared pairwise; larger unions are tagged completely. */
const OPTIONS_COMPARED_MAX = 100;

type WireKind = "object" | "array" | "string" | "number" | "boolean" | "null";

const kindsOf = (shape: Shape): ReadonlyArray<WireKind> => {
  switch (shape._tag) {
    case "Leaf":
      return [shape.type === "integer" ? "number" : shape.type];
    case "Literal":
      return ["string"];
    case "Any":
      return ["object", "string", "number", "boolean", "null"];
    case "Object":
    case "Tuple":
      return ["object"];
    case "Map":
    case "Array":
      return ["array"];
    case "Union":
      return ["object", "array", "string", "number", "boolean", "null"];
    case "Never":
      return [];
  }
};

const wireProperties = (shape: Shape): ReadonlyArray<string> | null => {
  if (shape._tag === "Any") return [ANY_TEXT];
  if (shape._tag === "Tuple") return [...names(shape.slots), ...(shape.rest === null ? [] : [TUPLE_REST])];
  if (shape._tag === "Object")
    return [...names(shape.properties), ...(shape.extra === null ? [] : [shape.extraName])];
  return null;
};

const names = (properties: ReadonlyArray<Property>): ReadonlyArray<string> =>
  properties.map(({ wireName }) => wireName);

/** A property that both options require and whose values differ, such as `type` in tagged unions. */
const differInValue = (table: ShapeTable, left: Shape, right: Shape): boolean => {
  if (left._tag !== "Object" || right._tag !== "Object") return false;
  return left.properties.some((property) => {
    const other = right.properties.find(({ wireName }) => wireName === property.wireName);
    if (other === undefined || !property.required || !other.required) return false;
    const [one, two] = [shapeAt(table, property.shape), shapeAt(table, other.shape)];
    if (one._tag !== "Leaf" || two._tag !== "Leaf") return false;
    if (one.values === null || two.values === null) return false;
    return !one.values.some((value) => two.values?.includes(value));
  });
};

/** Whether every value is decoded in the same way by both. Pairs in progress are assumed to be equal. */
const makeAreSameOnWire = (table: ShapeTable) => {
  const known = new Map<string, boolean>();
  const areSameOnWire = (left: ShapeId, right: ShapeId): boolean => {
    if (left === right) return true;
    const key = `${left} ${right}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, true);
    const same = compare(shapeAt(table, left), shapeAt(table, right));
    known.set(key, same);
    return same;
  };
  const compare = (left: Shape, right: Shape): boolean => {
    if (left._tag === "Leaf" && right._tag === "Leaf") return true;
    if (left._tag === "Array" && right._tag === "Array") return areSameOnWire(left.items, right.items);
    if (left._tag === "Map" && right._tag === "Map") return areSameOnWire(left.values, right.values);
    if (left._tag === "Literal" && right._tag === "Literal") return true;
    if (left._tag === "Any" && right._tag === "Any") return true;
    if (left._tag !== "Object" || right._tag !== "Object") return false;
    if (left.properties.length !== right.properties.length || left.extra !== right.extra) return false;
    return left.properties.every((property) => {
      const other = right.properties.find(({ name }) => name === property.name);
      return (
        other !== undefined &&
        other.wireName === property.wireName &&
        other.required === property.required &&
        areSameOnWire(property.shape, other.shape)
      );
    });
  };
  return areSameOnWire;
};

/** Whether a value of one option could be decoded as the other with a different result. */
const collide = (
  table: ShapeTable,
  sameWay: (left: ShapeId, right: ShapeId) => boolean,
  left: ShapeId,
  right: ShapeId
): boolean => {
  const [one, two] = [shapeAt(table, left), shapeAt(table, right)];
  const common = kindsOf(one).filter((kind) => kindsOf(two).includes(kind));
  if (common.length === 0) return false;
  const isPlainScalar = ({ _tag }: Shape): boolean => _tag === "Leaf" || _tag === "Any";
  if (isPlainScalar(one) && isPlainScalar(two)) return false;
  const [ours, theirs] = [wireProperties(one), wireProperties(two)];
  if (ours !== null && theirs !== null) {
    const same = ours.length === theirs.length && ours.every((name) => theirs.includes(name));
    if (!same || differInValue(table, one, two)) return false;
  }
  return !sameWay(left, right);
};

/** The tagged options of each union. */
export const markedOptions = (table: ShapeTable): ReadonlyMap<Union, ReadonlySet<ShapeId>> => {
  const sameWay = makeAreSameOnWire(table);
  const marked = new Map<Union, ReadonlySet<ShapeId>>();
  for (const { shape } of table.rows) {
    if (shape._tag !== "Union") continue;
    const { options } = shape;
    const isLong = options.length > OPTIONS_COMPARED_MAX;
    const found = options.filter(
      (option) =>
        isLong || options.some((other) => other !== option && collide(table, sameWay, option, other))
    );
    marked.set(shape, new Set(found));
  }
  return marked;
};
