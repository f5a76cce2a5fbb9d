/**
 * Validates all arguments of a call against its tool's schema, so that a typo is not priced as something else.
 * Reports the first error with its remedy.
 */
import type { InputSchema, ToolDefinition } from "./definitions.ts";
import { ToolError } from "./toolError.ts";

export type ToolInput = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ToolInput =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const oneOf = (words: ReadonlyArray<string>): string => `one of ${words.join(", ")}`;

const rangeOf = ({ minimum, maximum }: { readonly minimum: number; readonly maximum?: number }): string =>
  maximum === undefined ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`;

/** What the value must be; null if it is valid. */
const faultOf = (value: unknown, schema: InputSchema): string | null => {
  switch (schema.type) {
    case "string": {
      const isWord = typeof value === "string" && (schema.enum?.includes(value) ?? true);
      return isWord ? null : schema.enum === undefined ? "text" : oneOf(schema.enum);
    }
    case "boolean":
      return typeof value === "boolean" ? null : "true or false";
    case "object":
      return isObject(value) ? null : "an object";
    case "array": {
      const fault = Array.isArray(value)
        ? value.map((item) => faultOf(item, schema.items)).find((item) => item !== null)
        : "";
      return fault === undefined ? null : `a list${fault === "" ? "" : `, each item ${fault}`}`;
    }
    default: {
      const isRight = schema.type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
      const isWithin =
        (value as number) >= schema.minimum && (value as number) <= (schema.maximum ?? Infinity);
      return isRight && isWithin
        ? null
        : `a ${schema.type === "integer" ? "whole " : ""}number ${rangeOf(schema)}`;
    }
  }
};

const NAME_CHARS_MAX = 60;

/** The arguments, unchanged. Null counts as absent, since some hosts send it. */
export const checkInput = ({ name, inputSchema }: ToolDefinition, given: unknown): ToolInput => {
  const refuse = (message: string): never => {
    throw new ToolError("invalid_request", message);
  };
  if (!isObject(given)) return refuse(`The arguments of ${name} must be an object.`);
  const { properties, required } = inputSchema;
  const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const input = Object.fromEntries(present);
  for (const [field, value] of present) {
    const schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
    if (schema === undefined) {
      const known = Object.keys(properties).join(", ");
      return refuse(`${field.slice(0, NAME_CHARS_MAX)} is not an argument of ${name}; it takes ${known}.`);
    }
    const fault = faultOf(value, schema);
    if (fault !== null) return refuse(`${field} must be ${fault}.`);
  }
  const missing = required.find((field) => !Object.hasOwn(input, field));
  return missing === undefined ? input : refuse(`${missing} is missing.`);
};
