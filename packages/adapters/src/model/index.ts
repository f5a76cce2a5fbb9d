/** API: a caller's schema as a strict provider enforces it, for use without Effect. Tests: projectSchema.test.ts. */
import type * as Schema from "effect/Schema";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { project } from "./schema/Projection.ts";

export interface ProjectedSchema {
  /**
   * Of the subset that OpenAI's strict mode takes: every member required, no others, no `oneOf`, `allOf`, `not` or
   * conditions.
   */
  readonly schema: JsonObject;
  /**
   * Decodes output that conforms to {@link schema} into the caller's object; parts that do not conform are
   * unchanged.
   */
  readonly decode: (answer: Schema.Json) => Schema.Json;
}

const POINTER = "#/$defs/";

/** The target of a reference, so that it can be the root. */
const targetOf = (wire: JsonObject, definitions: JsonObject): JsonObject => {
  const { $ref } = wire;
  const name = typeof $ref === "string" && $ref.startsWith(POINTER) ? $ref.slice(POINTER.length) : null;
  const target = name === null ? undefined : definitions[name];
  return isJsonObject(target) ? target : wire;
};

/** Wraps the answer if its schema cannot be a root: a map is a list on the wire, and a union is `anyOf`. */
const HELD = "value";

const wrapped = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { [HELD]: schema },
  required: [HELD],
  additionalProperties: false
});

/** What {@link ProjectedSchema.schema} cannot enforce, its descriptions say: check answers against the caller's schema. */
export const projectSchema = (schema: JsonObject): ProjectedSchema => {
  const { schema: wire, definitions, fromWire } = project(schema, { wants: "object" });
  const root = targetOf(wire, definitions);
  const isRoot = root["type"] === "object";
  const schemaOfRoot = isRoot ? root : wrapped(wire);
  return {
    schema: Object.keys(definitions).length === 0 ? schemaOfRoot : { ...schemaOfRoot, $defs: definitions },
    decode: (answer) => fromWire(!isRoot && isJsonObject(answer) ? (answer[HELD] ?? answer) : answer)
  };
};
