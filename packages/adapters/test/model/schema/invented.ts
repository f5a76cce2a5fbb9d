/**
 * Models that invent values for a wire schema and see nothing else: one heeds the descriptions, one does not. Both heed
 * the faults that they are told.
 */
import * as fc from "fast-check";
import { pointerBelow } from "@winnow/core/domain/text/Json";
import { fulfils, isEntries, isJsonText, isTagged, nameOf, resolved, type Wire } from "./copied.ts";

type Json = any;

/** A fault as the model is told it. */
export interface Told {
  readonly path: string;
  readonly message: string;
}

/** From 0 to 1, the same for the same text. */
const chance = (text: string): number => {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T10:00:00Z",
  time: "10:00:00Z",
  duration: "PT5M",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  byte: "YQ==",
  "uri-reference": "/a"
};

const inventedText = (node: Json, salt: string): string => {
  const { pattern, format, minLength = 0, maxLength = 200 } = node;
  if (typeof pattern === "string") {
    try {
      const found = fc.sample(fc.stringMatching(new RegExp(pattern, "u")), {
        seed: Math.floor(chance(salt) * 1e9),
        numRuns: 20
      });
      const fits = found.find((each) => each.length >= minLength && each.length <= maxLength);
      return fits ?? found[0] ?? "a";
    } catch {
      // fast-check knows no look-around.
    }
  }
  const text = FORMATS[format] ?? `text ${Math.floor(chance(salt) * 1_000)}`;
  return FORMATS[format] === undefined ? text.padEnd(minLength, "x").slice(0, maxLength) : text;
};

const inventedNumber = (node: Json, salt: string): number => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, type, format } = node;
  const isWhole = type === "integer" || format === "int32" || format === "int64";
  const [low, high] = [exclusiveMinimum ?? minimum, exclusiveMaximum ?? maximum];
  const from = low ?? (high === undefined ? 1 : high - 100);
  const to = high ?? from + 100;
  const step = multipleOf ?? (isWhole ? 1 : null);
  const value = from + (0.1 + chance(salt) * 0.8) * (to - from);
  if (step === null) return value;
  const whole = Math.round(value / step) * step;
  if (whole < from || (whole === from && exclusiveMinimum !== undefined)) return whole + step;
  return whole > to || (whole === to && exclusiveMaximum !== undefined) ? whole - step : whole;
};

/** The schemas that a description states. */
const statedIn = (words: string): ReadonlyArray<Json> =>
  words
    .split("Must also satisfy ")
    .slice(1)
    .flatMap((rest) => {
      for (let end = rest.indexOf("."); end !== -1; end = rest.indexOf(".", end + 1)) {
        try {
          return [JSON.parse(rest.slice(0, end))].flat();
        } catch {
          // The text goes on.
        }
      }
      return [];
    });

/** Of a map: what its description says of the keys. */
const keysIn = (words: string): ReadonlyArray<Json> => {
  const patterns = /Keys match \/(.*?)\/(?: or .*)?\./su.exec(words)?.[1];
  return patterns === undefined ? [] : [{ propertyNames: { pattern: patterns } }];
};

const PATTERNS: ReadonlyArray<readonly [RegExp, (found: string) => Json]> = [
  [/NOT have fewer than (\d+) char/u, (n) => ({ minLength: Number(n) })],
  [/NOT have more than (\d+) char/u, (n) => ({ maxLength: Number(n) })],
  [/NOT have fewer than (\d+) items/u, (n) => ({ minItems: Number(n) })],
  [/NOT have more than (\d+) items/u, (n) => ({ maxItems: Number(n) })],
  [/NOT have fewer than (\d+) prop/u, (n) => ({ minProperties: Number(n) })],
  [/NOT have more than (\d+) prop/u, (n) => ({ maxProperties: Number(n) })],
  [/match pattern "(.*)"$/su, (pattern) => ({ pattern })],
  [/match format "(.*)"/u, (format) => ({ format })],
  [/allowed values: (.*)$/su, (list) => ({ enum: JSON.parse(`[${list}]`) })],
  [/equal to constant: (.*)$/su, (value) => ({ const: JSON.parse(value) })],
  [/must be >= (\S+)/u, (n) => ({ minimum: Number(n) })],
  [/must be <= (\S+)/u, (n) => ({ maximum: Number(n) })],
  [/must be > (\S+)/u, (n) => ({ exclusiveMinimum: Number(n) })],
  [/must be < (\S+)/u, (n) => ({ exclusiveMaximum: Number(n) })],
  [/multiple of (\S+)/u, (n) => ({ multipleOf: Number(n) })],
  [/required property '(.*)'/u, (name) => ({ required: [name] })],
  [/have propert(?:y|ies) (.*) when property/u, (names) => ({ required: names.split(", ") })],
  [/additional properties: (".*")$/u, (name) => ({ properties: { [JSON.parse(name)]: false } })],
  [/unevaluated properties: (".*")$/u, (name) => ({ properties: { [JSON.parse(name)]: false } })],
  [/(duplicate items)/u, () => ({ uniqueItems: true })],
  [/must be ([a-z,]+)$/u, (types) => ({ type: types.split(",") })]
];

const ruleOf = ({ message }: Told): Json => {
  for (const [words, rule] of PATTERNS) {
    const [, found] = words.exec(message) ?? [];
    try {
      if (found !== undefined) return rule(found);
    } catch {
      return {};
    }
  }
  return {};
};

const TRIES = 16;
const STEPS_MAX = 5_000;

/** A part of an answer: on the wire, and what it means; undefined if it is absent. */
interface Part {
  readonly wire: Json;
  readonly means: Json;
}

interface Place {
  /** Of the value in the caller's form. */
  readonly path: string;
  /** What the model draws by. */
  readonly salt: string;
  readonly depth: number;
}

const DEPTH_MAX = 9;
/** A schema may require a part of itself, which no value can have. */
const ENDLESS_DEPTH = 100;
const NOTHING: Part = { wire: null, means: undefined };

const isNull = (option: Json): boolean => option.type === "null";

class Inventor {
  #steps = 0;
  readonly #wire: Wire;
  readonly #heeds: boolean;
  readonly #rules = new Map<string, Array<Json>>();

  constructor(wire: Wire, heeds: boolean, told: ReadonlyArray<Told>) {
    this.#wire = wire;
    this.#heeds = heeds;
    for (const each of told) {
      this.#rules.set(each.path, [...(this.#rules.get(each.path) ?? []), ruleOf(each)]);
    }
  }

  part(given: Json, place: Place, stated: ReadonlyArray<Json> = []): Part {
    if (place.depth > ENDLESS_DEPTH) return NOTHING;
    const node = resolved(this.#wire, given);
    const words = this.#heeds ? [...new Set([given.description ?? "", node.description ?? ""])] : [];
    const known = [...stated, ...words.flatMap(statedIn), ...(isEntries(node) ? words.flatMap(keysIn) : [])];
    const rules = this.#rules.get(place.path) ?? [];
    const salt = rules.length > 0 ? `${place.salt}!` : place.salt;
    let last = NOTHING;
    for (let attempt = 0; attempt < TRIES && this.#steps <= STEPS_MAX; attempt++) {
      last = this.#once(node, { ...place, salt: `${salt}${attempt || ""}` }, known, [...known, ...rules]);
      if (last.means === undefined && rules.length === 0) break;
      if ([...known, ...rules].every((each) => fulfils(each, last.means ?? null))) break;
    }
    return last;
  }

  #once(node: Json, place: Place, told: ReadonlyArray<Json>, known: ReadonlyArray<Json>): Part {
    this.#steps++;
    const { salt } = place;
    if (node.anyOf !== undefined) return this.#option(node.anyOf, place, told);
    const merged = Object.assign(
      {},
      node,
      ...known.map(({ type: _type, $ref: _ref, properties: _properties, ...rest }) => rest)
    );
    const stated: ReadonlyArray<Json> = merged.const === undefined ? (merged.enum ?? []) : [merged.const];
    const listed: ReadonlyArray<Json> = node.enum ?? stated.filter((value) => typeof value !== "object");
    if (isJsonText(node)) {
      return { wire: { json: '{"a":1}' }, means: { a: 1 } };
    }
    if (node.type === "object") return this.#object(node, place);
    if (node.type === "array") return this.#array(node, place, merged);
    if (listed.length > 0) {
      const value = listed[Math.floor(chance(`${salt}enum`) * listed.length)];
      return { wire: value, means: /^[[{]/u.test(String(value)) ? JSON.parse(value) : value };
    }
    const value = this.#scalar(node, merged, salt);
    return { wire: value, means: value };
  }

  #scalar({ type }: Json, merged: Json, salt: string): Json {
    if (type === "string") return inventedText(merged, `${salt}text`);
    if (type === "boolean") return chance(`${salt}boolean`) < 0.5;
    return type === "null" ? null : inventedNumber({ ...merged, type }, `${salt}number`);
  }

  #isDeep({ depth }: Place): boolean {
    return depth > DEPTH_MAX || this.#steps > STEPS_MAX;
  }

  #option(options: ReadonlyArray<Json>, place: Place, stated: ReadonlyArray<Json>): Part {
    const others = options.filter((option) => !isNull(option));
    const scalars = options.filter((option) => {
      const { type, anyOf } = resolved(this.#wire, option);
      return type !== "object" && type !== "array" && anyOf === undefined;
    });
    const { salt, depth } = place;
    if (others.length < options.length && (this.#isDeep(place) || chance(`${salt}null`) < 0.3))
      return NOTHING;
    const from = this.#isDeep(place) && scalars.length > 0 ? scalars : others;
    const option = from[Math.floor(chance(`${salt}option`) * from.length)] ?? { type: "null" };
    return this.part(option, { ...place, depth: depth + 0.5 }, stated);
  }

  #object(node: Json, place: Place): Part {
    const members = Object.entries<Json>(node.properties ?? {});
    const [only] = members;
    if (isTagged(node) && only !== undefined) {
      const { wire, means } = this.part(only[1], place);
      return { wire: { [only[0]]: wire }, means };
    }
    const [written, means]: [Json, Json] = [{}, {}];
    for (const [wireName, member] of members) {
      const isList = wireName.startsWith("additional") && isEntries(resolved(this.#wire, member));
      const name = nameOf(wireName, member);
      const inner = isList ? { ...NOTHING, wire: [] } : this.part(member, this.#below(place, name));
      written[wireName] = inner.wire;
      if (inner.means !== undefined) means[name] = inner.means;
    }
    return { wire: written, means };
  }

  #below({ path, salt, depth }: Place, name: string): Place {
    return { path: pointerBelow(path, name), salt: `${salt}/${name}`, depth: depth + 1 };
  }

  #array(node: Json, place: Place, merged: Json): Part {
    const isMap = isEntries(node);
    const least = Math.max(node.minItems ?? 0, (isMap ? merged.minProperties : merged.minItems) ?? 0);
    const most = Math.max(least, node.maxItems ?? merged.maxItems ?? 3);
    const drawn = this.#isDeep(place) ? 0 : 1 + Math.floor(chance(`${place.salt}count`) * 2);
    const count = Math.min(Math.max(least, drawn), most, 30);
    const parts = Array.from({ length: count }, (_, at): Part => {
      if (!isMap) return this.part(node.items ?? {}, this.#below(place, String(at)));
      const { key, value } = node.items.properties;
      const ofKey = this.#below({ ...place, path: `${place.path}~key` }, String(at));
      const name = this.part({ ...merged.propertyNames, ...key }, ofKey).wire;
      const { wire, means } = this.part(value, this.#below(place, name));
      return { wire: { key: name, value: wire }, means: [name, means ?? null] };
    });
    const means = parts.map((each) => each.means ?? null);
    return { wire: parts.map(({ wire }) => wire), means: isMap ? Object.fromEntries(means) : means };
  }
}

/** `told` are the faults of an earlier answer. */
export const invented = (wire: Wire, heeds: boolean, seed: string, told: ReadonlyArray<Told>): Json =>
  new Inventor(wire, heeds, told).part(wire.schema, { path: "", salt: seed, depth: 0 }).wire;
