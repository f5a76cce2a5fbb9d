/**
 * Decodes a wire value to the caller's schema. Values that do not match their shape are unchanged: validation
 * against the schema reports them. Tests: Projection.test.ts.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { parseJsonNumbers } from "@winnow/core/domain/text/JsonNumbers";
import { pointerBelow, propertyOf } from "@winnow/core/domain/text/Json";
import { makeFitsWire } from "./ShapeMatch.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import {
  allowsNull,
  ANY_TEXT,
  asWrittenNumber,
  type ArrayShape,
  inDoubles,
  isObject,
  type Json,
  numberWritten,
  type ObjectShape,
  optionName,
  shapeAt,
  type ShapeId,
  type ShapeTable,
  type Union
} from "./Shape.ts";

/** Receives the pointers of a part. */
export type OnDecoded = (wirePointer: string, pointer: string) => void;

/** Of a part of the value on the wire, and of the same in the decoded value. */
interface Pointers {
  readonly wire: string;
  readonly at: string;
}

/** Maximum entries of a list that are decoded. */
const ADDITIONAL_MAX = 1_000;

const parsed = (text: string): Json => {
  try {
    return parseJsonNumbers(text, numberWritten) as Json;
  } catch {
    return text;
  }
};

const below = ({ wire, at }: Pointers, wireName: string, name: string): Pointers => ({
  wire: pointerBelow(wire, wireName),
  at: pointerBelow(at, name)
});

/** Additional properties, by the wire pointer of their object and by name. */
type Additional = Map<string, Map<string, Json>>;

/** Splits `/a/b~1c` into `/a` and `b/c`. */
const parted = (pointer: string): readonly [string, string] => {
  const end = pointer.lastIndexOf("/");
  return [
    pointer.slice(0, end),
    pointer
      .slice(end + 1)
      .replaceAll("~1", "/")
      .replaceAll("~0", "~")
  ];
};

interface Entry {
  readonly key: string;
  readonly value: Json;
  /** Pointers from the list to the entry and its value. */
  readonly entryAt: string;
  readonly valueAt: string;
}

/** The entries of a list that have a key and a value; some models write them as an object. */
const entriesIn = (list: Json | undefined): ReadonlyArray<Entry> => {
  if (isObject(list))
    return Object.entries(list).map(([key, value]) => {
      const at = pointerBelow("", key);
      return { key, value, entryAt: at, valueAt: at };
    });
  return (Array.isArray(list) ? list : []).flatMap((one: Json, number): ReadonlyArray<Entry> => {
    const [key, value] = isObject(one) ? [propertyOf(one, "key"), propertyOf(one, "value")] : [];
    const entryAt = `/${number}`;
    return typeof key === "string" && value !== undefined
      ? [{ key, value, entryAt, valueAt: `${entryAt}/value` }]
      : [];
  });
};

class Decoder {
  readonly #table: ShapeTable;
  readonly #onDecoded: OnDecoded;
  readonly #fits: ReturnType<typeof makeFitsWire>;
  readonly #additional: Additional = new Map();

  constructor(table: ShapeTable, onDecoded: OnDecoded) {
    this.#table = table;
    this.#onDecoded = onDecoded;
    this.#fits = makeFitsWire(table);
  }

  turn(id: ShapeId, given: Json, pointers: Pointers): Json {
    this.#onDecoded(pointers.wire, pointers.at);
    const shape = shapeAt(this.#table, id);
    switch (shape._tag) {
      case "Leaf":
        if (shape.isJson) return typeof given === "string" ? parsed(given) : given;
        return shape.type === "string" ? (asWrittenNumber(given)?.text ?? given) : given;
      case "Any":
        return this.#anything(given);
      case "Object":
        return isObject(given) ? this.#object(shape, given, pointers) : given;
      case "Map":
        return Array.isArray(given) || isObject(given)
          ? Object.fromEntries(this.#entries(given, shape.values, pointers))
          : given;
      case "Array":
        return Array.isArray(given) ? this.#array(shape, given, pointers) : given;
      case "Union":
        return this.#union(shape, given, pointers);
      default:
        return given;
    }
  }

  /** In a set, the first of equal items, to which what is said of the others belongs. */
  #array({ slots, rest, isSet }: ArrayShape, given: ReadonlyArray<Json>, pointers: Pointers): Json {
    const turned: Array<Json> = [];
    const places = new Map<string, number>();
    for (const [number, each] of given.entries()) {
      const itemAt = (place: number): Json =>
        this.turn(slots[number] ?? rest, each, below(pointers, String(number), String(place)));
      const item = itemAt(turned.length);
      const text = isSet ? canonicalJson(inDoubles(item)) : String(number);
      const place = places.get(text);
      if (place === undefined) places.set(text, turned.push(item) - 1);
      else itemAt(place);
    }
    return turned;
  }

  #anything(given: Json): Json {
    if (!isObject(given) || Object.keys(given).length !== 1) return given;
    const text = propertyOf(given, ANY_TEXT);
    return typeof text === "string" ? parsed(text) : given;
  }

  /** A null is kept if the schema mentions null; where it allows anything, null means absence. */
  #isAbsent(shape: ShapeId, property: Json | undefined, required: boolean): property is undefined {
    if (property === undefined) return true;
    if (property !== null || required) return false;
    const isAny = shapeAt(this.#table, shape)._tag === "Any";
    return isAny || !allowsNull(this.#table, shape);
  }

  #entries(
    given: Json | undefined,
    values: ShapeId,
    { wire, at }: Pointers
  ): ReadonlyArray<readonly [string, Json]> {
    return entriesIn(given).map(({ key, value, entryAt, valueAt }) => {
      const to = pointerBelow(at, key);
      this.#onDecoded(wire + entryAt, to);
      return [key, this.turn(values, value, { wire: wire + valueAt, at: to })];
    });
  }

  /** Stores the entries of the root: its objects are decoded afterwards. */
  #remember(given: Json | undefined, wire: string): void {
    for (const { key, value } of entriesIn(given).slice(0, ADDITIONAL_MAX)) {
      const [object, name] = key.startsWith("/") ? parted(wire + key) : [wire, key];
      const of = this.#additional.get(object) ?? new Map<string, Json>();
      this.#additional.set(object, of.set(name, value));
    }
  }

  /** Properties of an open object that its schemas do not name. */
  #added(pointers: Pointers, named: ReadonlySet<string>): ReadonlyArray<readonly [string, Json]> {
    const entries = [...(this.#additional.get(pointers.wire) ?? [])].filter(([name]) => !named.has(name));
    return entries.map(([name, value]) => {
      const { wire, at } = below(pointers, name, name);
      this.#onDecoded(wire, at);
      return [name, this.#anything(value)] as const;
    });
  }

  #object(object: ObjectShape, given: JsonObject, pointers: Pointers): Json {
    const { properties, extra, extraName, listsAdditional, isOpen } = object;
    const listed = extra === null ? undefined : propertyOf(given, extraName);
    if (listsAdditional) this.#remember(listed, pointers.wire);
    const known = properties.flatMap(({ name, wireName, shape, required }) => {
      const property = propertyOf(given, wireName);
      if (this.#isAbsent(shape, property, required)) return [];
      return [[name, this.turn(shape, property, below(pointers, wireName, name))] as const];
    });
    const others =
      extra === null || listsAdditional
        ? []
        : this.#entries(listed, extra, { ...pointers, wire: pointerBelow(pointers.wire, extraName) });
    const names = new Set(properties.flatMap(({ name, wireName }) => [name, wireName]));
    const added = isOpen ? this.#added(pointers, names) : [];
    // Unknown properties are kept, so that validation reports them where they are forbidden.
    const wireNames = new Set([
      ...properties.map(({ wireName }) => wireName),
      ...(extra === null ? [] : [extraName])
    ]);
    const unknown = Object.entries(given).filter(([name]) => !wireNames.has(name));
    return Object.fromEntries([...added, ...others, ...unknown, ...known]);
  }

  /** As the first option that has exactly this form, else the first that tolerates it. */
  #union({ options, tagged }: Union, given: Json, { wire, at }: Pointers): Json {
    const forms = options.map((option, place) => {
      const name = optionName(place);
      if (!tagged.has(option)) return { option, value: given, wire };
      return {
        option,
        value: isObject(given) ? propertyOf(given, name) : undefined,
        wire: `${wire}/${name}`
      };
    });
    for (const strictness of ["exact", "tolerant"] as const) {
      for (const { option, value, wire: from } of forms) {
        if (value !== undefined && this.#fits(option, value, strictness))
          return this.turn(option, value, { wire: from, at });
      }
    }
    return given;
  }
}

/** Calls `onDecoded` for every part of the value. */
export const decode = (table: ShapeTable, value: Json, onDecoded: OnDecoded = () => {}): Json =>
  new Decoder(table, onDecoded).turn(table.root, value, { wire: "", at: "" });
