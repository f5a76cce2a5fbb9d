/**
 * Which objects carry the list of properties that their schemas neither name nor forbid ({@link ADDITIONAL_PROPERTIES}): only the
 * outermost, for everything within. A list in each object would double answers of many small ones and encourage
 * invention.
 */
import { type Shape, type ShapeId, type ShapeRow, shapeAt, type ShapeTable } from "./Shape.ts";

const innerOf = (shape: Shape): ReadonlyArray<ShapeId> => {
  switch (shape._tag) {
    case "Object":
      return [
        ...shape.properties.map((property) => property.shape),
        ...(shape.extra === null ? [] : [shape.extra])
      ];
    case "Map":
      return [shape.values];
    case "Array":
      return [shape.items];
    case "Tuple":
      return [...shape.slots.map((slot) => slot.shape), ...(shape.rest === null ? [] : [shape.rest])];
    case "Union":
      return shape.options;
    default:
      return [];
  }
};

/** Everything reachable from a shape, itself first; does not continue beyond shapes at which the test stops. */
const reached = (
  table: ShapeTable,
  from: ShapeId,
  stops: (shape: Shape) => boolean
): ReadonlyArray<ShapeId> => {
  const found = new Set([from]);
  for (const id of found) {
    const shape = shapeAt(table, id);
    if (!stops(shape)) for (const inner of innerOf(shape)) found.add(inner);
  }
  return [...found];
};

const isPossibleHost = (shape: Shape): boolean => shape._tag === "Object" && shape.extra === null;

/** Whether a shape has values that only {@link ADDITIONAL_PROPERTIES} can express. */
const needsFurther = (shape: Shape): boolean => {
  if (shape._tag === "Map") return shape.isOpen && Object.keys(shape.keys).length > 0;
  return shape._tag === "Object" && shape.isOpen;
};

export const withAdditionalProperties = (table: ShapeTable): ShapeTable => {
  const outermost = reached(table, table.root, isPossibleHost).filter((id) =>
    isPossibleHost(shapeAt(table, id))
  );
  const hosts = new Set(
    outermost.filter((id) =>
      reached(table, id, () => false).some((inner) => needsFurther(shapeAt(table, inner)))
    )
  );
  if (hosts.size === 0) return table;
  const anything = table.rows.length;
  const rows = table.rows.map((row, id): ShapeRow => {
    const { shape } = row;
    return hosts.has(id) && shape._tag === "Object"
      ? { ...row, shape: { ...shape, extra: anything, extraKeys: {}, extraKinds: [], listsAdditional: true } }
      : row;
  });
  return { ...table, rows: [...rows, { shape: { _tag: "Any" }, words: "", shared: false }] };
};
