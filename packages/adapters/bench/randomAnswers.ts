/** Random answers that a wire schema allows, as a provider that enforces it would return. */
import { type Random, seededRandom } from "@winnow/testing/samples/seededRandom";
import * as fc from "fast-check";
import { isObject, type Json, type JsonObject, memberOf } from "../src/model/projection/Shape.ts";

/** Below this depth the smallest answers are chosen, so that recursion ends. */
const DEPTH_MAX = 6;

/** An infinitely recursive schema has no answer; beyond this size, the rest of a branching one is null. */
const DEPTH_ENDS = 60;
const VALUES_MAX = 3_000;

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: "2024-05-06",
  time: "12:30:00Z",
  "date-time": "2024-05-06T12:30:00Z",
  duration: "P1DT2H",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "6f1ed002-ab59-4f2a-9d4b-1f0d2c3b4a59"
};

const WORDS = ["a", "Tomato soup", "x-1", "価格", "12", "https://example.com/a"];

const SAMPLES_PER_PATTERN = 12;
const matchingByPattern = new Map<string, ReadonlyArray<string>>();

/** Matching texts; cached, because generating them is slow. */
const matching = (pattern: string): ReadonlyArray<string> => {
  const known = matchingByPattern.get(pattern);
  if (known !== undefined) return known;
  const made = ((): ReadonlyArray<string> => {
    try {
      return fc.sample(fc.stringMatching(new RegExp(pattern, "u")), {
        numRuns: SAMPLES_PER_PATTERN,
        seed: 1
      });
    } catch {
      return ["a"];
    }
  })();
  matchingByPattern.set(pattern, made);
  return made;
};

const isMatch = (pattern: string, text: string): boolean => {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
};

export class RandomAnswers {
  readonly #definitions: JsonObject;
  /** 0 to 1. */
  readonly #chance: Random;
  #values = 0;

  constructor(definitions: JsonObject, seed: number) {
    this.#definitions = definitions;
    this.#chance = seededRandom(seed);
  }

  #one<A>(list: ReadonlyArray<A>): A {
    return list[Math.floor(this.#chance() * list.length)] as A;
  }

  #string(schema: JsonObject): string {
    const { pattern, format } = schema;
    const ofFormat = typeof format === "string" ? BY_FORMAT[format] : undefined;
    if (typeof pattern === "string" && (ofFormat === undefined || !isMatch(pattern, ofFormat))) {
      return this.#one(matching(pattern));
    }
    return ofFormat ?? this.#one(WORDS);
  }

  #number(schema: JsonObject): number {
    const bound = (name: string): number | null => {
      const value = schema[name];
      return typeof value === "number" ? value : null;
    };
    const widest = (bound("maximum") ?? Infinity) - (bound("minimum") ?? -Infinity);
    const usual = schema["type"] === "integer" ? 1 : Math.min(0.5, widest > 0 ? widest / 4 : 0.5);
    const step = bound("multipleOf") ?? usual;
    const above = bound("exclusiveMinimum");
    const low = Math.max(bound("minimum") ?? -Infinity, above === null ? -Infinity : above + step / 2);
    const below = bound("exclusiveMaximum");
    const high = Math.min(bound("maximum") ?? Infinity, below === null ? Infinity : below - step / 2);
    const first = Number.isFinite(low)
      ? Math.ceil(low / step)
      : Number.isFinite(high)
        ? Math.floor(high / step) - 3
        : 0;
    const last = Number.isFinite(high) ? Math.floor(high / step) : first + 5;
    const steps = first + Math.floor(this.#chance() * Math.max(1, Math.min(6, last - first + 1)));
    return Number((steps * step).toPrecision(12));
  }

  of(given: Json, depth = 0): Json {
    if (depth === 0) this.#values = 0;
    if (!isObject(given) || depth > DEPTH_ENDS || ++this.#values > VALUES_MAX) return null;
    const schema = given;
    const reference = memberOf(schema, "$ref");
    if (typeof reference === "string")
      return this.of(this.#definitions[reference.slice("#/$defs/".length)] ?? null, depth + 1);
    const options = memberOf(schema, "anyOf");
    if (Array.isArray(options)) return this.#choice(options, depth);
    const values = memberOf(schema, "enum");
    if (Array.isArray(values)) return this.#one(values);
    switch (memberOf(schema, "type")) {
      case "object": {
        const properties = (memberOf(schema, "properties") ?? {}) as JsonObject;
        return Object.fromEntries(
          Object.entries(properties).map(([name, each]) => [name, this.of(each, depth + 1)])
        );
      }
      case "array": {
        const least = Number(memberOf(schema, "minItems") ?? 0);
        const most = Number(memberOf(schema, "maxItems") ?? least + 2);
        const length =
          depth > DEPTH_MAX ? least : least + Math.floor(this.#chance() * (Math.min(2, most - least) + 1));
        return Array.from({ length: Math.min(length, 50) }, () =>
          this.of(memberOf(schema, "items") ?? null, depth + 1)
        );
      }
      case "string":
        return this.#string(schema);
      case "number":
      case "integer":
        return this.#number(schema);
      case "boolean":
        return this.#chance() < 0.5;
      default:
        return null;
    }
  }

  #choice(options: ReadonlyArray<Json>, depth: number): Json {
    const isNull = (option: Json): boolean => isObject(option) && option["type"] === "null";
    const small =
      options.find(isNull) ?? options.find((option) => isObject(option) && option["$ref"] === undefined);
    const isLarge = depth > DEPTH_MAX || this.#values > VALUES_MAX / 3;
    return isLarge && small !== undefined
      ? this.of(small, depth + 1)
      : this.of(this.#one(options), depth + 1);
  }
}
