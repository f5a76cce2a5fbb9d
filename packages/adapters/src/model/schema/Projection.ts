/**
 * Projects the caller's schema to one that a provider can enforce, and decodes its answers. The wire schema enforces
 * what strict mode has, and describes the rest: answers are to be checked against the caller's schema.
 *
 * What this folder is for the others; `projectSchema` (model/index.ts) is the published form. The steps: AllOf (what
 * schemas say together) and Keywords (what is enforced, what is described) for CompileShapes (a table of shapes),
 * WireSchema from that, Decode and ShapeMatch for answers. After a change: bench/schemas.ts.
 */
import { compileShapes, type Wanted } from "./CompileShapes.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { inDoubles, isObject, type Json, type ShapeTable } from "./Shape.ts";
import { decode, type OnDecoded } from "./Decode.ts";
import { type WireSchema, wireSchema } from "./WireSchema.ts";
import { plainSchema } from "../../schema-check/SchemaLinks.ts";

export interface Projection extends WireSchema {
  readonly table: ShapeTable;
  /**
   * `onDecoded` is called for every part of the value: its pointer on the wire, and in the answer. `onInexact` receives
   * the pointers of numbers that are rounded.
   */
  readonly fromWire: (value: Json, onDecoded?: OnDecoded, onInexact?: (pointer: string) => void) => Json;
}

export const project = (schema: JsonObject, options: Wanted = {}): Projection => {
  const table = compileShapes(plainSchema(schema), options);
  return {
    ...wireSchema(table),
    table,
    fromWire: (value, onDecoded, onInexact) => inDoubles(decode(table, value, onDecoded), onInexact)
  };
};

const PROPERTIES_MAX = 5_000;
/** Nesting of objects, including the root; references do not count. */
const DEPTH_MAX = 10;
const ENUM_VALUES_MAX = 1_000;
/** Total characters of names, listed values and definitions. */
const NAMES_CHARS_MAX = 120_000;
/** Total characters of a list with more than 250 values. */
const LONG_ENUM_CHARS_MAX = 15_000;
const LONG_ENUM_VALUES = 250;

const membersOf = (members: Json | undefined): ReadonlyArray<readonly [string, Json]> =>
  isObject(members) ? Object.entries(members) : [];

/** Of the schema of a request: whether strict mode takes it. */
export const isWithinStrictLimits = (root: JsonObject): boolean => {
  const waiting: Array<{ readonly node: Json; readonly depth: number }> = [{ node: root, depth: 0 }];
  let [properties, enumValues, chars] = [0, 0, 0];
  for (const { node, depth } of waiting) {
    if (!isObject(node)) continue;
    const { anyOf, enum: values, items, $defs } = node;
    const inner = node["properties"] === undefined ? depth : depth + 1;
    const members = membersOf(node["properties"]);
    const listed = Array.isArray(values) ? values : [];
    const listedChars = listed.reduce<number>((sum, value) => sum + String(value).length, 0);
    properties += members.length;
    enumValues += listed.length;
    chars += [...members, ...membersOf($defs)].reduce((sum, [name]) => sum + name.length, listedChars);
    if (inner > DEPTH_MAX || (listed.length > LONG_ENUM_VALUES && listedChars > LONG_ENUM_CHARS_MAX))
      return false;
    for (const [, each] of members) waiting.push({ node: each, depth: inner });
    for (const each of [items ?? null, anyOf ?? []].flat()) waiting.push({ node: each, depth: inner });
    for (const [, each] of membersOf($defs)) waiting.push({ node: each, depth: 0 });
  }
  return properties <= PROPERTIES_MAX && enumValues <= ENUM_VALUES_MAX && chars <= NAMES_CHARS_MAX;
};
