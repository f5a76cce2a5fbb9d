/**
 * How the fake model responds: correctly, or in one of the ways that real servers and models fail. Chosen by
 * the model's name (`fake-no-match` for `no_match`), or by a test for the next requests.
 */
import { fieldsFrom, type Filled, fillFrom } from "./FakeExtraction.ts";
import { isObject, type Json, type JsonObject, memberOf, type SeenRequest, unmarked } from "./FakeContent.ts";

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
  /** In a code fence, with prose around it. */
  "fenced_json",
  /** Truncated at the output limit, always. */
  "truncated",
  /** Truncated once, complete with a higher limit. */
  "truncated_then_ok",
  "refusal",
  "refuse_strict",
  "refuse_json_schema",
  "refuse_response_format",
  /** 400 without an explanation, to any response_format. */
  "refuse_response_format_wordlessly",
  "refuse_max_completion_tokens",
  "refuse_temperature",
  "refuse_images",
  "refuse_audio",
  "refuse_transcription",
  "refuse_transcription_times",
  /** 503 for every transcription, and only for these. */
  "transcription_fails",
  /** Transcribes words from silence, as speech models do. */
  "hears_silence",
  "context_exceeded",
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
    case "context_exceeded":
      return fault(400, "This model's maximum context length is 4096 tokens.", {
        code: "context_length_exceeded"
      });
    default:
      return null;
  }
};

/** Rejects requests that use a feature the server does not support. */
export const featureFault = (
  behaviour: Behaviour,
  body: JsonObject,
  seen: SeenRequest
): HttpAnswer | null => {
  const format = body["response_format"] as JsonObject | undefined;
  const isSchema = format?.["type"] === "json_schema";
  const jsonSchema = format?.["json_schema"] as JsonObject | undefined;
  const isStrict = isSchema && jsonSchema?.["strict"] === true;
  const refused = (param: string): HttpAnswer => fault(400, `Unsupported parameter: '${param}'.`, { param });
  switch (behaviour) {
    case "refuse_strict":
      return isStrict ? refused("response_format") : null;
    case "refuse_json_schema":
      return isSchema ? refused("response_format") : null;
    case "refuse_response_format":
      return format === undefined ? null : refused("response_format");
    case "refuse_response_format_wordlessly":
      return format === undefined ? null : fault(400, "Bad request");
    case "refuse_max_completion_tokens":
      return body["max_completion_tokens"] === undefined ? null : refused("max_completion_tokens");
    case "refuse_temperature":
      return body["temperature"] === undefined ? null : refused("temperature");
    case "refuse_images":
      return seen.partTypes.has("image_url") ? fault(400, "This model does not support image input.") : null;
    case "refuse_audio":
      return seen.partTypes.has("input_audio")
        ? fault(400, "This model does not support audio input.")
        : null;
    default:
      return null;
  }
};

/**
 * The fake model obeys instructions outside the fences, so that tests notice content that escaped from them.
 */
const ORDER = /set the verdict to (ok|no_match|uncertain)/iu;

/** When asked to merge the answers of sections, it returns the merge unchanged. */
const RECONCILING = "The content was read in ";
const MERGED = /^Merged: (\{.*\})$/mu;

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
    fillFrom(isObject(first ?? null) ? (first as JsonObject) : {}, definitions, seen.content);
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
  const json = JSON.stringify(answer);
  return behaviour === "fenced_json"
    ? `Here is the answer {as asked}:\n\`\`\`json\n${json}\n\`\`\`\nDone.`
    : json;
};
