/**
 * Schemas that must all hold for one value, and what they say of it together. Each is one of the caller's own objects,
 * or a copy that is made once, so that equal lists mean equal schemas and recursion is detected by comparison. Tests: Projection.test.ts.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { pointedAt, propertyOf } from "@winnow/core/domain/text/Json";
import { isEnforced, URI } from "./Keywords.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { asWrittenNumber, isObject, type Json, type ScalarType } from "./Shape.ts";

export type Schemas = ReadonlyArray<JsonObject>;

const WITHOUT_CONSTRAINTS = new Set(["$ref", "$defs", "allOf"]);

/** Whether a schema says something beside what it references and its `allOf`. */
export const hasOwn = (schema: JsonObject): boolean =>
  Object.keys(schema).some((name) => !WITHOUT_CONSTRAINTS.has(name));

/** True and empty schemas are equivalent to none. */
const hasConstraints = (schema: Json): boolean => isObject(schema) && Object.keys(schema).length > 0;

/** Schemas with all that they reference and their `allOf`; null if one of them is false. References start at `root`. */
export const makeFlatten = (root: JsonObject) => {
  const add = (schemas: ReadonlyArray<Json>, found: Set<JsonObject>): boolean =>
    schemas.every((schema) => {
      if (!isObject(schema) || found.has(schema)) return schema !== false;
      found.add(schema);
      const { $ref, allOf } = schema;
      const target = typeof $ref === "string" ? [pointedAt(root, $ref) as Json] : [];
      return add([...target, ...(Array.isArray(allOf) ? allOf : [])], found);
    });
  return (schemas: ReadonlyArray<Json>): Schemas | null => {
    const found = new Set<JsonObject>();
    return add(schemas, found) ? [...found].filter(hasOwn) : null;
  };
};

/** The values of one keyword. */
const valuesOf = (schemas: Schemas, keyword: string): ReadonlyArray<Json> =>
  schemas.map((schema) => propertyOf(schema, keyword)).filter((value) => value !== undefined);

const objectsOf = (schemas: Schemas, keyword: string): ReadonlyArray<JsonObject> =>
  valuesOf(schemas, keyword).filter(isObject);

/** A union that schemas contain. */
export interface Choice {
  readonly keyword: "anyOf" | "oneOf";
  readonly options: ReadonlyArray<Json>;
}

export const choicesOf = (schemas: Schemas): ReadonlyArray<Choice> =>
  schemas.flatMap((schema) =>
    (["anyOf", "oneOf"] as const).flatMap((keyword) => {
      const options = propertyOf(schema, keyword);
      return Array.isArray(options) && options.length > 0 ? [{ keyword, options }] : [];
    })
  );

/** Values that all list; null if none lists any. */
export const listedIn = (schemas: Schemas): ReadonlyArray<Json> | null => {
  const lists = [
    ...valuesOf(schemas, "const").map((value) => [value]),
    ...valuesOf(schemas, "enum").filter((values) => Array.isArray(values))
  ].map((values) => new Map(values.map((value: Json) => [canonicalJson(value), value])));
  const [first, ...others] = lists;
  if (first === undefined) return null;
  return [...first].flatMap(([text, value]) => (others.every((list) => list.has(text)) ? [value] : []));
};

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type TypeName = (typeof TYPES)[number];

export const typeOf = (value: Json): TypeName => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const number = asWrittenNumber(value)?.value ?? value;
  if (typeof number === "number") return Number.isInteger(number) ? "integer" : "number";
  return typeof value as "object" | "string" | "boolean";
};

const IMPLIED: ReadonlyArray<readonly [TypeName, ReadonlyArray<string>]> = [
  [
    "object",
    ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"]
  ],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]]
];

/** The types that keywords imply, although others are allowed; null if they imply none. */
const implied = (schemas: Schemas): ReadonlyArray<TypeName> | null => {
  const types = IMPLIED.filter(([, names]) =>
    schemas.some((schema) => names.some((name) => Object.hasOwn(schema, name)))
  ).map(([type]) => type);
  return types.length === 0 ? null : types;
};

const isWithin = (type: TypeName, types: ReadonlyArray<Json>): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));

/** Null if everything is allowed. `integer` is dropped if `number` is present. */
export const typesOf = (schemas: Schemas): ReadonlyArray<TypeName> | null => {
  const stated = valuesOf(schemas, "type").map((types) => [types].flat());
  const listed = listedIn(schemas);
  const inferred =
    listed === null ? implied(schemas) : TYPES.filter((type) => listed.some((v) => typeOf(v) === type));
  const types =
    stated.length === 0 ? inferred : TYPES.filter((type) => stated.every((of) => isWithin(type, of)));
  return types?.includes("number") === true ? types.filter((type) => type !== "integer") : types;
};

export const numberOf = (
  schemas: Schemas,
  keyword: string,
  tightest: (...values: ReadonlyArray<number>) => number
): number | null => {
  const values = valuesOf(schemas, keyword).filter((value) => typeof value === "number");
  return values.length === 0 ? null : tightest(...values);
};

const BOUNDS = [
  ["minimum", Math.max],
  ["exclusiveMinimum", Math.max],
  ["maximum", Math.min],
  ["exclusiveMaximum", Math.min]
] as const;

/** Of several patterns, only the first is enforced. */
const enforced = (schemas: Schemas, keyword: string): JsonObject => {
  const value = valuesOf(schemas, keyword).find((each) => isEnforced(keyword, each));
  return value === undefined ? {} : { [keyword]: value };
};

/** Maximum repetitions; longer ones make the providers' automata too large. */
const REPEATS_MAX = 128;

/** Lengths as a pattern of any characters, including line ends. */
const lengths = (schemas: Schemas): JsonObject => {
  const minChars = numberOf(schemas, "minLength", Math.max) ?? 0;
  const maxChars = numberOf(schemas, "maxLength", Math.min) ?? Number.POSITIVE_INFINITY;
  const most = maxChars > REPEATS_MAX ? "" : String(maxChars);
  const isEnforced = minChars <= REPEATS_MAX && (minChars > 0 || most !== "");
  return isEnforced ? { pattern: `^(.|\\n|\\r){${minChars},${most}}$` } : {};
};

/**
 * What providers enforce of a text. Lengths and addresses stay patterns: told in words, they cost 5 % more answers a
 * second call, of models that heed the wire schema alone (bench/schemas.ts).
 */
const ofText = (schemas: Schemas): JsonObject => {
  const own = { ...enforced(schemas, "pattern"), ...enforced(schemas, "format") };
  if (Object.keys(own).length > 0) return own;
  return valuesOf(schemas, "format").includes("uri") ? { pattern: URI } : lengths(schemas);
};

/** What providers enforce of a scalar that is not listed. */
export const leafKeywords = (schemas: Schemas, type: ScalarType): JsonObject => {
  if (type === "string") return ofText(schemas);
  if (type !== "number" && type !== "integer") return {};
  const bounds = BOUNDS.map(
    ([keyword, tightest]) => [keyword, numberOf(schemas, keyword, tightest)] as const
  );
  return {
    ...Object.fromEntries(bounds.filter(([, bound]) => bound !== null)),
    ...enforced(schemas, "multipleOf")
  };
};

export interface PropertyParts {
  readonly name: string;
  readonly schemas: ReadonlyArray<Json>;
  readonly required: boolean;
}

const namePatterns = (schemas: Schemas): ReadonlyArray<readonly [string, Json]> =>
  objectsOf(schemas, "patternProperties")
    .flatMap((patterns) => Object.entries(patterns))
    .filter(([, held]) => held !== false);

/** By its name, else as one that the only pattern matches, else as one of all others. */
const ofProperty = (schemas: Schemas, name: string): ReadonlyArray<Json> =>
  schemas.flatMap((schema) => {
    const properties = propertyOf(schema, "properties");
    const own = isObject(properties) ? propertyOf(properties, name) : undefined;
    const [matching, ...more] = namePatterns([schema]);
    const other = matching === undefined ? propertyOf(schema, "additionalProperties") : matching[1];
    return own ?? (more.length > 0 ? [] : (other ?? []));
  });

const requiredNames = (schemas: Schemas): ReadonlyArray<string> =>
  valuesOf(schemas, "required").flatMap((names) =>
    Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
  );

/** What options of a `oneOf` must not have: the properties that alone make others fulfilled. */
export const exclusionsOf = (options: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const alone = options.filter(isObject).filter((option) => Object.keys(option).join() === "required");
  const all = [...new Set(requiredNames(alone))];
  return options.map((option) => {
    const own = new Set(isObject(option) ? requiredNames([option]) : []);
    const names = all.filter((name) => !own.has(name));
    return names.length === 0 || { properties: Object.fromEntries(names.map((name) => [name, false])) };
  });
};

export const propertiesOf = (schemas: Schemas): ReadonlyArray<PropertyParts> => {
  const required = new Set(requiredNames(schemas));
  const names = new Set([...objectsOf(schemas, "properties").flatMap(Object.keys), ...required]);
  return [...names].map((name) => ({
    name,
    schemas: ofProperty(schemas, name),
    required: required.has(name)
  }));
};

/** Maximum schemas of conditions that are followed. */
const CONDITIONS_MAX = 200;

/** Schemas that apply to some values of an object. */
const conditionsOf = (schemas: Schemas): ReadonlyArray<Json> => [
  ...["if", "then", "else"].flatMap((keyword) => valuesOf(schemas, keyword)),
  ...["dependentSchemas", "dependentRequired", "dependencies"]
    .flatMap((keyword) => objectsOf(schemas, keyword).flatMap(Object.values))
    .map((of) => (Array.isArray(of) ? { required: of } : of))
];

/** The properties that conditions name, with what each says of them. */
export const conditionalProperties = (
  schemas: Schemas,
  flatten: (schemas: ReadonlyArray<Json>) => Schemas | null
): ReadonlyMap<string, ReadonlyArray<Json>> => {
  const found = new Map<string, ReadonlyArray<Json>>();
  const waiting = [...conditionsOf(schemas)];
  for (const condition of waiting) {
    if (waiting.length > CONDITIONS_MAX) break;
    const within = flatten([condition]) ?? [];
    for (const { name, schemas: more } of propertiesOf(within)) {
      const said = more.find(hasConstraints);
      found.set(name, [...(found.get(name) ?? []), ...(said === undefined ? [] : [said])]);
    }
    waiting.push(...conditionsOf(within), ...choicesOf(within).flatMap(({ options }) => options));
  }
  return found;
};

/**
 * Alternatives for unnamed properties; null if none are requested. Objects are open by default, and unnamed properties
 * are requested only if a schema mentions them.
 */
export const othersOf = (
  schemas: Schemas,
  hasProperties: boolean
): ReadonlyArray<ReadonlyArray<Json>> | null => {
  const stated = valuesOf(schemas, "additionalProperties");
  const isClosed = schemas.some(
    (schema) => propertyOf(schema, "additionalProperties") === false && namePatterns([schema]).length === 0
  );
  if (isClosed) return null;
  const others = stated.filter(hasConstraints);
  const alternatives = [
    ...namePatterns(schemas).map(([, held]) => [held]),
    ...(others.length === 0 ? [] : [others])
  ];
  if (alternatives.length > 0) return alternatives;
  return hasProperties && !stated.some((of) => of !== false) ? null : [[]];
};

/** Whether unnamed properties may have any value. */
export const allowsAnyProperty = (schemas: Schemas): boolean =>
  valuesOf(schemas, "additionalProperties").every((of) => of === true);

/** What providers enforce of the names in a map: a list, or one pattern if there are no other names. */
export const keyKeywords = (schemas: Schemas): JsonObject => {
  const [only, ...more] = namePatterns(schemas);
  const isClosed = valuesOf(schemas, "additionalProperties").includes(false);
  if (only !== undefined)
    return more.length === 0 && isClosed && isEnforced("pattern", only[0]) ? { pattern: only[0] } : {};
  const names = objectsOf(schemas, "propertyNames");
  const listed = listedIn(names)?.filter((name) => typeof name === "string") ?? [];
  return listed.length > 0 ? { enum: listed } : enforced(names, "pattern");
};

export interface ArrayParts {
  /** Of a tuple: the schemas of each place. */
  readonly slots: ReadonlyArray<ReadonlyArray<Json>>;
  /** Of the other items; null if there are none. */
  readonly rest: ReadonlyArray<Json> | null;
  readonly minItems: number | null;
  readonly maxItems: number | null;
}

export const arrayParts = (schemas: Schemas): ArrayParts => {
  const minItems = numberOf(schemas, "minItems", Math.max);
  const maxItems = numberOf(schemas, "maxItems", Math.min) ?? Number.POSITIVE_INFINITY;
  const items = valuesOf(schemas, "items");
  const rest = items.filter(hasConstraints);
  const prefixes = valuesOf(schemas, "prefixItems").filter((prefix) => Array.isArray(prefix));
  const count = Math.max(0, ...prefixes.map((prefix) => prefix.length));
  // Without a schema, items after a tuple are not requested.
  const isEnded = items.includes(false) || (count > 0 && rest.length === 0 && (minItems ?? 0) <= count);
  const most = isEnded ? Math.min(count, maxItems) : maxItems;
  const slots = Array.from({ length: Math.min(count, most) }, (_, place) =>
    prefixes.flatMap((prefix): ReadonlyArray<Json> => prefix[place] ?? [])
  );
  const hasRest = most > count || count === 0;
  return { slots, rest: hasRest ? rest : null, minItems, maxItems: Number.isFinite(most) ? most : null };
};
