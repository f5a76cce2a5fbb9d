/**
 * A wire value as the caller's schema has it. What does not look like its shape is left as it is: the check
 * against that schema finds it.
 */
import { canonicalJson } from "@winnow/core/domain/CanonicalJson";
import { pointerBelow } from "@winnow/core/domain/JsonPointer";
import { makeFitsWire } from "./FitsWire.ts";
import { allowsNull, choose, type Grammar } from "./Grammar.ts";
import {
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

/** Where a wire value is within the value it becomes: the wire's pointer and ours. */
export type OnPlace = (wirePointer: string, pointer: string) => void;

/** Both pointers of a place. */
interface Place {
  readonly wire: string;
  readonly at: string;
}

/** Entries of one list that are looked at. */
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

/** The value of an entry of FURTHER, by the pointer of its object on the wire and its name there. */
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

  /** Of equal items in a set the first one. */
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

  /** A null is kept where the schema speaks of it: where it allows anything, it says that there is nothing. */
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

  /** Remembers the entries of a host: the objects that they belong to are turned back after it. */
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

  /** A named member, as an entry of FURTHER corrects it where it is null. */
  #corrected(
    { name, wireName, shape, required }: Member,
    member: Json | undefined,
    place: Place
  ): ReadonlyArray<readonly [string, Json]> {
    const said = this.#further.get(place.wire)?.get(wireName);
    const isLeftOut = !required && isObject(said ?? null) && memberOf(said as JsonObject, ANY_TEXT) === "";
    if (isLeftOut && (member ?? null) === null) return [];
    if (!this.#isAbsent(shape, member, required))
      return [[name, this.turn(shape, member, below(place, wireName, name))]];
    return said === undefined ? [] : [[name, this.#anything(said)]];
  }

  #object(object: ObjectShape, given: JsonObject, place: Place): Json {
    const { members, extra, extraName, isHost, isOpen, forbiddenNames } = object;
    const listed = extra === null ? undefined : memberOf(given, extraName);
    if (isHost) this.#remember(listed, place.wire);
    const known = members.flatMap((member) =>
      this.#corrected(member, memberOf(given, member.wireName), place)
    );
    const wireNames = new Set([
      ...members.map(({ wireName }) => wireName),
      ...(extra === null ? [] : [extraName])
    ]);
    const others =
      extra === null || isHost
        ? []
        : this.#entries(listed, extra, pointerBelow(place.wire, extraName), place.at);
    const added = isOpen
      ? this.#added(
          place,
          new Set([...forbiddenNames, ...members.flatMap(({ name, wireName }) => [name, wireName])])
        )
      : [];
    // Members that nobody asked for stay, for the check to find where they are forbidden.
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

/** `onPlace` hears of every place on the way. */
export const decode = (grammar: Grammar, value: Json, onPlace: OnPlace = () => {}): Json =>
  new Decoder(grammar, onPlace).turn(grammar.table.root, value, { wire: "", at: "" });
