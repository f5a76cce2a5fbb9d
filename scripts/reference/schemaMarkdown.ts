/** JSON Schemas of the OpenAPI document as Markdown text, tables and sections. */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | ReadonlyArray<string>;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema | false;
  readonly anyOf?: ReadonlyArray<JsonSchema>;
  readonly oneOf?: ReadonlyArray<JsonSchema>;
  readonly allOf?: ReadonlyArray<JsonSchema>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly examples?: ReadonlyArray<unknown>;
}

const cell = (text: string): string => text.replaceAll(/\s*\n\s*/gu, " ").replaceAll("|", String.raw`\|`);

export const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

const range = ({ minimum, maximum }: JsonSchema): string => {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (maximum !== undefined) return `, at most ${maximum}`;
  return minimum === undefined ? "" : `, at least ${minimum}`;
};

const distinct = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" or ");

/** As text; a component is a link to its section. */
export const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return distinct(choices.map(typeOf));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.items !== undefined && schema.items !== false) return `list of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === "object" && schema.properties === undefined) {
    return `map to ${typeOf(schema.additionalProperties)}`;
  }
  const format = schema.format === undefined ? "" : ` (${schema.format})`;
  return `${[schema.type ?? "anything"].flat().join(" or ")}${format}${range(schema)}`;
};

/** Members, with those of nested objects as `outer.inner`. */
const rows = (schema: JsonSchema, prefix: string): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const full = `${prefix}${name}`;
    const mark = schema.required?.includes(name) === true ? "" : ", optional";
    const standard = member.default === undefined ? "" : ` Default \`${JSON.stringify(member.default)}\`.`;
    const row = [`\`${full}\`${mark}`, typeOf(member), `${member.description ?? ""}${standard}`];
    return [row, ...rows(member, `${full}.`)];
  });

export const componentSection = (name: string, schema: JsonSchema): string => {
  const members = rows(schema, "");
  const [example] = schema.examples ?? [];
  return [
    `### ${name}`,
    schema.description ?? "",
    members.length === 0 ? `${typeOf(schema)}` : tableOf(["member", "type", "meaning"], members),
    example === undefined ? "" : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  ]
    .filter((part) => part !== "")
    .join("\n\n");
};
