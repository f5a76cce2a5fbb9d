/**
 * A model that knows the content's values and sees only the wire schema: it says them in the form that the schema
 * wants, reading names and structure from nothing else.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";

type Json = any;

export interface Wire {
  readonly schema: Json;
  readonly definitions: Json;
}

/** `lost` is 0 if the wire schema has room for the whole value. */
export interface Copy {
  readonly wire: Json;
  readonly lost: number;
}

const OTHER_TYPE = 50;
const REFUSED = 10;
const LEFT_OUT = 5;
const STEPS_MAX = 5_000;

export const resolved = ({ definitions }: Wire, node: Json): Json =>
  typeof node?.$ref === "string" ? (definitions[node.$ref.slice("#/$defs/".length)] ?? {}) : node;

const NAME = /Its name is ("(?:[^"\\]|\\.)*")\./u;

/** The caller's name of a member, as the description says it. */
export const nameOf = (wireName: string, node: Json): string => {
  const stated = NAME.exec(node.description ?? "")?.[1];
  return stated === undefined ? wireName : JSON.parse(stated);
};

const keysOf = (node: Json): string => Object.keys(node?.properties ?? {}).join();
export const isTagged = (node: Json): boolean => /^option_\d+$/u.test(keysOf(node));
export const isJsonText = (node: Json): boolean => keysOf(node) === "json";
export const isEntries = (node: Json): boolean => node.type === "array" && keysOf(node.items) === "key,value";

const ajv = formats.default(new Ajv2020({ strict: false, logger: false, validateSchema: false }));
const compiled = new Map<string, (value: Json) => boolean>();

/** Whether a value fulfils keywords without references; true for those that cannot be compiled. */
export const fulfils = (keywords: Json, value: Json): boolean => {
  const text = JSON.stringify(keywords);
  if (text.includes('"$ref"')) return true;
  try {
    const check = compiled.get(text) ?? (ajv.compile(keywords) as (value: Json) => boolean);
    compiled.set(text, check);
    return check(value);
  } catch {
    return true;
  }
};

const kindOf = (value: Json): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

const isCounted = (node: Json, { length }: ReadonlyArray<unknown>): boolean =>
  length >= (node.minItems ?? 0) && length <= (node.maxItems ?? length);

class Copier {
  #steps = 0;
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  copy(outer: Json, value: Json): Copy {
    const node = resolved(this.#wire, outer);
    const kind = kindOf(value);
    if (++this.#steps > STEPS_MAX) return { wire: value, lost: OTHER_TYPE };
    if (node.anyOf !== undefined) return this.#best(node.anyOf, value);
    if (value === undefined) return { wire: null, lost: node.type === "null" ? 0 : OTHER_TYPE };
    if (isTagged(node)) {
      const [[name, inner]] = Object.entries<Json>(node.properties) as [[string, Json]];
      const { wire, lost } = this.copy(inner, value);
      return { wire: { [name]: wire }, lost };
    }
    const isComposite = kind === "object" || kind === "array";
    if (isJsonText(node))
      return { wire: { json: JSON.stringify(value) }, lost: isComposite ? 0 : OTHER_TYPE };
    if (node.type === "string" && isComposite) {
      const text = canonicalJson(value);
      return { wire: text, lost: node.enum?.includes(text) === true ? 0 : OTHER_TYPE };
    }
    if (isEntries(node) && kind === "object") return this.#entries(node, Object.entries(value));
    if (node.type === "object" && kind === "object") {
      return this.#members(node, value);
    }
    if (node.type === "array" && kind === "array" && !isEntries(node)) return this.#list(node, value);
    const isType = node.type === kind || (kind === "number" && ["integer", "number"].includes(node.type));
    return {
      wire: value,
      lost: isType ? (fulfils({ ...node, description: "" }, value) ? 0 : REFUSED) : OTHER_TYPE
    };
  }

  #best(options: ReadonlyArray<Json>, value: Json): Copy {
    let best: Copy = { wire: null, lost: Number.POSITIVE_INFINITY };
    for (const option of options) {
      const found = this.copy(option, value);
      if (found.lost < best.lost) best = found;
      if (best.lost === 0) break;
    }
    return best;
  }

  #list(node: Json, value: ReadonlyArray<Json>): Copy {
    const items = value.map((item) => this.copy(node.items ?? {}, item));
    const lost = items.reduce((sum, item) => sum + item.lost, isCounted(node, value) ? 0 : LEFT_OUT);
    return { wire: items.map(({ wire }) => wire), lost };
  }

  #entries(node: Json, entries: ReadonlyArray<readonly [string, Json]>): Copy {
    const { key: ofKey, value: ofValue } = node.items.properties;
    const copies = entries.map(([key, value]) => ({ key, ...this.copy(ofValue, value) }));
    const lost = copies.reduce(
      (sum, copy) => sum + copy.lost + (fulfils({ ...ofKey, description: "" }, copy.key) ? 0 : REFUSED),
      isCounted(node, entries) ? 0 : LEFT_OUT
    );
    return { wire: copies.map(({ key, wire }) => ({ key, value: wire })), lost };
  }

  #members(node: Json, value: Json): Copy {
    const copies: Array<readonly [string, Copy]> = [];
    const said = new Set<string>();
    let list: readonly [string, Json] | null = null;
    for (const [wireName, member] of Object.entries<Json>(node.properties)) {
      const name = nameOf(wireName, member);
      const isOthers =
        wireName.startsWith("additional") &&
        isEntries(resolved(this.#wire, member)) &&
        kindOf(value[name]) !== "object";
      if (isOthers) list = [wireName, resolved(this.#wire, member)];
      else {
        said.add(name);
        copies.push([wireName, this.copy(member, Object.hasOwn(value, name) ? value[name] : undefined)]);
      }
    }
    const others = Object.entries<Json>(value).filter(([name]) => !said.has(name));
    if (list !== null) copies.push([list[0], this.#entries(list[1], others)]);
    const leftOut = list === null ? others.length * LEFT_OUT : 0;
    return {
      wire: Object.fromEntries(copies.map(([name, { wire }]) => [name, wire])),
      lost: copies.reduce((sum, [, { lost }]) => sum + lost, leftOut)
    };
  }
}

export const copied = (wire: Wire, value: Json): Copy => new Copier(wire).copy(wire.schema, value);
