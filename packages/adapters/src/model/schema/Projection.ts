/**
 * Projects the caller's schema to one that a provider can enforce, and decodes its answers. The wire schema enforces
 * what strict mode has, and describes the rest: answers are to be checked against the caller's schema.
 *
 * What this folder is for the others; `projectSchema` (model/index.ts) is the published form. The steps: AllOf (what
 * schemas say together) and Keywords (what is enforced, what is described) for CompileShapes (a table of shapes),
 * WireSchema from that, Decode and ShapeMatch for answers.
 */
import { compileShapes, type Wanted } from "./CompileShapes.ts";
import { inDoubles, isObject, type Json, type JsonObject, propertyOf, type ShapeTable } from "./Shape.ts";
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

interface Size {
  properties: number;
  enumValues: number;
  chars: number;
  depth: number;
  longEnum: boolean;
}

const measure = (schema: Json, depth: number, size: Size): void => {
  if (Array.isArray(schema)) for (const each of schema) measure(each, depth, size);
  if (!isObject(schema)) return;
  const properties = propertyOf(schema, "properties");
  const inner = properties === undefined ? depth : depth + 1;
  size.depth = Math.max(size.depth, inner);
  if (isObject(properties ?? null)) {
    for (const [name, each] of Object.entries(properties as JsonObject)) {
      size.properties++;
      size.chars += name.length;
      measure(each, inner, size);
    }
  }
  const values = propertyOf(schema, "enum");
  if (Array.isArray(values)) {
    const chars = values.reduce<number>((sum, value) => sum + String(value).length, 0);
    size.enumValues += values.length;
    size.chars += chars;
    size.longEnum ||= values.length > LONG_ENUM_VALUES && chars > LONG_ENUM_CHARS_MAX;
  }
  for (const name of ["items", "anyOf"]) {
    const each = propertyOf(schema, name);
    if (each !== undefined) measure(each, inner, size);
  }
};

export const isWithinStrictLimits = (root: JsonObject): boolean => {
  const size: Size = { properties: 0, enumValues: 0, chars: 0, depth: 0, longEnum: false };
  measure(root, 0, size);
  const definitions = propertyOf(root, "$defs");
  if (isObject(definitions ?? null)) {
    for (const [name, each] of Object.entries(definitions as JsonObject)) {
      size.chars += name.length;
      measure(each, 0, size);
    }
  }
  return (
    size.properties <= PROPERTIES_MAX &&
    size.depth <= DEPTH_MAX &&
    size.enumValues <= ENUM_VALUES_MAX &&
    size.chars <= NAMES_CHARS_MAX &&
    !size.longEnum
  );
};
