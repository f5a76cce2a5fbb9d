/** Finds violations of the rules of OpenAI's strict mode, according to its guide to structured outputs. */
type Json = any;

const KEYWORDS = new Set([
  "type",
  "description",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minItems",
  "maxItems",
  "anyOf",
  "$ref",
  "$defs",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf"
]);

const ofObject = (schema: Json, path: string): ReadonlyArray<string> => {
  const names = Object.keys(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  return [
    ...(schema.additionalProperties === false ? [] : [`${path}: is open`]),
    ...(names.length === required.size && names.every((name) => required.has(name))
      ? []
      : [`${path}: not all members are required`]),
    ...names.filter((name) => !/^[\w-]{1,64}$/u.test(name)).map((name) => `${path}: the name ${name}`),
    ...names.flatMap((name) => breaches(schema.properties[name], `${path}/${name}`))
  ];
};

export const breaches = (schema: Json, path = ""): ReadonlyArray<string> => {
  const unknown = Object.keys(schema)
    .filter((name) => !KEYWORDS.has(name))
    .map((name) => `${path}: the keyword ${name}`);
  if (schema.$ref !== undefined) {
    return [...unknown, ...(Object.keys(schema).length === 1 ? [] : [`${path}: a reference with company`])];
  }
  if (schema.anyOf !== undefined) {
    return [
      ...unknown,
      ...(schema.anyOf.length === 0 ? [`${path}: no option`] : []),
      ...schema.anyOf.flatMap((option: Json, place: number) => breaches(option, `${path}/anyOf/${place}`))
    ];
  }
  const type = typeof schema.type === "string" ? [] : [`${path}: no type`];
  const properties = schema.type === "object" ? ofObject(schema, path) : [];
  const items =
    schema.type === "array"
      ? schema.items === undefined
        ? [`${path}: no items`]
        : breaches(schema.items, `${path}/items`)
      : [];
  return [...unknown, ...type, ...properties, ...items];
};

/** For a whole request: its root must be an object, and its definitions must follow the rules too. */
export const breachesOfRoot = (root: Json): ReadonlyArray<string> => [
  ...(root.type === "object" && root.anyOf === undefined ? [] : ["the root is not an object"]),
  ...breaches(root),
  ...Object.entries(root.$defs ?? {}).flatMap(([name, schema]) => breaches(schema, `$defs/${name}`))
];
