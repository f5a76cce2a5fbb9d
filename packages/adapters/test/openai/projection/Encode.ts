/**
 * A value as the wire schema has it, as a model that keeps to it would answer: the way there, for tests of the
 * way back. What does not look like its shape is left as it is.
 */
import { canonicalJson } from "@winnow/core/domain/CanonicalJson";
import { makeFitsOriginal } from "./FitsOriginal.ts";
import { choose, type Grammar } from "../../../src/openai/projection/Grammar.ts";
import {
  ANY_TEXT,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
  type ObjectShape,
  optionName,
  shapeAt,
  type ShapeId,
  TUPLE_REST,
  type Tuple,
  type Union
} from "../../../src/openai/projection/Shape.ts";

class Encoder {
  readonly #grammar: Grammar;
  readonly #fits: ReturnType<typeof makeFitsOriginal>;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    this.#fits = makeFitsOriginal(grammar.table);
  }

  turn(id: ShapeId, given: Json): Json {
    const shape = shapeAt(this.#grammar.table, id);
    switch (shape._tag) {
      case "Literal":
        return canonicalJson(given);
      case "Any":
        return typeof given !== "object" || given === null ? given : { [ANY_TEXT]: canonicalJson(given) };
      case "Object":
        return isObject(given) ? this.#object(shape, given) : given;
      case "Map":
        return isObject(given) ? this.#entries(Object.entries(given), shape.values) : given;
      case "Array":
        return Array.isArray(given) ? given.map((member) => this.turn(shape.items, member)) : given;
      case "Tuple":
        return Array.isArray(given) ? this.#tuple(shape, given) : given;
      case "Union":
        return this.#union(shape, given);
      default:
        return given;
    }
  }

  #entries(members: ReadonlyArray<readonly [string, Json]>, values: ShapeId): Json {
    return members.map(([key, member]) => ({ key, value: this.turn(values, member) }));
  }

  #member(shape: ShapeId, member: Json | undefined): Json {
    return member === undefined ? null : this.turn(shape, member);
  }

  #object({ members, extra, extraName }: ObjectShape, given: JsonObject): Json {
    const named = new Set(members.map(({ name }) => name));
    const others = Object.entries(given).filter(([name]) => !named.has(name));
    return Object.fromEntries([
      ...members.map(
        ({ name, wireName, shape }) => [wireName, this.#member(shape, memberOf(given, name))] as const
      ),
      ...(extra === null ? [] : [[extraName, this.#entries(others, extra)] as const])
    ]);
  }

  #tuple({ slots, rest }: Tuple, given: ReadonlyArray<Json>): Json {
    const others = given.slice(slots.length);
    return Object.fromEntries([
      ...slots.map(({ wireName, shape }, place) => [wireName, this.#member(shape, given[place])] as const),
      ...(rest === null ? [] : [[TUPLE_REST, others.map((member) => this.turn(rest, member))] as const])
    ]);
  }

  #union(shape: Union, given: Json): Json {
    const place = choose(shape, (at, strictness) => {
      const option = shape.options[at];
      return option !== undefined && this.#fits(option, given, strictness);
    });
    const option = place === null ? undefined : shape.options[place];
    if (place === null || option === undefined) return given;
    const turned = this.turn(option, given);
    return this.#grammar.marked.get(shape)?.has(option) ? { [optionName(place)]: turned } : turned;
  }
}

export const encode = (grammar: Grammar, value: Json): Json =>
  new Encoder(grammar).turn(grammar.table.root, value);
