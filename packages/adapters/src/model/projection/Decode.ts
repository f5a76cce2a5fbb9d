/**
 * Decodes a wire value to the caller's schema. Values that do not match their shape are unchanged: validation
 * against the schema reports them.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { pointerBelow } from "@winnow/core/domain/text/Json";
import { makeFitsWire } from "./ShapeMatch.ts";
import {
  allowsNull,
  choose,
  type Grammar,
  ANY_TEXT,
  type ArrayShape,
  isObject,
  type Json,
  type JsonObject,
  type Member,
  memberOf,
  type ObjectShape,
  optionName,
  shapeAt,
  type ShapeId,
  TUPLE_REST,
  type Tuple,
  type Union
} from "./Shape.ts";

/** Receives the pointers of a value on the wire and in the decoded value. */
export type OnPlace = (wirePointer: string, pointer: string) => void;

/** The pointers of a value on the wire and in the decoded value. */
interface Place {
  readonly wire: string;
  readonly at: string;
}

/** Maximum entries of a list that are decoded. */
const FURTHER_MAX = 1_000;

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};

const below = ({ wire, at }: Place, wireName: string, name: string): Place => ({
  wire: pointerBelow(wire, wireName),
  at: pointerBelow(at, name)
});

/** Values of the entries of ADDITIONAL_MEMBERS, by the wire pointer of their object and by name. */
type Further = Map<string, Map<string, Json>>;

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

class Decoder {
  readonly #grammar: Grammar;
  readonly #onPlace: OnPlace;
  readonly #fits: ReturnType<typeof makeFitsWire>;
  readonly #further: Further = new Map();

  constructor(grammar: Grammar, onPlace: OnPlace) {
    this.#grammar = grammar;
    this.#onPlace = onPlace;
    this.#fits = makeFitsWire(grammar);
  }

  turn(id: ShapeId, given: Json, place: Place): Json {
    this.#onPlace(place.wire, place.at);
    const shape = shapeAt(this.#grammar.table, id);
    switch (shape._tag) {
      case "Literal":
        return typeof given === "string" ? parsed(given) : given;
      case "Any":
        return this.#anything(given);
      case "Object":
        return isObject(given) ? this.#object(shape, given, place) : given;
      case "Map":
        return Array.isArray(given)
          ? Object.fromEntries([
              ...(shape.isOpen ? this.#added(place, new Set()) : []),
              ...this.#entries(given, shape.values, place.wire, place.at)
            ])
          : given;
      case "Array":
        return Array.isArray(given) ? this.#array(shape, given, place) : given;
      case "Tuple":
        return isObject(given) ? this.#tuple(shape, given, place) : given;
      case "Union":
        return this.#union(shape, given, place);
      default:
        return given;
    }
  }

  /** In a set, the first of equal items. */
  #array({ items, isSet }: ArrayShape, given: ReadonlyArray<Json>, place: Place): Json {
    const turned: Array<Json> = [];
    const seen = new Set<string>();
    for (const [number, member] of given.entries()) {
      const item = this.turn(items, member, below(place, String(number), String(turned.length)));
      const text = isSet ? canonicalJson(item) : "";
      if (!isSet || !seen.has(text)) turned.push(item);
      seen.add(text);
    }
    return turned;
  }

  #anything(given: Json): Json {
    if (!isObject(given) || Object.keys(given).length !== 1) return given;
    const text = memberOf(given, ANY_TEXT);
    return typeof text === "string" ? parsed(text) : given;
  }

  /** A null is kept if the schema mentions null; where it allows anything, null means absence. */
  #isAbsent(shape: ShapeId, member: Json | undefined, required: boolean): member is undefined {
    if (member === undefined) return true;
    if (member !== null || required) return false;
    const isAny = shapeAt(this.#grammar.table, shape)._tag === "Any";
    return isAny || !allowsNull(this.#grammar, shape);
  }

  #entries(
    given: Json | undefined,
    values: ShapeId,
    wire: string,
    at: string
  ): ReadonlyArray<readonly [string, Json]> {
    if (!Array.isArray(given)) return [];
    return given.flatMap((one, number): ReadonlyArray<readonly [string, Json]> => {
      const key = isObject(one) ? memberOf(one, "key") : undefined;
      const inner = isObject(one) ? memberOf(one, "value") : undefined;
      if (typeof key !== "string" || inner === undefined) return [];
      const to = pointerBelow(at, key);
      this.#onPlace(`${wire}/${number}`, to);
      return [[key, this.turn(values, inner, { wire: `${wire}/${number}/value`, at: to })]];
    });
  }

  /** Stores the entries of a host: its objects are decoded afterwards. */
  #remember(given: Json | undefined, wire: string): void {
    if (!Array.isArray(given)) return;
    for (const one of given.slice(0, FURTHER_MAX)) {
      const key = isObject(one) ? memberOf(one, "key") : undefined;
      const value = isObject(one) ? memberOf(one, "value") : undefined;
      if (typeof key !== "string" || value === undefined) continue;
      const [object, name] = key.startsWith("/") ? parted(wire + key) : [wire, key];
      const of = this.#further.get(object) ?? new Map<string, Json>();
      this.#further.set(object, of.set(name, value));
    }
  }

  /** Members of an open object that its schemas do not name. */
  #added(place: Place, named: ReadonlySet<string>): ReadonlyArray<readonly [string, Json]> {
    const entries = [...(this.#further.get(place.wire) ?? [])].filter(([name]) => !named.has(name));
    return entries.map(([name, value]) => {
      const { wire, at } = below(place, name, name);
      this.#onPlace(wire, at);
      return [name, this.#anything(value)] as const;
    });
  }

  /** A named member, replaced by an entry of ADDITIONAL_MEMBERS if it is null. */
  #corrected(
    { name, wireName, shape, required }: Member,
    member: Json | undefined,
    place: Place
  ): ReadonlyArray<readonly [string, Json]> {
    const entry = this.#further.get(place.wire)?.get(wireName);
    const isLeftOut = !required && isObject(entry ?? null) && memberOf(entry as JsonObject, ANY_TEXT) === "";
    if (isLeftOut && (member ?? null) === null) return [];
    if (!this.#isAbsent(shape, member, required))
      return [[name, this.turn(shape, member, below(place, wireName, name))]];
    return entry === undefined ? [] : [[name, this.#anything(entry)]];
  }

  #object(object: ObjectShape, given: JsonObject, place: Place): Json {
    const { members, extra, extraName, listsAdditional, isOpen, forbiddenNames } = object;
    const listed = extra === null ? undefined : memberOf(given, extraName);
    if (listsAdditional) this.#remember(listed, place.wire);
    const known = members.flatMap((member) =>
      this.#corrected(member, memberOf(given, member.wireName), place)
    );
    const wireNames = new Set([
      ...members.map(({ wireName }) => wireName),
      ...(extra === null ? [] : [extraName])
    ]);
    const others =
      extra === null || listsAdditional
        ? []
        : this.#entries(listed, extra, pointerBelow(place.wire, extraName), place.at);
    const added = isOpen
      ? this.#added(
          place,
          new Set([...forbiddenNames, ...members.flatMap(({ name, wireName }) => [name, wireName])])
        )
      : [];
    // Unknown members are kept, so that validation reports them where they are forbidden.
    const unknown = Object.entries(given).filter(([name]) => !wireNames.has(name));
    return Object.fromEntries([...added, ...others, ...unknown, ...known]);
  }

  #tuple({ slots, rest }: Tuple, given: JsonObject, place: Place): Json {
    const turned: Array<Json> = [];
    for (const [number, { wireName, shape, required }] of slots.entries()) {
      const member = memberOf(given, wireName);
      if (this.#isAbsent(shape, member, required)) break;
      turned.push(this.turn(shape, member, below(place, wireName, String(number))));
    }
    const others = memberOf(given, TUPLE_REST);
    if (rest === null || !Array.isArray(others) || turned.length < slots.length) return turned;
    const { wire, at } = place;
    return [
      ...turned,
      ...others.map((member, number) =>
        this.turn(rest, member, {
          wire: `${wire}/${TUPLE_REST}/${number}`,
          at: `${at}/${slots.length + number}`
        })
      )
    ];
  }

  #union(shape: Union, given: Json, place: Place): Json {
    const marks = this.#grammar.marked.get(shape);
    const inner = (number: number): Json | undefined => {
      const option = shape.options[number];
      if (option === undefined || !marks?.has(option)) return given;
      return isObject(given) ? memberOf(given, optionName(number)) : undefined;
    };
    const chosen = choose(shape, (number, strictness) => {
      const [option, member] = [shape.options[number], inner(number)];
      return option !== undefined && member !== undefined && this.#fits(option, member, strictness);
    });
    const option = chosen === null ? undefined : shape.options[chosen];
    const member = chosen === null ? undefined : inner(chosen);
    if (chosen === null || option === undefined || member === undefined) return given;
    const { wire, at } = place;
    return this.turn(
      option,
      member,
      marks?.has(option) ? { wire: `${wire}/${optionName(chosen)}`, at } : place
    );
  }
}

/** Calls `onPlace` for every place. */
export const decode = (grammar: Grammar, value: Json, onPlace: OnPlace = () => {}): Json =>
  new Decoder(grammar, onPlace).turn(grammar.table.root, value, { wire: "", at: "" });
