/** TypeScript's types of the schemas in an OpenAPI document, as text. */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | ReadonlyArray<string>;
  readonly enum?: ReadonlyArray<unknown>;
  readonly const?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly anyOf?: ReadonlyArray<JsonSchema>;
  readonly oneOf?: ReadonlyArray<JsonSchema>;
  readonly items?: JsonSchema | false;
  readonly prefixItems?: ReadonlyArray<JsonSchema>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: boolean | JsonSchema;
}

export const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "* /").replaceAll(/\s*\n\s*/gu, " ")} */\n`;

const union = (types: ReadonlyArray<string>): string => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] ?? "never") : distinct.join(" | ");
};

/** Discriminants of unions, which must not be open. */
const DISCRIMINANTS = new Set(["status", "code", "event", "outcome"]);

/** Values may be added later: enumerations that a client sends are closed, those it receives are open. */
export const openUnion = (values: ReadonlyArray<unknown>, isClosed: boolean): string => {
  const known = union(values.map((value) => JSON.stringify(value)));
  return isClosed || values.length === 1 ? known : `${known} | (string & {})`;
};

const objectType = (schema: JsonSchema, indent: string, isSent = false): string => {
  const inner = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/u.test(name) ? name : JSON.stringify(name);
    const mark = required.has(name) ? "" : "?";
    const type =
      isSent && member.format === "date-time"
        ? "Date | string"
        : typeOf(member, inner, DISCRIMINANTS.has(name));
    return `${comment(member.description, inner)}${inner}readonly ${key}${mark}: ${type};\n`;
  });
  const rest = schema.additionalProperties;
  if (members.length === 0) {
    return typeof rest === "object"
      ? `Readonly<Record<string, ${typeOf(rest, indent)}>>`
      : "Readonly<Record<string, unknown>>";
  }
  return `{\n${members.join("")}${indent}}`;
};

const primitive = (type: string, schema: JsonSchema, indent: string, isSent: boolean): string => {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `ReadonlyArray<${schema.items === undefined || schema.items === false ? "unknown" : typeOf(schema.items, indent)}>`;
    case "object":
      return objectType(schema, indent, isSent);
    default:
      return "unknown";
  }
};

export const typeOf = (schema: JsonSchema, indent: string, isClosed = false): string => {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return openUnion(schema.enum, isClosed);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return union(alternatives.map((item) => typeOf(item, indent)));
  if (schema.type === undefined) {
    return schema.properties === undefined ? "unknown" : objectType(schema, indent, isClosed);
  }
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  return union(types.map((type) => primitive(type, schema, indent, isClosed)));
};
