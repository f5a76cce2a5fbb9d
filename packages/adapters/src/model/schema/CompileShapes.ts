/**
 * Compiles a JSON Schema to a table of shapes. Terminates for every schema: lists of schemas are compared with earlier
 * ones, and everything beyond {@link SHAPES_MAX} becomes "anything". Tests: Projection.test.ts, Enforced.test.ts.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import {
  allowsAnyProperty,
  arrayParts,
  type Choice,
  choicesOf,
  conditionalProperties,
  exclusionsOf,
  hasOwn,
  keyKeywords,
  leafKeywords,
  listedIn,
  makeFlatten,
  numberOf,
  othersOf,
  propertiesOf,
  type Schemas,
  type TypeName,
  typeOf,
  typesOf
} from "./AllOf.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import {
  type Json,
  type Property,
  type Shape,
  type ShapeId,
  type ShapeRow,
  shapeAt,
  type ShapeTable
} from "./Shape.ts";
import { withoutWords, wordsOf } from "./Keywords.ts";

/** OpenAI's strict mode and others reject or change anything else. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/u;

const NOT_SAFE = new Set(["__proto__", "constructor", "prototype"]);

const SLUG_CHARS_MAX = 40;

const slug = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/gu, "_").slice(0, SLUG_CHARS_MAX);

/** In order; valid names are unchanged. */
const wireNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isPlain = (name: string): boolean => PLAIN.test(name) && !NOT_SAFE.has(name);
  // The first name is Winnow's own: it is changed if the caller uses it too.
  const [own = "", ...given] = names;
  const taken = new Set(given.filter(isPlain));
  const free = (name: string): string => {
    let wireName = name;
    for (let number = 2; taken.has(wireName); number++) wireName = `${name}_${number}`;
    taken.add(wireName);
    return wireName;
  };
  const wired = given.map((name, place) => (isPlain(name) ? name : free(`field_${place + 1}_${slug(name)}`)));
  return [free(own), ...wired];
};

/** Maximum shapes: a 100 KB schema has no more places, and schemas that multiply end here. */
const SHAPES_MAX = 4_000;

/** Maximum options of a union that are joined with those of a nested union. */
const OPTIONS_MAX = 100;

const ANY: Shape = { _tag: "Any" };
const NEVER: Shape = { _tag: "Never" };

interface Row {
  shape: Shape;
  words: string;
  uses: number;
}

/** Composite shapes used more than once get a name; scalars are repeated. */
const isComposite = ({ _tag }: Shape): boolean =>
  _tag === "Object" || _tag === "Map" || _tag === "Array" || _tag === "Union";

class Compiler {
  readonly rows: Array<Row> = [];
  readonly #known = new Map<string, ShapeId>();
  readonly #ids = new Map<JsonObject, number>();
  readonly #copies = new Map<JsonObject, JsonObject>();
  /** Copies whose words are said. */
  readonly #silent = new Set<JsonObject>();
  readonly #flatten: (schemas: ReadonlyArray<Json>) => Schemas | null;

  constructor(root: JsonObject) {
    this.#flatten = makeFlatten(root);
  }

  ofSchemas(schemas: ReadonlyArray<Json>): ShapeId {
    return this.#of(this.#flatten(schemas));
  }

  #keyOf(schemas: Schemas): string {
    const ids = schemas.map((schema) => {
      const id = this.#ids.get(schema) ?? this.#ids.size;
      this.#ids.set(schema, id);
      return id;
    });
    return ids.sort().join(" ");
  }

  /** Alternatives, each a list of schemas. */
  #ofAlternatives(alternatives: ReadonlyArray<ReadonlyArray<Json>>): ShapeId {
    const [first] = alternatives;
    if (first !== undefined && alternatives.length === 1) return this.ofSchemas(first);
    const place = this.#add(ANY, "");
    this.#put(place, this.#union(alternatives.map((schemas) => this.ofSchemas(schemas))));
    return place;
  }

  #add(shape: Shape, words: string): ShapeId {
    this.rows.push({ shape, words, uses: 1 });
    return this.rows.length - 1;
  }

  #put(place: ShapeId, shape: Shape): void {
    const row = this.rows[place];
    if (row !== undefined) row.shape = shape;
  }

  #of(schemas: Schemas | null): ShapeId {
    if (schemas === null) return this.#add(NEVER, "");
    const key = this.#keyOf(schemas);
    const known = this.#known.get(key);
    const row = known === undefined ? undefined : this.rows[known];
    if (known !== undefined && row !== undefined) {
      row.uses++;
      return known;
    }
    const told = schemas.filter((schema) => !this.#silent.has(schema));
    const place = this.#add(ANY, wordsOf(told, choicesOf(told).slice(1)));
    this.#known.set(key, place);
    if (this.rows.length < SHAPES_MAX) this.#put(place, this.#shape(schemas));
    return place;
  }

  /** What the options of a union add to; the words stand at the union. */
  #besideOptions(schemas: Schemas): Schemas {
    const rest = schemas.map((schema) => {
      if (this.#silent.has(schema)) return schema;
      const copy = this.#copies.get(schema) ?? withoutWords(schema);
      this.#copies.set(schema, copy);
      this.#silent.add(copy);
      return copy;
    });
    return rest.filter(hasOwn);
  }

  /** A schema that allows what described choices name, as conditions do. */
  #allowed(choices: ReadonlyArray<Choice>): Schemas {
    if (choices.length === 0) return [];
    const condition = { then: { anyOf: choices.flatMap(({ options }) => options) } };
    this.#silent.add(condition);
    return [condition];
  }

  #shape(schemas: Schemas): Shape {
    const [choice, ...others] = choicesOf(schemas);
    if (choice !== undefined) {
      const rest = [...this.#besideOptions(schemas), ...this.#allowed(others)];
      const exclusions = choice.keyword === "oneOf" ? exclusionsOf(choice.options) : [];
      return this.#union(
        choice.options.map((option, place) => this.#ofOption(rest, [option, exclusions[place] ?? true]))
      );
    }
    const types = typesOf(schemas);
    if (types === null) return listedIn(schemas)?.length === 0 ? NEVER : ANY;
    const [only] = types;
    if (only === undefined) return NEVER;
    if (types.length === 1) return this.#typed(schemas, only);
    const silent = this.#besideOptions(schemas);
    return this.#union(types.map((each) => this.#of([...silent, { type: each }])));
  }

  #ofOption(rest: Schemas, option: ReadonlyArray<Json>): ShapeId {
    const own = this.#flatten(option);
    return this.#of(own === null ? null : [...new Set([...rest, ...own])]);
  }

  #union(options: ReadonlyArray<ShapeId>): Shape {
    // Nested unions are flattened, unless the inner one has its own description.
    const flat = options.flatMap((id) => {
      const row = this.rows[id];
      return row?.shape._tag === "Union" && row.words === "" ? row.shape.options : [id];
    });
    const possible = [...new Set(flat.length > OPTIONS_MAX ? options : flat)].filter(
      (id) => this.rows[id]?.shape._tag !== "Never"
    );
    return possible.length === 0 ? NEVER : { _tag: "Union", options: possible, tagged: new Set() };
  }

  /** The row of a shape, or of the only option of a union. */
  hostOf(id: ShapeId): Row | undefined {
    const row = this.rows[id];
    const [only, ...more] = row?.shape._tag === "Union" ? row.shape.options : [];
    return only === undefined || more.length > 0 ? row : this.hostOf(only);
  }

  #typed(schemas: Schemas, type: TypeName): Shape {
    const values = listedIn(schemas)?.filter((value) => {
      const of = typeOf(value);
      return of === type || (type === "number" && of === "integer");
    });
    if (values?.length === 0) return NEVER;
    if (values === undefined) {
      if (type === "object") return this.#object(schemas);
      if (type === "array") return this.#array(schemas);
      return { _tag: "Leaf", type, values: null, keywords: leafKeywords(schemas, type), isJson: false };
    }
    return type === "object" || type === "array"
      ? { _tag: "Leaf", type: "string", values: values.map(canonicalJson), keywords: {}, isJson: true }
      : { _tag: "Leaf", type, values, keywords: {}, isJson: false };
  }

  #object(schemas: Schemas): Shape {
    const parts = propertiesOf(schemas);
    const others = othersOf(schemas, parts.length > 0);
    const extra = others === null ? null : this.#ofAlternatives(others);
    const extraKeys = keyKeywords(schemas);
    const isOpen = allowsAnyProperty(schemas);
    if (parts.length === 0 && extra !== null) {
      return {
        _tag: "Map",
        values: extra,
        keys: extraKeys,
        minEntries: numberOf(schemas, "minProperties", Math.max),
        maxEntries: numberOf(schemas, "maxProperties", Math.min)
      };
    }
    const named = new Set(parts.map(({ name }) => name));
    const conditional = isOpen ? [...conditionalProperties(schemas, this.#flatten)] : [];
    const listed = [
      ...parts,
      ...conditional.flatMap(([name, said]) =>
        named.has(name) ? [] : [{ name, schemas: said.length === 1 ? said : [], required: false }]
      )
    ];
    const [extraName = "", ...names] = wireNames(["additional", ...listed.map(({ name }) => name)]);
    const properties = listed.map(({ name, schemas: of, required }, place) => ({
      name,
      wireName: names[place] ?? name,
      shape: this.ofSchemas(of),
      required
    }));
    const isNever = ({ shape }: Property): boolean => this.rows[shape]?.shape._tag === "Never";
    if (properties.some((property) => property.required && isNever(property))) return NEVER;
    return {
      _tag: "Object",
      properties: properties.filter((property) => !isNever(property)),
      extra,
      extraName,
      extraKeys,
      isOpen,
      listsAdditional: false
    };
  }

  #array(schemas: Schemas): Shape {
    const { slots, rest, minItems, maxItems } = arrayParts(schemas);
    const all = rest === null ? slots : [...slots, rest];
    const distinct = new Map(all.map((of) => [JSON.stringify(of), of]));
    const items = this.#ofAlternatives([...distinct.values()]);
    return {
      _tag: "Array",
      slots: slots.map((of) => this.ofSchemas(of)),
      rest: slots.length === 0 || rest === null ? items : this.ofSchemas(rest),
      items,
      minItems,
      maxItems,
      isSet: schemas.some((schema) => schema["uniqueItems"] === true)
    };
  }
}

/** How a shape looks on the wire, as far as options of a union can be told apart by it. */
const looksOf = (table: Pick<ShapeTable, "rows">, id: ShapeId, depth = 0): string => {
  const shape = shapeAt(table, id);
  switch (shape._tag) {
    case "Leaf":
      return shape.type;
    case "Object":
      return [
        ...shape.properties.map(({ wireName }) => wireName),
        shape.extra === null ? "" : shape.extraName
      ]
        .sort()
        .join();
    case "Map":
      return "array";
    case "Array":
      return `array ${depth < 2 ? looksOf(table, shape.items, depth + 1) : ""}`;
    default:
      return `${shape._tag} ${id}`;
  }
};

/** With a tag for each option that looks like another, unless both are scalars. */
const withTags = (rows: ReadonlyArray<ShapeRow>): ReadonlyArray<ShapeRow> =>
  rows.map((row) => {
    if (row.shape._tag !== "Union") return row;
    const seen = new Map<string, number>();
    const looks = row.shape.options.map((id) => looksOf({ rows }, id));
    for (const look of looks) seen.set(look, (seen.get(look) ?? 0) + 1);
    const tagged = row.shape.options.filter(
      (id, place) => shapeAt({ rows }, id)._tag !== "Leaf" && (seen.get(looks[place] ?? "") ?? 0) > 1
    );
    return { ...row, shape: { ...row.shape, tagged: new Set(tagged) } };
  });

const OBJECT: JsonObject = { type: "object" };

/** Used if nothing conforms, because providers require an object anyway. */
const EMPTY: JsonObject = { type: "object", required: [], additionalProperties: false };

export interface Wanted {
  /** The root: an object even if the schema allows other types, or anything it allows. Default `anything`. */
  readonly wants?: "object" | "anything";
  /** Whether properties that the schema does not name may be requested. Default true. */
  readonly isGuided?: boolean;
}

export const compileShapes = (
  schema: JsonObject,
  { wants = "anything", isGuided = true }: Wanted = {}
): ShapeTable => {
  const compiler = new Compiler(schema);
  const first = compiler.ofSchemas([schema]);
  const isOpen = ["Union", "Any"].includes(compiler.rows[first]?.shape._tag ?? "");
  const rootShape = wants === "object" && isOpen ? compiler.ofSchemas([schema, OBJECT]) : first;
  const isImpossible = wants === "object" && compiler.rows[rootShape]?.shape._tag === "Never";
  const root = isImpossible ? compiler.ofSchemas([EMPTY]) : rootShape;
  const host = compiler.hostOf(root);
  // One list, at the root: a list in each object would double answers of many small ones and encourage invention.
  if (
    isGuided &&
    host?.shape._tag === "Object" &&
    host.shape.extra === null &&
    compiler.rows.some(({ shape }) => shape._tag === "Object" && shape.isOpen)
  ) {
    host.shape = { ...host.shape, extra: compiler.ofSchemas([]), listsAdditional: true };
  }
  const rows = compiler.rows.map(({ shape, words, uses }): ShapeRow => ({
    shape,
    words,
    shared: uses > 1 && isComposite(shape)
  }));
  return { rows: withTags(rows), root };
};
