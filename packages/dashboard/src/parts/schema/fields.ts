/**
 * Converts between JSON Schema and a tree of fields, for people who do not write JSON. Pure. Each field keeps the schema
 * it was read from, so that what nobody changed is written as it was; a schema with a keyword that has no control in the
 * editor is edited as text. Tests: schemaFields.test.ts, draft.test.ts.
 */
/** The JSON type of each kind, and the keywords beside it that have controls. */
const KINDS = {
  text: ["string"],
  number: ["number"],
  integer: ["integer"],
  boolean: ["boolean"],
  date: ["string", "format"],
  choice: ["string", "enum"],
  group: ["object", "properties", "required", "additionalProperties"]
} as const;
export type FieldKind = keyof typeof KINDS;
export const FIELD_KINDS = Object.keys(KINDS) as ReadonlyArray<FieldKind>;

const keywordsOf = (kind: FieldKind): ReadonlyArray<string> => ["type", ...KINDS[kind].slice(1)];

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** Any number of values of the kind. */
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** The value may be `null`. */
  readonly isNullable: boolean;
  readonly description: string;
  /** Of a choice. */
  readonly choices: ReadonlyArray<string>;
  /** Of a group. */
  readonly fields: ReadonlyArray<Field>;
  /** The schema that it was read from. */
  readonly kept: JsonObject;
  /** That of a list's items. */
  readonly keptItem: JsonObject;
}

/** Groups within groups. */
export const DEPTH_MAX = 4;

export const newField = (): Field => ({
  name: "",
  kind: "text",
  isList: false,
  isRequired: true,
  isNullable: false,
  description: "",
  choices: [],
  fields: [],
  kept: {},
  keptItem: {}
});

// From a schema to fields.

/** A keyword that has no control, and the path of the field that has it; empty for the whole schema. */
interface Unshown {
  readonly keyword: string;
  readonly path: string;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isUnshown = (value: object): value is Unshown => "keyword" in value;

/** They constrain nothing, and are kept without a control. */
const ANNOTATIONS = "$schema $id $comment title description examples default deprecated readOnly writeOnly";
const KEPT = new Set(ANNOTATIONS.split(" "));

const isClean = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && text.trim() === text && !/[\r\n]/u.test(text);

const isUnique = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === values.length;

/** Undefined for several types, and for none. */
const typeOf = ({
  type
}: JsonObject): { readonly name: string; readonly isNullable: boolean } | undefined => {
  const names = [type].flat();
  const [name, ...more] = names.filter((each) => each !== "null");
  return typeof name === "string" && more.length === 0 && isUnique(names)
    ? { name, isNullable: names.includes("null") }
    : undefined;
};

const kindOf = (type: string, { enum: choices, format }: JsonObject): FieldKind | undefined => {
  if (type === "string" && choices !== undefined) return "choice";
  if (type === "string" && format === "date") return "date";
  return FIELD_KINDS.find((kind) => KINDS[kind][0] === type);
};

/** Undefined if they are not texts that can each stand on a line. */
const choicesOf = (choices: unknown, isNullable: boolean): ReadonlyArray<string> | undefined => {
  if (!Array.isArray(choices) || !isUnique(choices) || choices.includes(null) !== isNullable)
    return undefined;
  const texts = choices.filter((each) => each !== null);
  return texts.every(isClean) ? texts : undefined;
};

const hidden = (schema: JsonObject, shown: ReadonlyArray<string>, path: string): Unshown | undefined => {
  const keyword = Object.keys(schema).find((each) => !shown.includes(each) && !KEPT.has(each));
  return keyword === undefined ? undefined : { keyword, path };
};

const readGroup = (schema: JsonObject, path: string, depth: number): ReadonlyArray<Field> | Unshown => {
  const { properties = {}, required = [], additionalProperties = false } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (!isObject(properties) || !names.every(isClean) || depth > DEPTH_MAX)
    return { keyword: "properties", path };
  if (additionalProperties !== false) return { keyword: "additionalProperties", path };
  if (!Array.isArray(required) || !isUnique(required) || !required.every((name) => names.includes(name)))
    return { keyword: "required", path };
  const fields: Array<Field> = [];
  for (const name of names) {
    const at = path === "" ? name : `${path}.${name}`;
    const field = readField(name, properties[name], required.includes(name), at, depth);
    if (isUnshown(field)) return field;
    fields.push(field);
  }
  return fields;
};

const readField = (
  name: string,
  schema: unknown,
  isRequired: boolean,
  path: string,
  depth: number
): Field | Unshown => {
  if (!isObject(schema)) return { keyword: String(schema), path };
  const type = typeOf(schema);
  const isList = type?.name === "array";
  const value = isList ? schema["items"] : schema;
  const valueType = isObject(value) ? typeOf(value) : undefined;
  const kind = isObject(value) && valueType !== undefined ? kindOf(valueType.name, value) : undefined;
  if (type === undefined || !isObject(value) || kind === undefined || (isList && valueType?.isNullable))
    return { keyword: isList ? "items" : "type", path };
  const { isNullable } = type;
  const unshown =
    (isList ? hidden(schema, ["type", "items"], path) : undefined) ?? hidden(value, keywordsOf(kind), path);
  if (unshown !== undefined) return unshown;
  const { description = "" } = schema;
  if (typeof description !== "string") return { keyword: "description", path };
  const choices = kind === "choice" ? choicesOf(value["enum"], isNullable && !isList) : [];
  if (choices === undefined) return { keyword: "enum", path };
  const fields = kind === "group" ? readGroup(value, path, depth + 1) : [];
  if (isUnshown(fields)) return fields;
  const keptItem = isList ? value : {};
  return { name, kind, isList, isRequired, isNullable, description, choices, fields, kept: schema, keptItem };
};

/** What cannot be shown if the editor would lose something. */
export const fieldsOf = (schema: JsonObject): ReadonlyArray<Field> | Unshown => {
  if (schema["type"] !== "object") return { keyword: "type", path: "" };
  return hidden(schema, keywordsOf("group"), "") ?? readGroup(schema, "", 0);
};

// From fields to a schema.

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Keywords whose order and absence mean nothing are written as they were. */
const asBefore = (next: ReadonlyArray<unknown>, kept: unknown): unknown =>
  same([...next].toSorted(), [kept ?? []].flat().toSorted()) ? kept : next;

const asTyped = (type: string, isNullable: boolean, kept: unknown): unknown => {
  const next = isNullable ? [type, "null"] : [type];
  const before = asBefore(next, kept);
  return before === next && !isNullable ? type : before;
};

const enumOf = (choices: ReadonlyArray<string>, isNullable: boolean, kept: unknown): unknown => {
  const next = [...new Set(choices.map((each) => each.trim()).filter((each) => each !== ""))];
  const before = Array.isArray(kept) && kept.includes(null) === isNullable ? kept : [];
  const isSame = same(
    next,
    before.filter((each) => each !== null)
  );
  return isSame ? before : [...next, ...(isNullable ? [null] : [])];
};

const groupKeywords = (fields: ReadonlyArray<Field>, kept: JsonObject): JsonObject => {
  const named = fields.filter(({ name }) => name.trim() !== "");
  const properties = Object.fromEntries(named.map((field) => [field.name.trim(), schemaOfField(field)]));
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name.trim());
  const wasGroup = typeOf(kept)?.name === "object";
  const hasNone = wasGroup && named.length === 0 && kept["properties"] === undefined;
  return {
    properties: hasNone ? undefined : properties,
    required: asBefore(required, kept["required"]),
    additionalProperties: wasGroup ? kept["additionalProperties"] : false
  };
};

const NONE = Object.fromEntries(
  [...FIELD_KINDS.flatMap(keywordsOf), "items"].map((keyword) => [keyword, undefined])
);

/** What is kept, with the keywords that have controls replaced, each where it was. */
const over = (kept: JsonObject, next: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...kept, ...NONE, ...next }).filter(([, value]) => value !== undefined)
  );

const valueOf = ({ kind, choices, fields }: Field, isNullable: boolean, kept: JsonObject): JsonObject => ({
  type: asTyped(KINDS[kind][0], isNullable, kept["type"]),
  ...(kind === "date" ? { format: "date" } : {}),
  ...(kind === "choice" ? { enum: enumOf(choices, isNullable, kept["enum"]) } : {}),
  ...(kind === "group" ? groupKeywords(fields, kept) : {})
});

const schemaOfField = (field: Field): JsonObject => {
  const { isList, isNullable, kept, keptItem, description } = field;
  const text = description === kept["description"] ? description : description.trim() || undefined;
  const value = isList
    ? {
        type: asTyped("array", isNullable, kept["type"]),
        items: over(keptItem, valueOf(field, false, keptItem))
      }
    : valueOf(field, isNullable, kept);
  return over(kept, { ...value, description: text });
};

/** Those that became wrong go: a model would follow them. */
const examplesOf = (kept: JsonObject, properties: unknown): unknown => {
  const { examples } = kept;
  if (!Array.isArray(examples)) return examples;
  const fits = (example: unknown, names: unknown): boolean =>
    !isObject(example) ||
    (isObject(names) && Object.keys(example).every((name) => Object.hasOwn(names, name)));
  const left = examples.filter((each) => !fits(each, kept["properties"]) || fits(each, properties));
  return left.length === 0 && examples.length > 0 ? undefined : left;
};

/** Unnamed rows are ignored. `kept` is the schema that the fields were read from. */
export const schemaOf = (fields: ReadonlyArray<Field>, kept: JsonObject = {}): JsonObject => {
  const group = groupKeywords(fields, kept);
  return over(kept, { type: "object", ...group, examples: examplesOf(kept, group["properties"]) });
};

/** Of one list: duplicate names would become one field. */
export const repeatedName = (fields: ReadonlyArray<Field>): string | null => {
  const names = fields.map((field) => field.name.trim()).filter((name) => name !== "");
  return names.find((name, at) => names.indexOf(name) < at) ?? null;
};

export const hasRepeatedName = (fields: ReadonlyArray<Field>): boolean =>
  repeatedName(fields) !== null ||
  fields.some((field) => field.kind === "group" && hasRepeatedName(field.fields));

// The text of a schema.

type ReadSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly reason: "syntax" | "notObject"; readonly line: number | null };

/** Line of the JSON syntax error, from 1. */
const lineOf = (text: string, message: string): number | null => {
  const position = /position (\d+)/u.exec(message)?.[1];
  const line = /line (\d+)/u.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  return position === undefined ? null : text.slice(0, Number(position)).split("\n").length;
};

export const readSchema = (text: string): ReadSchema => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ok: true, schema: value } : { ok: false, reason: "notObject", line: null };
  } catch (error) {
    return { ok: false, reason: "syntax", line: lineOf(text, (error as Error).message) };
  }
};

/** Of fields without a name; whatever else asks for nothing the server refuses, and says why. */
export const namesNothing = (schema: JsonObject): boolean => same(fieldsOf(schema), []);

/** The text of a schema whose price can be asked for. */
export const isUsableSchema = (text: string): boolean => {
  const read = readSchema(text);
  return read.ok && !namesNothing(read.schema);
};
