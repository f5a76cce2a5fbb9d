/**
 * Encodes a value by the wire schema, like a model that follows it: the inverse of decoding, for tests. Values
 * that do not match their shape are unchanged.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { pointerBelow } from "@winnow/core/domain/text/Json";
import { makeFitsOriginal } from "./FitsOriginal.ts";
import {
  allowsNull,
  choose,
  type Grammar,
  ANY_TEXT,
  isObject,
  type Json,
  type JsonObject,
  OMITTED_PROPERTY,
  type MapShape,
  type Property,
  propertyOf,
  type ObjectShape,
  optionName,
  shapeAt,
  type ShapeId,
  TUPLE_REST,
  type Tuple,
  type Union
} from "../../../src/model/schema/Shape.ts";

/** An object with a list of further properties, and its pointer on the wire. */
interface Host {
  readonly wire: string;
  readonly entries: Array<Json>;
}

const anything = (given: Json): Json =>
  typeof given !== "object" || given === null ? given : { [ANY_TEXT]: canonicalJson(given) };

/**
 * Adds a property of the object at `wire` to the host's list: under its name if the object is the host itself,
 * otherwise under its pointer within the host.
 */
const say = (host: Host | null, wire: string, [name, value]: readonly [string, Json]): void => {
  const isOwn = host?.wire === wire && !name.startsWith("/");
  host?.entries.push({ key: isOwn ? name : pointerBelow(wire.slice(host.wire.length), name), value });
};

const isKey = ({ enum: listed, pattern }: JsonObject, key: string): boolean =>
  (!Array.isArray(listed) || listed.includes(key)) &&
  (typeof pattern !== "string" || new RegExp(pattern, "u").test(key));

class Encoder {
  readonly #grammar: Grammar;
  readonly #fits: ReturnType<typeof makeFitsOriginal>;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    this.#fits = makeFitsOriginal(grammar.table);
  }

  turn(id: ShapeId, given: Json, wire: string, host: Host | null): Json {
    const shape = shapeAt(this.#grammar.table, id);
    switch (shape._tag) {
      case "Literal":
        return canonicalJson(given);
      case "Any":
        return anything(given);
      case "Object":
        return isObject(given) ? this.#object(shape, given, wire, host) : given;
      case "Map":
        return isObject(given) ? this.#map(shape, given, wire, host) : given;
      case "Array":
        return Array.isArray(given)
          ? given.map((property, place) => this.turn(shape.items, property, `${wire}/${place}`, host))
          : given;
      case "Tuple":
        return Array.isArray(given) ? this.#tuple(shape, given, wire, host) : given;
      case "Union":
        return this.#union(shape, given, wire, host);
      default:
        return given;
    }
  }

  #entries(
    properties: ReadonlyArray<readonly [string, Json]>,
    values: ShapeId,
    wire: string,
    host: Host | null
  ): Json {
    return properties.map(([key, property], place) => ({
      key,
      value: this.turn(values, property, `${wire}/${place}/value`, host)
    }));
  }

  #map({ values, keys, isOpen }: MapShape, given: JsonObject, wire: string, host: Host | null): Json {
    const isHeld = ([key]: readonly [string, Json]): boolean => !isOpen || host === null || isKey(keys, key);
    const properties = Object.entries(given);
    for (const property of properties) if (!isHeld(property)) say(host, wire, property);
    return this.#entries(properties.filter(isHeld), values, wire, host);
  }

  /** If null and absence would be confused, they are encoded separately. */
  #property(
    { wireName, shape, required }: Property,
    property: Json | undefined,
    wire: string,
    host: Host | null
  ): Json {
    const isAny = shapeAt(this.#grammar.table, shape)._tag === "Any";
    const isKept = !isAny && allowsNull(this.#grammar, shape);
    if (!required && property === undefined && isKept) say(host, wire, [wireName, OMITTED_PROPERTY]);
    if (!required && property === null && !isKept) say(host, wire, [wireName, null]);
    return property === undefined ? null : this.turn(shape, property, pointerBelow(wire, wireName), host);
  }

  #object(object: ObjectShape, given: JsonObject, wire: string, outer: Host | null): Json {
    const { properties, extra, extraName, listsAdditional, isOpen } = object;
    const host = listsAdditional ? { wire, entries: [] } : outer;
    const named = new Set(properties.map(({ name }) => name));
    const others = Object.entries(given).filter(([name]) => !named.has(name));
    const known = properties.map(
      (property) =>
        [property.wireName, this.#property(property, propertyOf(given, property.name), wire, host)] as const
    );
    if ((extra === null || listsAdditional) && isOpen)
      for (const [name, value] of others) say(host, wire, [name, anything(value)]);
    if (extra === null) return Object.fromEntries(known);
    const listed = listsAdditional
      ? (host?.entries ?? [])
      : this.#entries(others, extra, pointerBelow(wire, extraName), host);
    return Object.fromEntries([...known, [extraName, listed]]);
  }

  #tuple({ slots, rest }: Tuple, given: ReadonlyArray<Json>, wire: string, host: Host | null): Json {
    const others = given.slice(slots.length);
    const of = (shape: ShapeId, name: string, property: Json | undefined): Json =>
      property === undefined ? null : this.turn(shape, property, pointerBelow(wire, name), host);
    return Object.fromEntries([
      ...slots.map(({ wireName, shape }, place) => [wireName, of(shape, wireName, given[place])] as const),
      ...(rest === null
        ? []
        : [[TUPLE_REST, others.map((property, at) => of(rest, `${TUPLE_REST}/${at}`, property))] as const])
    ]);
  }

  #union(shape: Union, given: Json, wire: string, host: Host | null): Json {
    const place = choose(shape, (at, strictness) => {
      const option = shape.options[at];
      return option !== undefined && this.#fits(option, given, strictness);
    });
    const option = place === null ? undefined : shape.options[place];
    if (place === null || option === undefined) return given;
    return this.#grammar.marked.get(shape)?.has(option)
      ? { [optionName(place)]: this.turn(option, given, `${wire}/${optionName(place)}`, host) }
      : this.turn(option, given, wire, host);
  }
}

export const encode = (grammar: Grammar, value: Json): Json =>
  new Encoder(grammar).turn(grammar.table.root, value, "", null);
