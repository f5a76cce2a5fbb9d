/**
 * How the fake model responds: correctly, or in one of the ways that real servers and models fail. Chosen by
 * the model's name (`fake-no-match` for `no_match`), or by a test for the next requests. Tests: adapters'
 * FakeOpenAiServer.test.ts.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { memberOf, unmarked, type Json, type SeenRequest } from "./FakeContent.ts";

// Fills a schema from a text without a model, deterministically: "price: 12" fills `price`, and a field without
// a label takes the next sentence. Values come with the text they were read from.

interface Filled {
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
    return isJsonObject(target ?? null) ? (target as JsonObject) : {};
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
    if (!isJsonObject(items ?? null)) return [];
    return Array.from({ length: count }, (_, place) =>
      this.fill(items as JsonObject, name.replace(/s$/u, ""), `${path}/${place}`, depth + 1)
    );
  }

  #choice(options: ReadonlyArray<Json>, name: string, path: string, depth: number): Json {
    const schemas = options.filter(isJsonObject).map((option) => this.#resolved(option));
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
            isJsonObject(inner) ? this.fill(inner, member, `${path}/${member}`, depth + 1) : null
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
const fillFrom = (schema: JsonObject, definitions: JsonObject, content: string): Filled => {
  const reader = new Reader(content, definitions);
  return { value: reader.fill(schema, "", "", 0), evidence: reader.evidence };
};

/** `Serves: 4`, `Total time = 20 minutes`. */
const LABELLED_LINE = /^\s*([A-Za-z][A-Za-z ]{1,30})\s*[:=]\s*(\S[^\n]*)$/gmu;

/** Fields that the fake model proposes: one for each "Label: value" line. */
const fieldsFrom = (content: string): Json => ({
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

export const BEHAVIOURS = [
  "ok",
  "no_match",
  "uncertain",
  /** An answer that does not conform, repaired on request. */
  "invalid_then_ok",
  "always_invalid",
  /** Quotes whole lines of Markdown including their syntax. */
  "quotes_marks",
  /** Two million characters of a list. */
  "huge_answer",
  /** Nested deeper than any stack. */
  "deep_answer",
  /** Every value has the wrong type. */
  "wrong_types",
  /** Truncated at the output limit, always. */
  "truncated",
  /** Truncated once, complete with a higher limit. */
  "truncated_then_ok",
  "refusal",
  "refuse_images",
  "refuse_transcription",
  "refuse_transcription_times",
  /** 503 for every transcription, and only for these. */
  "transcription_fails",
  /** Transcribes words from silence, as speech models do. */
  "hears_silence",
  /** 429 with Retry-After of one second, then an answer. */
  "rate_limited",
  "always_rate_limited",
  /** 500 once, then an answer. */
  "server_error",
  "always_server_error",
  /** The connection closes without a response, once. */
  "dropped",
  "always_dropped",
  /** The connection closes in the middle of a response, once. */
  "broken_off",
  /** Responds after `slowMs`. */
  "slow",
  /** Rejects the API key. */
  "unauthorized"
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** The behaviour that the model's name contains: `no_match` for `fake-no-match`, `ok` for other names. */
export const behaviourOf = (model: string): Behaviour => {
  const name = model.replace(/^fake-/u, "").replaceAll("-", "_");
  return BEHAVIOURS.find((behaviour) => behaviour === name) ?? "ok";
};

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
}

export const fault = (status: number, message: string, more: JsonObject = {}): HttpAnswer => ({
  status,
  body: { error: { message, type: "invalid_request_error", param: null, code: null, ...more } }
});

/** `earlier`: number of earlier requests with this behaviour. */
export const httpFault = (behaviour: Behaviour, earlier: number): HttpAnswer | null => {
  const once = earlier === 0;
  switch (behaviour) {
    case "rate_limited":
    case "always_rate_limited":
      return once || behaviour === "always_rate_limited"
        ? { ...fault(429, "Rate limit reached."), headers: { "retry-after": "1" } }
        : null;
    case "server_error":
    case "always_server_error":
      return once || behaviour === "always_server_error" ? fault(500, "The server had an error.") : null;
    case "unauthorized":
      return fault(401, "Incorrect API key provided.", { code: "invalid_api_key" });
    default:
      return null;
  }
};

/** Rejects requests that use a feature the server does not support. */
export const featureFault = (behaviour: Behaviour, { partTypes }: SeenRequest): HttpAnswer | null =>
  behaviour === "refuse_images" && partTypes.has("image_url")
    ? fault(400, "This model does not support image input.")
    : null;

/**
 * The fake model obeys instructions outside the fences, so that tests notice content that escaped from them.
 */
const ORDER = /set the verdict to (ok|no_match|uncertain)/iu;

/** When asked to merge the answers of sections, it returns the merge unchanged. */
const RECONCILING = "The content was read in ";
const MERGED = /^Merged: (\{[^\n]*\})$/mu;

const mergedIn = ({ task, content }: SeenRequest): Filled | null => {
  const merged = task.includes(RECONCILING) ? MERGED.exec(content)?.[1] : undefined;
  if (merged === undefined) return null;
  const { extraction, quotes } = JSON.parse(merged) as {
    readonly extraction: Json;
    readonly quotes: ReadonlyArray<{ readonly pointer: string; readonly quote: string }>;
  };
  return { value: extraction, evidence: quotes.map(({ pointer, quote }) => ({ path: pointer, quote })) };
};

/** The line of the Markdown that contains a quote. */
const markedLine = ({ marked }: SeenRequest, quote: string): string =>
  marked.split("\n").find((line) => unmarked(line).includes(quote)) ?? quote;

const envelope = (seen: SeenRequest, schema: JsonObject, behaviour: Behaviour): Json => {
  const properties = memberOf(schema, "properties") as JsonObject | undefined;
  const data = (properties?.["data"] ?? {}) as JsonObject;
  const options = memberOf(data, "anyOf");
  const [first] = Array.isArray(options) ? options : [data];
  const definitions = (memberOf(schema, "$defs") ?? {}) as JsonObject;
  const verdict = ORDER.exec(seen.task)?.[1] ?? behaviour;
  if (verdict === "no_match" || verdict === "uncertain") {
    const reason =
      verdict === "no_match" ? "The content is about something else." : "The content does not say enough.";
    return { verdict, reason, confidence: 0.9, evidence: [], data: null };
  }
  const { value, evidence } =
    mergedIn(seen) ??
    fillFrom(isJsonObject(first ?? null) ? (first as JsonObject) : {}, definitions, seen.content);
  const isInvalid = behaviour === "always_invalid" || (behaviour === "invalid_then_ok" && !seen.isRepair);
  return {
    verdict: "ok",
    reason: "",
    confidence: 0.9,
    evidence:
      behaviour === "quotes_marks"
        ? evidence.map(({ path, quote }) => ({ path, quote: markedLine(seen, quote) }))
        : [...evidence],
    data: isInvalid ? { made: "up" } : value
  };
};

const HUGE_VALUES = 300_000;
const DEEP_LEVELS = 200_000;

const hostile = (behaviour: Behaviour): string | null => {
  switch (behaviour) {
    case "huge_answer":
      return `{"verdict":"ok","data":{"title":[${"12345,".repeat(HUGE_VALUES)}0]}}`;
    case "deep_answer":
      return `{"verdict":"ok","data":${"[".repeat(DEEP_LEVELS)}${"]".repeat(DEEP_LEVELS)}}`;
    case "wrong_types":
      return JSON.stringify({ verdict: ["ok"], reason: 7, confidence: "very", evidence: {}, data: [true] });
    default:
      return null;
  }
};

/** The text that the model returns. */
export const writtenBy = (behaviour: Behaviour, seen: SeenRequest): string => {
  const odd = hostile(behaviour);
  if (odd !== null) return odd;
  const { schema } = seen;
  if (schema === null) return `I read ${seen.content.length} characters.`;
  const properties = (memberOf(schema, "properties") ?? {}) as JsonObject;
  const answer = Object.hasOwn(properties, "fields")
    ? fieldsFrom(seen.content)
    : Object.hasOwn(properties, "verdict")
      ? envelope(seen, schema, behaviour)
      : fillFrom(schema, (memberOf(schema, "$defs") ?? {}) as JsonObject, seen.content).value;
  return JSON.stringify(answer);
};
