/**
 * Compiles a JSON Schema to a table of shapes. Terminates for every schema: lists of schemas are compared with earlier
 * ones, and everything beyond {@link SHAPES_MAX} becomes "anything".
 */
import {
  type Conjunct,
  type Conjuncts,
  type HandledKeyword,
  isBare,
  makeFlatten,
  exclusionsOf
} from "./AllOf.ts";
import {
  keyKeywords,
  patternsAlone,
  leafKeywords,
  numberOf,
  type TypeName,
  typeOf,
  typesOf,
  valuesOf
} from "./ValueConstraints.ts";
import { allowsAnyProperty, arrayParts, conditionalParts, objectParts } from "./ShapeParts.ts";
import { withAdditionalProperties } from "./AdditionalProperties.ts";
import { makeMatches, providersPattern } from "./Patterns.ts";
import {
  type Json,
  type JsonObject,
  type KeyKind,
  type Property,
  propertyOf,
  type Shape,
  type ShapeId,
  type ShapeRow,
  type ShapeTable
} from "./Shape.ts";
import { wordsOf } from "./Keywords.ts";

/** OpenAI's strict mode and others reject or change anything else. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/u;

const NOT_SAFE = new Set(["__proto__", "constructor", "prototype"]);

const slug = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/gu, "_").slice(0, 40);

/** In order; valid names are unchanged. */
export const wireNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
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

/** Maximum combinations of unions that apply together, such as `allOf` of several `anyOf`. */
const COMBINATIONS_MAX = 8;

/** Maximum options of a union that are compared, or joined with those of a nested union. */
const OPTIONS_MAX = 100;

const DESCRIBED_CHARS_MAX = 1_000;

const ANY: Shape = { _tag: "Any" };
const NEVER: Shape = { _tag: "Never" };

interface Row {
  shape: Shape;
  words: string;
  uses: number;
}

/** Composite shapes used more than once get a name; scalars are repeated. */
const isComposite = ({ _tag }: Shape): boolean =>
  _tag === "Object" || _tag === "Map" || _tag === "Array" || _tag === "Tuple" || _tag === "Union";

const withHandled = (conjunct: Conjunct, ...more: ReadonlyArray<HandledKeyword>): Conjunct => ({
  ...conjunct,
  handledKeywords: [...new Set([...conjunct.handledKeywords, ...more])].sort()
});

interface Choice {
  readonly conjunct: Conjunct;
  readonly keyword: "anyOf" | "oneOf";
  readonly options: ReadonlyArray<Json>;
}

const choicesOf = (conjuncts: ReadonlyArray<Conjunct>): ReadonlyArray<Choice> =>
  conjuncts.flatMap((conjunct) =>
    (["anyOf", "oneOf"] as const).flatMap((keyword): ReadonlyArray<Choice> => {
      const options = propertyOf(conjunct.schema, keyword);
      const isOpen =
        Array.isArray(options) && options.length > 0 && !conjunct.handledKeywords.includes(keyword);
      return isOpen ? [{ conjunct, keyword, options }] : [];
    })
  );

/** Unions that are expanded while their combinations are few; the others are only described. */
const parted = (choices: ReadonlyArray<Choice>): ReadonlyArray<Choice> => {
  let combinations = 1;
  return choices.filter(({ options }, place) => {
    const more = combinations * options.length;
    if (place > 0 && more > COMBINATIONS_MAX) return false;
    combinations = more;
    return true;
  });
};

/** Describes the unions that were not expanded; validation enforces them. */
const describedChoices = (conjuncts: ReadonlyArray<Conjunct>): string => {
  const choices = choicesOf(conjuncts);
  const distinct = parted(choices);
  const unmet = choices.filter((choice) => !distinct.includes(choice));
  return unmet.length === 0
    ? ""
    : ` Must also satisfy ${JSON.stringify(unmet.map(({ keyword, options }) => ({ [keyword]: options }))).slice(0, DESCRIBED_CHARS_MAX)}.`;
};

/** OpenAPI formats of integers. */
const WHOLE = new Set<unknown>(["int32", "int64"]);

const isWhole = (conjuncts: ReadonlyArray<Conjunct>): boolean =>
  conjuncts.some(({ schema }) => WHOLE.has(propertyOf(schema, "format")));

class Compiler {
  readonly rows: Array<Row> = [];
  readonly #known = new Map<string, ShapeId>();
  readonly #ids = new Map<JsonObject, number>();
  readonly #matches = makeMatches();
  readonly #flatten: (schemas: ReadonlyArray<Json>) => Conjuncts;

  constructor(root: JsonObject) {
    this.#flatten = makeFlatten(root);
  }

  ofSchemas(schemas: ReadonlyArray<Json>): ShapeId {
    return this.#of(this.#flatten(schemas), null);
  }

  #keyOf(conjuncts: ReadonlyArray<Conjunct>, type: TypeName | null): string {
    const one = ({ schema, handledKeywords }: Conjunct): string => {
      const id = this.#ids.get(schema) ?? this.#ids.size;
      this.#ids.set(schema, id);
      return `${id}${handledKeywords.join("")}`;
    };
    return `${conjuncts.map(one).sort().join(" ")}|${type ?? ""}`;
  }

  /** Alternatives, each a list of schemas. */
  ofAlternatives(alternatives: ReadonlyArray<ReadonlyArray<Json>>): ShapeId {
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

  #of(conjuncts: Conjuncts, type: TypeName | null): ShapeId {
    if (conjuncts === null) return this.#add(NEVER, "");
    const key = this.#keyOf(conjuncts, type);
    const known = this.#known.get(key);
    const row = known === undefined ? undefined : this.rows[known];
    if (known !== undefined && row !== undefined) {
      row.uses++;
      return known;
    }
    const place = this.#add(ANY, wordsOf(conjuncts) + describedChoices(conjuncts));
    this.#known.set(key, place);
    if (this.rows.length < SHAPES_MAX) this.#put(place, this.#shape(conjuncts, type));
    return place;
  }

  #shape(conjuncts: ReadonlyArray<Conjunct>, type: TypeName | null): Shape {
    const choices = choicesOf(conjuncts);
    const [choice] = choices;
    if (choice !== undefined) {
      const open = new Set(parted(choices).slice(1));
      const rest = conjuncts
        .map((each) => {
          const handledKeywords = choices.filter((one) => one.conjunct === each && !open.has(one));
          return withHandled(each, "words", ...handledKeywords.map(({ keyword }) => keyword));
        })
        .filter((each) => !isBare(each));
      const excluded = choice.keyword === "oneOf" ? exclusionsOf(choice.options) : [];
      return this.#union(
        choice.options.map((option, place) => this.#ofOption(rest, [option, excluded[place] ?? true], type))
      );
    }
    const types = type === null ? typesOf(conjuncts) : [type];
    if (types === null) return valuesOf(conjuncts)?.length === 0 ? NEVER : ANY;
    const [only] = types;
    if (only === undefined) return NEVER;
    if (types.length === 1)
      return this.#typed(conjuncts, only === "number" && isWhole(conjuncts) ? "integer" : only);
    const silent = conjuncts.map((conjunct) => withHandled(conjunct, "words"));
    return this.#union(types.map((each) => this.#of(silent, each)));
  }

  #ofOption(rest: ReadonlyArray<Conjunct>, option: ReadonlyArray<Json>, type: TypeName | null): ShapeId {
    const own = this.#flatten(option);
    if (own === null) return this.#add(NEVER, "");
    const known = new Set(own.map(({ schema }) => schema));
    return this.#of([...rest.filter(({ schema }) => !known.has(schema)), ...own], type);
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
    return possible.length === 0 ? NEVER : { _tag: "Union", options: possible };
  }

  #typed(conjuncts: ReadonlyArray<Conjunct>, type: TypeName): Shape {
    const listed = valuesOf(conjuncts);
    const values = listed?.filter((value) => {
      const of = typeOf(value);
      return of === type || (type === "number" && of === "integer");
    });
    if (values?.length === 0) return NEVER;
    if (type === "object") return values ? { _tag: "Literal", values } : this.#object(conjuncts);
    if (type === "array") return values ? { _tag: "Literal", values } : this.#array(conjuncts);
    return {
      _tag: "Leaf",
      type,
      values: values ?? null,
      keywords: leafKeywords(conjuncts, type, values !== undefined)
    };
  }

  #object(conjuncts: ReadonlyArray<Conjunct>): Shape {
    const parts = objectParts(conjuncts, this.#matches);
    if (parts.properties.length === 0 && parts.extra !== null) {
      const values = this.ofAlternatives(parts.extra);
      return {
        _tag: "Map",
        values,
        keys: keyKeywords(conjuncts, this.#flatten),
        kinds: this.#kinds(conjuncts, values),
        isOpen: allowsAnyProperty(conjuncts),
        minEntries: numberOf(conjuncts, "minProperties", Math.max),
        maxEntries: numberOf(conjuncts, "maxProperties", Math.min)
      };
    }
    const conditional = conditionalParts(conjuncts, parts, this.#flatten);
    const listed = [...parts.properties, ...conditional];
    const [extraName = "", ...names] = wireNames(["additional", ...listed.map(({ name }) => name)]);
    const properties = listed.map((property, place) => ({
      name: property.name,
      wireName: names[place] ?? property.name,
      shape:
        "schemas" in property ? this.ofSchemas(property.schemas) : this.ofAlternatives(property.alternatives),
      required: "schemas" in property && property.required
    }));
    const isNever = ({ shape }: Property): boolean => this.rows[shape]?.shape._tag === "Never";
    if (properties.some((property) => property.required && isNever(property))) return NEVER;
    const extra = parts.extra === null ? null : this.ofAlternatives(parts.extra);
    const least = numberOf(conjuncts, "minProperties", Math.max) ?? 0;
    const possible = properties.filter((property) => !isNever(property));
    return {
      _tag: "Object",
      // If there can be no others and `minProperties` needs all of them, each is required.
      properties: possible.map((property) => ({
        ...property,
        required: property.required || (parts.extra === null && possible.length <= least)
      })),
      extra,
      extraName,
      extraKeys: keyKeywords(conjuncts, this.#flatten),
      extraKinds: extra === null ? [] : this.#kinds(conjuncts, extra),
      isOpen: allowsAnyProperty(conjuncts),
      forbiddenNames: properties.filter(isNever).map(({ name }) => name),
      listsAdditional: false
    };
  }

  /** Options of a union by the pattern that names must match for each; none if there are no patterns. */
  #kinds(conjuncts: ReadonlyArray<Conjunct>, values: ShapeId): ReadonlyArray<KeyKind> {
    const patterns = patternsAlone(conjuncts)?.map(providersPattern) ?? [];
    const shape = this.rows[values]?.shape;
    if (shape?._tag !== "Union" || shape.options.length !== patterns.length) return [];
    return shape.options.flatMap((option, place) => {
      const pattern = patterns[place];
      return typeof pattern === "string" ? [{ keys: { pattern }, values: option }] : [];
    });
  }

  #array(conjuncts: ReadonlyArray<Conjunct>): Shape {
    const { slots, rest, minItems, maxItems } = arrayParts(conjuncts);
    if (slots.length === 0) {
      const isSet = conjuncts.some(({ schema }) => schema["uniqueItems"] === true);
      return { _tag: "Array", items: this.ofSchemas(rest ?? []), minItems, maxItems, isSet };
    }
    return {
      _tag: "Tuple",
      slots: slots.map((schemas, place) => ({
        name: String(place),
        wireName: `item_${place + 1}`,
        shape: this.ofSchemas(schemas),
        required: place < (minItems ?? 0)
      })),
      rest: rest === null ? null : this.ofSchemas(rest)
    };
  }
}

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
  const rows = compiler.rows.map(({ shape, words, uses }): ShapeRow => ({
    shape,
    words,
    shared: uses > 1 && isComposite(shape)
  }));
  const table = { rows, root, isImpossible };
  return isGuided ? withAdditionalProperties(table) : table;
};
