/**
 * Fills a schema from a text without a model, deterministically: "price: 12" fills `price`, and a field without
 * a label takes the next sentence. Values come with the text they were read from.
 */
import { isObject, type Json, type JsonObject, memberOf } from "./FakeContent.ts";

export interface Filled {
  readonly value: Json;
  readonly evidence: ReadonlyArray<{ readonly path: string; readonly quote: string }>;
}

/** Recursive schemas end here with null or an empty list. */
const DEPTH_MAX = 8;

/** How a list of further members is described: they are only filled if the user requests them. */
const UNLESS_REQUESTED = "Empty, unless";

const QUOTE_CHARS_MAX = 200;

/** Splits a member name into words: "prep time" for `prepTime` and `prep_time`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replace(/[_-]+/gu, " ")
    .trim()
    .toLowerCase();

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

class Reader {
  readonly evidence: Array<{ path: string; quote: string }> = [];
  readonly #content: string;
  readonly #definitions: JsonObject;
  readonly #sentences: ReadonlyArray<string>;
  #next = 0;

  constructor(content: string, definitions: JsonObject) {
    this.#content = content;
    this.#definitions = definitions;
    this.#sentences = content
      .split(/(?<=[.!?。])\s+|\n+/u)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.length > 2);
  }

  /** The text after "name:", to the end of the line or sentence. */
  #labelled(name: string): string | null {
    const pattern = new RegExp(
      String.raw`(?:^|[\n.;,(]|\s)${escaped(wordsOf(name)).replaceAll(" ", String.raw`[\s_-]*`)}\s*[:=]\s*([^\n;]+?)(?=\.\s|\.?$|[\n;])`,
      "iu"
    );
    return pattern.exec(this.#content)?.[1]?.trim() ?? null;
  }

  #resolved(schema: JsonObject): JsonObject {
    const reference = memberOf(schema, "$ref");
    if (typeof reference !== "string") return schema;
    const target = memberOf(this.#definitions, reference.split("/").at(-1) ?? "");
    return isObject(target ?? null) ? (target as JsonObject) : {};
  }

  #quoted(path: string, quote: string): void {
    this.evidence.push({ path, quote: quote.slice(0, QUOTE_CHARS_MAX) });
  }

  #string(schema: JsonObject, name: string, path: string): Json {
    const values = memberOf(schema, "enum");
    if (Array.isArray(values)) {
      const low = this.#content.toLowerCase();
      const found = values.find((value) => typeof value === "string" && low.includes(value.toLowerCase()));
      return found ?? values[0] ?? "";
    }
    const format = memberOf(schema, "format");
    if (format === "date") return /\d{4}-\d\d-\d\d/u.exec(this.#content)?.[0] ?? "2026-01-31";
    if (format === "date-time") return "2026-01-31T12:00:00Z";
    if (format === "uuid") return "6f2b8d1e-6d0f-4c3a-9a57-0d3c5c1f2a10";
    if (format === "email") return "someone@example.com";
    const sentence =
      this.#labelled(name) ?? this.#sentences[this.#next++ % Math.max(1, this.#sentences.length)];
    if (sentence === undefined) return "";
    this.#quoted(path, sentence);
    return sentence;
  }

  #number(schema: JsonObject, name: string, path: string): Json {
    const labelled = this.#labelled(name);
    const digits = /-?\d+(?:\.\d+)?/u.exec(labelled ?? this.#content)?.[0];
    const number = digits === undefined ? 0 : Number(digits);
    if (digits !== undefined) this.#quoted(path, digits);
    const bound = (keyword: string, otherwise: number): number => {
      const value = memberOf(schema, keyword);
      return typeof value === "number" ? value : otherwise;
    };
    const within = Math.min(
      bound("maximum", Number.MAX_VALUE),
      Math.max(bound("minimum", -Number.MAX_VALUE), number)
    );
    return memberOf(schema, "type") === "integer" ? Math.round(within) : within;
  }

  #list(schema: JsonObject, name: string, path: string, depth: number): Json {
    const items = memberOf(schema, "items");
    const least = memberOf(schema, "minItems");
    const count = Math.max(typeof least === "number" ? least : 0, depth >= DEPTH_MAX ? 0 : 1);
    // Empty, as the description requests.
    if (String(memberOf(schema, "description")).startsWith(UNLESS_REQUESTED)) return [];
    if (!isObject(items ?? null)) return [];
    return Array.from({ length: count }, (_, place) =>
      this.fill(items as JsonObject, name.replace(/s$/u, ""), `${path}/${place}`, depth + 1)
    );
  }

  #choice(options: ReadonlyArray<Json>, name: string, path: string, depth: number): Json {
    const schemas = options.filter(isObject).map((option) => this.#resolved(option));
    const nullable = schemas.some((option) => memberOf(option, "type") === "null");
    const first = schemas.find((option) => memberOf(option, "type") !== "null");
    if (first === undefined) return null;
    const isScalar = !["object", "array"].includes(String(memberOf(first, "type") ?? "object"));
    if (nullable && (depth >= DEPTH_MAX || (isScalar && this.#labelled(name) === null))) return null;
    return this.fill(first, name, path, depth + 1);
  }

  fill(given: JsonObject, name: string, path: string, depth: number): Json {
    const schema = this.#resolved(given);
    const options = memberOf(schema, "anyOf");
    if (Array.isArray(options)) return this.#choice(options, name, path, depth);
    switch (memberOf(schema, "type")) {
      case "object":
        return Object.fromEntries(
          Object.entries((memberOf(schema, "properties") ?? {}) as JsonObject).map(([member, inner]) => [
            member,
            isObject(inner) ? this.fill(inner, member, `${path}/${member}`, depth + 1) : null
          ])
        );
      case "array":
        return this.#list(schema, name, path, depth);
      case "number":
      case "integer":
        return this.#number(schema, name, path);
      case "boolean":
        return /^(?:yes|true)\b/iu.test(this.#labelled(name) ?? "");
      case "string":
        return this.#string(schema, name, path);
      default:
        return null;
    }
  }
}

/** Pointers of the evidence refer to the returned value. */
export const fillFrom = (schema: JsonObject, definitions: JsonObject, content: string): Filled => {
  const reader = new Reader(content, definitions);
  return { value: reader.fill(schema, "", "", 0), evidence: reader.evidence };
};

const LABELLED_LINE = /^\s*([A-Za-z][A-Za-z ]{1,30})\s*[:=]\s*(\S[^\n]*)$/gmu;

/** Fields that the fake model proposes: one for each "Label: value" line. */
export const fieldsFrom = (content: string): Json => ({
  name: "Labelled values",
  fields: [...content.matchAll(LABELLED_LINE)].map(([, label = "", value = ""]) => ({
    path: label
      .trim()
      .toLowerCase()
      .replace(/\s+([a-z])/gu, (_, letter: string) => letter.toUpperCase()),
    type: /^-?\d+(?:\.\d+)?$/u.test(value.trim()) ? "number" : "string",
    description: `The value of "${label.trim()}".`,
    required: false,
    isArray: false
  }))
});
