/**
 * Which objects carry the list of what their schemas neither name nor forbid ({@link FURTHER}): the outermost only,
 * for everything within. A list in each object would double answers of many small ones, and invite invention.
 */
import { type Shape, type ShapeId, type ShapeRow, shapeAt, type ShapeTable } from "./Shape.ts";

const innerOf = (shape: Shape): ReadonlyArray<ShapeId> => {
  switch (shape._tag) {
    case "Object":
      return [...shape.members.map((member) => member.shape), ...(shape.extra === null ? [] : [shape.extra])];
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

/** Everything reached from a shape, itself first; not beyond those that the test stops at. */
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

/** Whether a shape has values that can be said in {@link FURTHER} alone. */
const leavesUnsaid = (shape: Shape): boolean => {
  if (shape._tag === "Map") return shape.isOpen && Object.keys(shape.keys).length > 0;
  return shape._tag === "Object" && shape.isOpen;
};

export const withHosts = (table: ShapeTable): ShapeTable => {
  const outermost = reached(table, table.root, isPossibleHost).filter((id) =>
    isPossibleHost(shapeAt(table, id))
  );
  const hosts = new Set(
    outermost.filter((id) =>
      reached(table, id, () => false).some((inner) => leavesUnsaid(shapeAt(table, inner)))
    )
  );
  if (hosts.size === 0) return table;
  const anything = table.rows.length;
  const rows = table.rows.map((row, id): ShapeRow => {
    const { shape } = row;
    return hosts.has(id) && shape._tag === "Object"
      ? { ...row, shape: { ...shape, extra: anything, extraKeys: {}, extraKinds: [], isHost: true } }
      : row;
  });
  return { ...table, rows: [...rows, { shape: { _tag: "Any" }, words: "", shared: false }] };
};
