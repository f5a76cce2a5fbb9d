/**
 * Finds out whether nothing can fulfil a schema, as far as its keywords show it: bounds, types, listed values and
 * required members that exclude each other, wherever a value must be. A member that may be left out may be
 * impossible, except for bounds that contradict each other in one place: these are always a mistake.
 *
 * Apart from such mistakes, no schema is refused that something fulfils: patterns, formats and conditions are not
 * looked into.
 */
import type * as Schema from "effect/Schema";
import { canonicalJson } from "../text/CanonicalJson.ts";
import { isJsonObject, pointerBelow, pointedAt } from "../text/Json.ts";
import {
  boundsContradiction,
  boundsMistake,
  type Contradiction,
  greatest,
  isWithin,
  least,
  type SchemaAt,
  typesOf,
  VALUE_TYPES,
  type ValueType
} from "./SchemaBounds.ts";
import { draftNamed } from "./SchemaDrafts.ts";
import type { SchemaProblem } from "./SchemaLimits.ts";
import type { JsonObject } from "./SchemaRules.ts";

/** A schema; `isAlternative`: its own alternatives are not looked into. */
interface ReachableSchema extends SchemaAt {
  readonly isAlternative?: boolean;
}

/** Maximum keywords and names that are looked at, some repeatedly; a schema that needs more is not refused. */
const LOOKS_MAX = 10_000;

/** Items of an array that are looked at, of those that there must be. */
const ITEMS_MAX = 10;

const NOTHING = "Nothing is allowed here.";

const listAt = (schema: JsonObject, keyword: string): ReadonlyArray<Schema.Json> => {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
};

const mapAt = (schema: JsonObject, keyword: string): JsonObject => {
  const value = schema[keyword];
  return isJsonObject(value) ? value : {};
};

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const forbidsAll = ({ not }: JsonObject): boolean => not === true || isEmpty(not);

const namesIn = (list: ReadonlyArray<Schema.Json>): ReadonlyArray<string> =>
  list.filter((name) => typeof name === "string");

/** Required names, with those that they require themselves. */
const requiredNames = (places: ReadonlyArray<ReachableSchema>): ReadonlySet<string> => {
  const names = new Set(places.flatMap(({ schema }) => namesIn(listAt(schema, "required"))));
  const dependencies = places.flatMap(({ schema }) =>
    ["dependentRequired", "dependencies"]
      .map((keyword) => mapAt(schema, keyword))
      .filter((map) => Object.keys(map).length > 0)
  );
  for (const name of names) {
    for (const map of dependencies) {
      for (const more of namesIn(listAt(map, name))) names.add(more);
    }
  }
  return names;
};

/** The branch of a condition that always or never holds. */
const branchOf = (condition: Schema.Json | undefined): "then" | "else" | null => {
  if (condition === true || isEmpty(condition)) return "then";
  return condition === false ? "else" : null;
};

/** Schemas that apply because a required property is there. */
const dependentPlaces = (
  places: ReadonlyArray<ReachableSchema>,
  names: ReadonlySet<string>
): ReadonlyArray<ReachableSchema> =>
  places.flatMap(({ schema, path, isAlternative = false }) =>
    ["dependentSchemas", "dependencies"].flatMap((keyword) =>
      Object.entries(mapAt(schema, keyword)).flatMap(([name, value]): ReadonlyArray<ReachableSchema> => {
        const dependent = value === false ? { not: {} } : value;
        return names.has(name) && isJsonObject(dependent)
          ? [{ schema: dependent, path: pointerBelow(path, keyword, name), isAlternative }]
          : [];
      })
    )
  );

const isClosed = (schema: JsonObject): boolean =>
  schema["additionalProperties"] === false && Object.keys(mapAt(schema, "patternProperties")).length === 0;

/** Whether a schema for names excludes one. */
const excludesName = (names: Schema.Json | undefined, name: string): boolean => {
  if (!isJsonObject(names)) return names === false;
  const listed = Object.hasOwn(names, "const") ? [names["const"]] : names["enum"];
  return (Array.isArray(listed) && !listed.includes(name)) || !isWithin([{ schema: names, path: "" }], name);
};

const nameContradiction = (
  places: ReadonlyArray<ReachableSchema>,
  names: ReadonlySet<string>
): Contradiction | null => {
  const max = least(places, "maxProperties") ?? Infinity;
  for (const { schema, path } of places) {
    const known = Object.values(mapAt(schema, "properties")).filter((member) => member !== false).length;
    if (isClosed(schema) && known < (greatest(places, "minProperties") ?? 0)) {
      return { path, message: `\`minProperties\` is more than the ${known} properties that are allowed.` };
    }
    for (const name of names) {
      const isKnown = Object.hasOwn(mapAt(schema, "properties"), name);
      if ((isClosed(schema) && !isKnown) || excludesName(schema["propertyNames"], name)) {
        return { path, message: `The property ${JSON.stringify(name)} is required, but not allowed.` };
      }
    }
  }
  return names.size > max
    ? {
        path: places[0]?.path ?? "",
        message: `${names.size} properties are required, but at most ${max} allowed.`
      }
    : null;
};

/** Required names that a `not` forbids together. */
const forbiddenTogether = (
  places: ReadonlyArray<ReachableSchema>,
  names: ReadonlySet<string>
): Contradiction | null => {
  for (const { schema, path } of places) {
    const { not } = schema;
    if (!isJsonObject(not) || Object.keys(not).join(" ") !== "required") continue;
    const forbidden = namesIn(listAt(not, "required"));
    if (forbidden.length > 0 && forbidden.every((name) => names.has(name))) {
      return { path: pointerBelow(path, "not"), message: "What is required is not allowed here." };
    }
  }
  return null;
};

/** The schemas of a member of one place. */
const memberPlaces = (
  { schema, path }: ReachableSchema,
  name: string
): ReadonlyArray<readonly [Schema.Json, string]> => {
  const properties = mapAt(schema, "properties");
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return [[own, pointerBelow(path, "properties", name)]];
  const isMatched = Object.keys(mapAt(schema, "patternProperties")).length > 0;
  const others = schema["additionalProperties"];
  return others === undefined || isMatched ? [] : [[others, pointerBelow(path, "additionalProperties")]];
};

/** The schemas of an item of one place, in the words of any draft. */
const itemPlaces = (
  { schema, path }: ReachableSchema,
  index: number
): ReadonlyArray<readonly [Schema.Json, string]> => {
  const keyword = Array.isArray(schema["items"]) ? "items" : "prefixItems";
  const first = listAt(schema, keyword);
  const own = first[index];
  if (own !== undefined) return [[own, pointerBelow(path, keyword, index)]];
  const rest = keyword === "items" ? "additionalItems" : "items";
  const others = schema[rest];
  return others === undefined ? [] : [[others, pointerBelow(path, rest)]];
};

/** The first contradiction if every choice has one; null as soon as one has none. */
const firstOfAll = <A>(
  choices: ReadonlyArray<A>,
  contradictionOf: (choice: A, index: number) => Contradiction | null
): Contradiction | null => {
  let first: Contradiction | null = null;
  for (const [index, choice] of choices.entries()) {
    const found = contradictionOf(choice, index);
    if (found === null) return null;
    first ??= found;
  }
  return first;
};

const costOf = (schema: JsonObject): number =>
  Object.values(schema).reduce<number>(
    (sum, value) => sum + (typeof value === "object" && value !== null ? Object.keys(value).length : 1),
    1
  );

class Search {
  private looks = 0;
  /** Keys of conjunctions that something fulfils. */
  private readonly possible = new Set<string>();
  private readonly open = new Set<string>();
  private readonly root: JsonObject;
  private readonly isOlder: boolean;
  private readonly hasOwnBases: boolean;

  constructor(root: JsonObject) {
    this.root = root;
    this.isOlder = draftNamed(root["$schema"])?.dialect === "draft-07";
    // References within a schema that has an id of its own start there.
    this.hasOwnBases = /"(?:\$id|id)":"/u.test(JSON.stringify(Object.values(root)));
  }

  /** Everything that applies to the same value, unconditionally. Boolean schemas are written as objects. */
  private conjunction(places: ReadonlyArray<ReachableSchema>): ReadonlyArray<ReachableSchema> {
    const found = new Map<string, ReachableSchema>();
    const add = (value: unknown, path: string, isAlternative: boolean): void => {
      if (found.has(path) || value === true || value === undefined) return;
      const schema = value === false ? { not: {} } : value;
      if (!isJsonObject(schema)) return;
      const { $ref } = schema;
      const isAlone = this.isOlder && typeof $ref === "string";
      if (!isAlone) found.set(path, { schema, path, isAlternative });
      if (typeof $ref === "string" && !this.hasOwnBases) {
        add(pointedAt(this.root, $ref), $ref.slice(1), isAlternative);
      }
      if (isAlone) return;
      for (const [index, part] of listAt(schema, "allOf").entries()) {
        add(part, pointerBelow(path, "allOf", index), isAlternative);
      }
      const branch = branchOf(schema["if"]);
      if (branch !== null) add(schema[branch], pointerBelow(path, branch), isAlternative);
    };
    for (const { schema, path, isAlternative = false } of places) add(schema, path, isAlternative);
    return [...found.values()];
  }

  private all(parts: ReadonlyArray<readonly [Schema.Json, string]>): Contradiction | null {
    const closed = parts.find(([schema]) => schema === false);
    if (closed !== undefined) return { path: closed[1], message: NOTHING };
    const places = parts.flatMap(([schema, path]) => (isJsonObject(schema) ? [{ schema, path }] : []));
    return places.length === 0 ? null : this.contradiction(places, VALUE_TYPES);
  }

  private object(places: ReadonlyArray<ReachableSchema>): Contradiction | null {
    const names = requiredNames(places);
    this.looks += places.length * names.size;
    if (this.looks > LOOKS_MAX) return null;
    const found = nameContradiction(places, names) ?? forbiddenTogether(places, names);
    if (found !== null) return found;
    const known = new Set(places.map(({ path }) => path));
    const dependent = dependentPlaces(places, names).filter(({ path }) => !known.has(path));
    if (dependent.length > 0) return this.contradiction([...places, ...dependent], ["object"]);
    for (const name of names) {
      const member = this.all(places.flatMap((place) => memberPlaces(place, name)));
      if (member !== null) return member;
    }
    return null;
  }

  private array(places: ReadonlyArray<ReachableSchema>): Contradiction | null {
    const count = greatest(places, "minItems") ?? 0;
    for (let index = 0; index < Math.min(count, ITEMS_MAX); index++) {
      const item = this.all(places.flatMap((place) => itemPlaces(place, index)));
      if (item !== null) return item;
    }
    for (const { schema, path } of places) {
      const { contains, items } = schema;
      const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
      if (contains !== undefined && least > 0) {
        // An item before the others may be the one that is contained.
        const others = listAt(schema, "prefixItems").length > 0 || Array.isArray(items);
        const inner = this.all([
          [contains, pointerBelow(path, "contains")],
          ...(others ? [] : itemPlaces({ schema, path }, 0))
        ]);
        if (inner !== null) return inner;
      }
      const values = isJsonObject(items) && Array.isArray(items["enum"]) ? items["enum"] : null;
      const isShort = values !== null && listAt(schema, "prefixItems").length === 0 && values.length < count;
      if (schema["uniqueItems"] === true && isShort) {
        return { path, message: `${count} different items are required, but only ${values.length} allowed.` };
      }
    }
    return null;
  }

  private listed(places: ReadonlyArray<ReachableSchema>): Contradiction | null | undefined {
    const lists = places.flatMap(({ schema, path }) => [
      ...(Array.isArray(schema["enum"]) ? [{ values: schema["enum"], path }] : []),
      ...(Object.hasOwn(schema, "const") ? [{ values: [schema["const"] ?? null], path }] : [])
    ]);
    const [first, ...others] = lists;
    if (first === undefined) return undefined;
    const allowed = others.map(({ values }) => new Set(values.map(canonicalJson)));
    const excluded = new Set(
      places.flatMap(({ schema: { not } }) => {
        if (!isJsonObject(not)) return [];
        const [keyword, ...more] = Object.keys(not);
        if (more.length > 0) return [];
        if (keyword === "const") return [canonicalJson(not["const"] ?? null)];
        return keyword === "enum" ? listAt(not, "enum").map(canonicalJson) : [];
      })
    );
    const fits = first.values.some((value) => {
      const text = canonicalJson(value);
      return allowed.every((set) => set.has(text)) && !excluded.has(text) && isWithin(places, value);
    });
    return fits ? null : { path: first.path, message: "None of the listed values is allowed here." };
  }

  private alternatives(
    places: ReadonlyArray<ReachableSchema>,
    types: ReadonlyArray<ValueType>
  ): Contradiction | null {
    const others = places.map((place) => ({ ...place, isAlternative: true }));
    for (const { schema, path, isAlternative = false } of places) {
      if (isAlternative) continue;
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = listAt(schema, keyword);
        const found = firstOfAll(branches, (branch, index) => {
          const at = pointerBelow(path, keyword, index);
          if (branch === false) return { path: at, message: NOTHING };
          const own = isJsonObject(branch) ? [{ schema: branch, path: at }] : [];
          return this.contradiction([...own, ...others], types);
        });
        if (found !== null) return found;
      }
    }
    return null;
  }

  private look(
    places: ReadonlyArray<ReachableSchema>,
    types: ReadonlyArray<ValueType>
  ): Contradiction | null {
    const closed = places.find(({ schema }) => forbidsAll(schema));
    if (closed !== undefined) return { path: closed.path, message: NOTHING };
    const listed = this.listed(places);
    if (listed !== undefined) return listed;
    const allowed = typesOf(places).filter((type) => types.includes(type));
    if (allowed.length === 0) return { path: places[0]?.path ?? "", message: "No type is allowed here." };
    const found = firstOfAll(allowed, (type) => {
      const bounds = boundsContradiction(places, type);
      if (bounds !== null) return bounds;
      if (type === "object") return this.object(places);
      return type === "array" ? this.array(places) : null;
    });
    if (found !== null) return found;
    return this.alternatives(places, types);
  }

  /** Why no value of these types fulfils all of the places; null if one may. */
  contradiction(
    given: ReadonlyArray<ReachableSchema>,
    types: ReadonlyArray<ValueType>
  ): Contradiction | null {
    const places = this.conjunction(given);
    const key = JSON.stringify([
      types.length,
      ...places.map(({ path, isAlternative = false }) => [path, isAlternative])
    ]);
    for (const { schema } of places) this.looks += costOf(schema);
    if (this.looks > LOOKS_MAX || this.possible.has(key)) return null;
    if (this.open.has(key)) {
      return { path: places[0]?.path ?? "", message: "It requires itself without end." };
    }
    this.open.add(key);
    const found = this.look(places, types);
    this.open.delete(key);
    if (found === null) this.possible.add(key);
    return found;
  }
}

/** Why no object fulfils the schema; null if one may. */
export const impossibilityIn = (schema: JsonObject): Contradiction | null =>
  new Search(schema).contradiction([{ schema, path: "" }], ["object"]);

/** Null if something may fulfil the schema, and no bounds contradict each other. Its limits must have been checked (SchemaLimits). */
export const contradictionIn = (schema: JsonObject): SchemaProblem | null => {
  const dialect = draftNamed(schema["$schema"])?.dialect ?? "2020-12";
  const found = boundsMistake({ schema, path: "" }, dialect) ?? impossibilityIn(schema);
  return found === null ? null : { reason: "contradiction", ...found };
};
