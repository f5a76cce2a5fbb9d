/** What a schema says of a value, in words of SchemaFault. For workers only; without Effect. Tests: WorkerSchemaChecker.test.ts. */
import type { SchemaProblem } from "@winnow/core/domain/json-schema/SchemaLimits";
import type { SchemaFault } from "@winnow/core/ports/SchemaChecker";
import type { ErrorObject } from "ajv";
import { LRUCache } from "lru-cache";
import { COMPILED_MAX, FAULT_MESSAGE_CHARS_MAX } from "./CheckLimits.ts";
import { compileSchema, isProblem, type CompiledSchema } from "./CompiledSchema.ts";
import { uncheckedPatterns } from "./Patterns.ts";

/** `problem`: the schema cannot be used. */
export type SchemaVerdict =
  | { readonly problem: SchemaProblem }
  | { readonly faults: ReadonlyArray<SchemaFault> };

/** By schema text. */
const compiledSchemas = new LRUCache<string, CompiledSchema>({ max: COMPILED_MAX });

const compiled = (text: string): CompiledSchema | SchemaProblem => {
  const known = compiledSchemas.get(text);
  if (known !== undefined) return known;
  const made = compileSchema(JSON.parse(text));
  if (!isProblem(made)) compiledSchemas.set(text, made);
  return made;
};

/** Formats and keywords that ajv leaves to callbacks. */
const detailOf = ({ keyword, params }: ErrorObject): string => {
  if (keyword === "enum")
    return `: ${params["allowedValues"].map((each: unknown) => JSON.stringify(each)).join(", ")}`;
  if (keyword === "const") return `: ${JSON.stringify(params["allowedValue"])}`;
  if (keyword === "additionalProperties") return `: ${JSON.stringify(params["additionalProperty"])}`;
  if (keyword === "unevaluatedProperties") return `: ${JSON.stringify(params["unevaluatedProperty"])}`;
  return keyword === "propertyNames" ? `: ${JSON.stringify(params["propertyName"])}` : "";
};

const shortened = (text: string): string =>
  text.length > FAULT_MESSAGE_CHARS_MAX ? `${text.slice(0, FAULT_MESSAGE_CHARS_MAX)}…` : text;

const faultOf = (error: ErrorObject) => ({
  path: error.instancePath,
  message: shortened(`${error.message ?? "is not allowed"}${detailOf(error)}`)
});

const unchecked = (pattern: string): SchemaFault => ({
  path: "",
  message: shortened(`could not be checked against the pattern ${JSON.stringify(pattern)} in time`),
  isUnchecked: true
});

const TOO_DEEP: SchemaProblem = {
  reason: "too_costly",
  path: "",
  message: "The value cannot be validated against the schema: the recursion is too deep."
};

/** Whether the schema, as JSON, can be used, and a value could conform. */
export const verdictOnSchema = (schema: string): SchemaVerdict => {
  const found = compiled(schema);
  if (isProblem(found)) return { problem: found };
  return found.contradiction === null ? { faults: [] } : { problem: found.contradiction };
};

/** At most `faultsMax`, and what could not be checked in time. */
export const verdictOn = (schema: string, value: unknown, faultsMax: number): SchemaVerdict => {
  const found = compiled(schema);
  if (isProblem(found)) return { problem: found };
  try {
    const faults = found.faultsOf(value).map(faultOf);
    const distinct = new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault]));
    return { faults: [...distinct.values(), ...uncheckedPatterns().map(unchecked)].slice(0, faultsMax) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: TOO_DEEP };
    throw error;
  }
};
