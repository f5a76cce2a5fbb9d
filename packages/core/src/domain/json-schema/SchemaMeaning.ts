/** What a valid schema must also have to be worth asking a language model: it names something to extract. */
import { isJsonObject, pointedAt } from "../text/Json.ts";
import type { SchemaProblem } from "./SchemaLimits.ts";
import { hasCustomNames, type JsonObject } from "./SchemaRules.ts";

const NAMES_NOTHING: SchemaProblem = {
  reason: "names_nothing",
  path: "",
  message:
    'It names nothing to extract. Give it `properties`, or replace it by `schemaId: "auto"`, which makes a schema for the content.'
};

const hasMembers = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;

const isNumberAbove0 = (value: unknown): boolean => typeof value === "number" && value > 0;

/** Whether any keyword says something about members of an object. */
const saysSomething = (schema: JsonObject): boolean =>
  (isJsonObject(schema["properties"]) &&
    Object.values(schema["properties"]).some((member) => member !== false)) ||
  ["patternProperties", "dependentRequired", "dependentSchemas", "dependencies"].some((keyword) =>
    hasMembers(schema[keyword])
  ) ||
  ["additionalProperties", "unevaluatedProperties", "propertyNames", "not"].some((keyword) =>
    hasMembers(schema[keyword])
  ) ||
  ["minProperties", "maxProperties"].some((keyword) => isNumberAbove0(schema[keyword])) ||
  ["enum", "const", "$dynamicRef", "$recursiveRef"].some((keyword) => Object.hasOwn(schema, keyword)) ||
  (Array.isArray(schema["required"]) && schema["required"].length > 0);

/** References that cannot be followed here count as saying something. */
const makeIsNaming = (root: JsonObject) => {
  const followed = new Set<string>();
  const follow = (reference: string): boolean => {
    if (followed.has(reference)) return false;
    followed.add(reference);
    const target = pointedAt(root, reference);
    return target === undefined || isNaming(target);
  };
  const isNaming = (schema: unknown): boolean => {
    if (!isJsonObject(schema)) return false;
    if (saysSomething(schema)) return true;
    const { $ref, allOf, anyOf, oneOf } = schema;
    if (typeof $ref === "string" && follow($ref)) return true;
    const others = [schema["if"], schema["then"], schema["else"]];
    return [allOf, anyOf, oneOf, others].some((list) => Array.isArray(list) && list.some(isNaming));
  };
  return isNaming;
};

/** For a schema that the SchemaChecker accepts. */
export const meaningProblem = (schema: JsonObject): SchemaProblem | null =>
  makeIsNaming(schema)(schema) || hasCustomNames(schema) ? null : NAMES_NOTHING;
