/**
 * Projects the caller's schema to one that a provider can enforce, and decodes its answers. Lossless: a conforming
 * wire value decodes to a conforming value.
 */
import { markedOptions } from "./AmbiguousUnions.ts";
import { compileShapes, type Wanted } from "./CompileShapes.ts";
import type { Json, JsonObject } from "./Shape.ts";
import { decode, type OnPlace } from "./Decode.ts";
import type { Grammar } from "./Grammar.ts";
import { type WireSchema, wireSchema } from "./WireSchema.ts";

export interface Projection extends WireSchema {
  readonly grammar: Grammar;
  /** `onPlace` is called for every place of the value: its pointer on the wire, and in the answer. */
  readonly fromWire: (value: Json, onPlace?: OnPlace) => Json;
}

export const project = (schema: JsonObject, options: Wanted = {}): Projection => {
  const table = compileShapes(schema, options);
  const grammar: Grammar = { table, marked: markedOptions(table) };
  return {
    ...wireSchema(grammar),
    grammar,
    fromWire: (value, onPlace) => decode(grammar, value, onPlace)
  };
};
