/** The combined constraints of a list of schemas on the properties of an object and the items of an array. */
import type { Conjunct, Conjuncts } from "./AllOf.ts";
import { numberOf } from "./ValueConstraints.ts";
import type { Matches } from "./Patterns.ts";
import { isObject, type Json, type JsonObject, propertyOf } from "./Shape.ts";

type Schemas = ReadonlyArray<Json>;

export interface PropertyParts {
  readonly name: string;
  readonly schemas: Schemas;
  readonly required: boolean;
}

export interface ObjectParts {
  readonly properties: ReadonlyArray<PropertyParts>;
  /** Alternatives for unnamed properties; null if none are allowed. */
  readonly extra: ReadonlyArray<Schemas> | null;
}

const propertiesOf = (schema: JsonObject): JsonObject => {
  const properties = propertyOf(schema, "properties");
  return isObject(properties ?? null) ? (properties as JsonObject) : {};
};

const patternsOf = (schema: JsonObject): Schemas => {
  const patterns = propertyOf(schema, "patternProperties");
  return isObject(patterns ?? null) ? Object.values(patterns as JsonObject) : [];
};

/** Schemas of one property: by its name, by matching patterns, else those for all others. */
const ofProperty = (conjuncts: ReadonlyArray<Conjunct>, name: string, matches: Matches): Schemas =>
  conjuncts.flatMap(({ schema }): Schemas => {
    const own = propertyOf(propertiesOf(schema), name);
    const patterns = propertyOf(schema, "patternProperties") ?? null;
    const matched = isObject(patterns)
      ? Object.entries(patterns).flatMap(([pattern, held]) => (matches(pattern, name) ? [held] : []))
      : [];
    const others = propertyOf(schema, "additionalProperties");
    const schemas = own === undefined ? matched : [own, ...matched];
    return schemas.length > 0 || others === undefined ? schemas : [others];
  });

const requiredOf = (conjuncts: ReadonlyArray<Conjunct>): ReadonlySet<string> =>
  new Set(
    conjuncts.flatMap(({ schema }) => {
      const required = propertyOf(schema, "required");
      return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    })
  );

/** Empty and true schemas are equivalent to none. */
const hasConstraints = (schema: Json | undefined): schema is JsonObject =>
  isObject(schema ?? null) && Object.keys(schema as JsonObject).length > 0;

/** Objects are open by default; unnamed properties are requested only if a schema mentions them. */
const isStatedOpen = (conjuncts: ReadonlyArray<Conjunct>): boolean =>
  conjuncts.some(
    ({ schema }) => ![undefined, false].includes(propertyOf(schema, "additionalProperties") as never)
  );

const extraOf = (
  conjuncts: ReadonlyArray<Conjunct>,
  hasProperties: boolean
): ReadonlyArray<Schemas> | null => {
  const closed = conjuncts.some(
    ({ schema }) => propertyOf(schema, "additionalProperties") === false && patternsOf(schema).length === 0
  );
  if (closed) return null;
  const patterns = conjuncts.flatMap(({ schema }) => patternsOf(schema)).filter((each) => each !== false);
  const others = conjuncts
    .map(({ schema }) => propertyOf(schema, "additionalProperties"))
    .filter(hasConstraints);
  const alternatives = [...patterns.map((each) => [each]), ...(others.length === 0 ? [] : [others])];
  if (alternatives.length > 0) return alternatives;
  return hasProperties && !isStatedOpen(conjuncts) ? null : [[]];
};

/** Whether an object may have properties that its schemas do not name. */
const isOpen = (conjuncts: ReadonlyArray<Conjunct>): boolean =>
  !conjuncts.some(({ schema }) => propertyOf(schema, "additionalProperties") === false);

/** Keywords that restrict additional properties of any name. */
const LIMITS_OF_NAMES = ["unevaluatedProperties", "propertyNames", "maxProperties"];

/** Whether unnamed properties may have any value. */
export const allowsAnyProperty = (conjuncts: ReadonlyArray<Conjunct>): boolean =>
  !conjuncts.some(
    ({ schema }) =>
      ![undefined, true].includes(propertyOf(schema, "additionalProperties") as never) ||
      LIMITS_OF_NAMES.some((name) => propertyOf(schema, name) !== undefined)
  );

/** Schemas that apply to some values of an object, and the names that others then require. */
const conditionsOf = (
  schema: JsonObject
): { readonly schemas: Schemas; readonly names: ReadonlyArray<string> } => {
  const dependent = ["dependentSchemas", "dependentRequired", "dependencies"].flatMap((keyword) => {
    const property = propertyOf(schema, keyword);
    return isObject(property ?? null) ? Object.values(property as JsonObject) : [];
  });
  const branches = ["if", "then", "else"].map((keyword) => propertyOf(schema, keyword));
  return {
    schemas: [...branches, ...dependent].filter((each): each is JsonObject => isObject(each ?? null)),
    names: dependent.flat().filter((name) => typeof name === "string")
  };
};

/** Maximum nesting of conditions that is followed. */
const CONDITIONS_MAX = 200;

/** Constraints of conditions on properties that are named nowhere else, by the name of the property. */
const conditionalProperties = (
  conjuncts: ReadonlyArray<Conjunct>,
  flatten: (schemas: Schemas) => Conjuncts
): ReadonlyMap<string, ReadonlyArray<Schemas>> => {
  const found = new Map<string, Array<Schemas>>();
  const add = (name: string, schemas: Schemas): void => {
    found.set(name, [...(found.get(name) ?? []), schemas]);
  };
  const seen = new Set<Json>();
  const waiting = conjuncts.map(({ schema }) => conditionsOf(schema));
  for (let next = waiting.shift(); next !== undefined && seen.size < CONDITIONS_MAX; next = waiting.shift()) {
    for (const name of next.names) add(name, []);
    for (const condition of next.schemas) {
      if (seen.has(condition)) continue;
      seen.add(condition);
      const conditions = flatten([condition]) ?? [];
      for (const { schema } of conditions) {
        for (const [name, property] of Object.entries(propertiesOf(schema))) add(name, [property]);
        waiting.push(conditionsOf(schema));
        waiting.push({ schemas: choicesIn(schema), names: [] });
      }
      for (const name of requiredOf(conditions)) add(name, []);
    }
  }
  return found;
};

const choicesIn = (schema: JsonObject): Schemas =>
  ["anyOf", "oneOf"].flatMap((keyword) => {
    const options = propertyOf(schema, keyword);
    return Array.isArray(options) ? options.filter(isObject) : [];
  });

/** Those schemas of a property that have constraints; an unconstrained one if none has any. */
const distinguishing = (alternatives: ReadonlyArray<Schemas>): ReadonlyArray<Schemas> => {
  const constraining = alternatives.filter((schemas) => schemas.some(hasConstraints));
  const distinct = [...new Map(constraining.map((schemas) => [JSON.stringify(schemas), schemas])).values()];
  return distinct.length === 0 ? [[]] : distinct;
};

/** Properties that are allowed in some cases only, and that no list of further properties would contain. */
export const conditionalParts = (
  conjuncts: ReadonlyArray<Conjunct>,
  { properties, extra }: ObjectParts,
  flatten: (schemas: Schemas) => Conjuncts
): ReadonlyArray<{ readonly name: string; readonly alternatives: ReadonlyArray<Schemas> }> => {
  const isForAny = extra === null || extra.every((schemas) => schemas.length === 0);
  if (!isForAny || properties.length === 0 || !isOpen(conjuncts)) return [];
  const named = new Set(properties.map(({ name }) => name));
  return [...conditionalProperties(conjuncts, flatten)].flatMap(([name, alternatives]) => {
    const possible = alternatives.filter((schemas) => !schemas.includes(false));
    return named.has(name) || possible.length === 0 ? [] : [{ name, alternatives: distinguishing(possible) }];
  });
};

export const objectParts = (conjuncts: ReadonlyArray<Conjunct>, matches: Matches): ObjectParts => {
  const required = requiredOf(conjuncts);
  const names = new Set([
    ...conjuncts.flatMap(({ schema }) => Object.keys(propertiesOf(schema))),
    ...required
  ]);
  return {
    properties: [...names].map((name) => ({
      name,
      schemas: ofProperty(conjuncts, name, matches),
      required: required.has(name)
    })),
    extra: extraOf(conjuncts, names.size > 0)
  };
};

export interface ArrayParts {
  readonly slots: ReadonlyArray<Schemas>;
  /** Schemas of items after the tuple; null if none are allowed. */
  readonly rest: Schemas | null;
  readonly minItems: number | null;
  readonly maxItems: number | null;
}

/** Tuple and rest of one schema. */
const placesOf = (schema: JsonObject): { readonly prefix: Schemas; readonly rest: Json | undefined } => {
  const prefix = propertyOf(schema, "prefixItems");
  return { prefix: Array.isArray(prefix) ? prefix : [], rest: propertyOf(schema, "items") };
};

export const arrayParts = (conjuncts: ReadonlyArray<Conjunct>): ArrayParts => {
  const minItems = numberOf(conjuncts, "minItems", Math.max);
  const maxItems = numberOf(conjuncts, "maxItems", Math.min);
  const places = conjuncts.map(({ schema }) => placesOf(schema));
  const longest = Math.max(0, ...places.map(({ prefix }) => prefix.length));
  const ends = places.filter(({ rest }) => rest === false).map(({ prefix }) => prefix.length);
  const atMost = Math.min(maxItems ?? Number.POSITIVE_INFINITY, ...ends);
  const count = Math.min(longest, atMost);
  const slots = Array.from({ length: count }, (_, place) =>
    places.flatMap(({ prefix, rest }): Schemas => {
      const schema = prefix[place] ?? rest;
      return schema === undefined ? [] : [schema];
    })
  );
  const rest = places.flatMap(({ rest }): Schemas => (hasConstraints(rest) ? [rest] : []));
  const isOpen = rest.length > 0 || count === 0 || (minItems ?? 0) > count;
  if (atMost <= count && count > 0) return { slots, rest: null, minItems, maxItems };
  return {
    slots,
    rest: isOpen ? rest : null,
    minItems,
    maxItems: Number.isFinite(atMost) ? atMost : null
  };
};
