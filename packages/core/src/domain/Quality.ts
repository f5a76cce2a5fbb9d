/**
 * How good an answer is, for auto mode (specification, `auto`; docs/schemas.md with worked numbers):
 * 0.5 x grounded share + 0.3 x filled share + 0.2 x the model's confidence.
 */
import type * as Schema from "effect/Schema";
import { type Evidence, isProven } from "./Evidence.ts";
import type { Outcome } from "./Extraction.ts";
import { leavesOf, type Leaf } from "./Grounding.ts";
import { isJsonObject, pointedAt, type JsonObject } from "./SchemaRules.ts";

/** An answer that scores this much is good enough: no dearer inputs are tried. */
export const QUALITY_THRESHOLD = 0.7;

/** With so many words read, a verdict of `no_match` is believed: nobody pays to disprove it. */
export const NO_MATCH_WORDS = 300;

/** Confidence counted for a model that does not say: neither sure nor unsure. */
export const CONFIDENCE_UNSAID = 0.5;

const WEIGHTS = { grounded: 0.5, filled: 0.3, confidence: 0.2 } as const;

/** Places of schema and value that are walked: answers are smaller, hostile schemas are not. */
const PLACES_MAX = 20_000;

/** What models write when they have nothing to write. */
const PLACEHOLDER =
  /^(?:[\s.\-–—?_]*|n\.?\/?a\.?|none|null|nil|unknown|undefined|tbd|not (?:specified|mentioned|available|provided|given|stated|known|applicable))\.?$/iu;

/** Whether a value says something: no null, placeholder, empty list or empty object. */
export const isFilled = (value: Schema.Json | undefined): boolean => {
  if (value === null || value === undefined) return false;
  if (typeof value === "string") return !PLACEHOLDER.test(value.trim());
  if (typeof value !== "object") return true;
  return (Array.isArray(value) ? value : Object.keys(value)).length > 0;
};

export interface Share {
  readonly count: number;
  readonly total: number;
}

/** Steps of one reference to another that are followed. */
const REFERENCES_MAX = 10;

const resolved = (root: JsonObject, schema: unknown): JsonObject => {
  let place = schema;
  for (let steps = 0; steps < REFERENCES_MAX && isJsonObject(place); steps++) {
    const { $ref } = place;
    if (typeof $ref !== "string") return place;
    place = pointedAt(root, $ref);
  }
  return {};
};

/** The members that the schema requires, wherever the value has the object they belong to. */
export const requiredShare = (schema: JsonObject, extraction: Schema.Json): Share => {
  let count = 0;
  let total = 0;
  let places = 0;
  const walk = (at: unknown, value: Schema.Json): void => {
    places += 1;
    if (places > PLACES_MAX || typeof value !== "object" || value === null) return;
    const { required, properties, items } = resolved(schema, at);
    if (Array.isArray(value)) return value.forEach((item) => walk(items, item));
    for (const name of Array.isArray(required) ? required : []) {
      if (typeof name !== "string") continue;
      total += 1;
      if (Object.hasOwn(value, name) && isFilled((value as JsonObject)[name])) count += 1;
    }
    for (const [name, member] of Object.entries(value)) {
      if (isJsonObject(properties) && Object.hasOwn(properties, name)) walk(properties[name], member);
    }
  };
  walk(schema, extraction);
  return { count, total };
};

/**
 * Pictures or sound were read as they are: their values stand in no text. A value without evidence that the
 * cheaper rung did not have may come from there.
 */
export interface Wordless {
  /** Null when there was no cheaper rung, or it had no extraction. */
  readonly before: Schema.Json;
}

/** Neither for nor against the answer: what a value counts that may have been seen or heard. */
const UNQUOTABLE_SHARE = 0.5;

/** The values that are there and have evidence; `count` is not whole where values count in part. */
export const groundedShare = (
  extraction: Schema.Json,
  evidence: Evidence,
  wordless: Wordless | null = null
): Share => {
  const filled = leavesOf(extraction).filter(({ value }) => isFilled(value));
  const known = new Set(wordless === null ? [] : leavesOf(wordless.before).map(({ value }) => value));
  const counts = ({ pointer, value }: Leaf): number => {
    if (isProven(evidence[pointer])) return 1;
    return wordless === null || known.has(value) ? 0 : UNQUOTABLE_SHARE;
  };
  return { count: filled.reduce((sum, leaf) => sum + counts(leaf), 0), total: filled.length };
};

export interface Judged {
  readonly outcome: Outcome;
  /** 0 to 1; null when the model does not say. */
  readonly confidence: number | null;
  readonly extraction: Schema.Json;
  readonly evidence: Evidence;
  /** Null when only words were read. */
  readonly wordless: Wordless | null;
}

/** 0 to 1; 0 for `no_match` and `uncertain`. Without required members, any value at all fills the share. */
export const qualityOf = (
  schema: JsonObject,
  { outcome, extraction, evidence, confidence, wordless }: Judged
): number => {
  if (outcome !== "ok") return 0;
  const grounded = groundedShare(extraction, evidence, wordless);
  const required = requiredShare(schema, extraction);
  const filled = required.total === 0 ? Number(grounded.total > 0) : required.count / required.total;
  const sure = Math.min(1, Math.max(0, confidence ?? CONFIDENCE_UNSAID));
  return (
    WEIGHTS.grounded * (grounded.total === 0 ? 0 : grounded.count / grounded.total) +
    WEIGHTS.filled * filled +
    WEIGHTS.confidence * sure
  );
};

/** What one rung of auto mode came to. */
export interface RungQuality {
  readonly outcome: Outcome;
  readonly quality: number;
  /** Words of all texts that were read. */
  readonly words: number;
}

/** Sums of weights are not exact in binary: 0.5 + 0.2 x 1 must reach 0.7. */
const ROUNDING = 1e-9;

/** Whether dearer inputs are not worth trying. */
export const isGoodEnough = ({ outcome, quality, words }: RungQuality): boolean =>
  outcome === "ok"
    ? quality >= QUALITY_THRESHOLD - ROUNDING
    : outcome === "no_match" && words >= NO_MATCH_WORDS;

const RANK: Readonly<Record<Outcome, number>> = { ok: 2, no_match: 1, uncertain: 0 };

/** Whether the dearer of two results is worth its price; as good is not. */
export const isBetter = (dearer: RungQuality, cheaper: RungQuality): boolean =>
  RANK[dearer.outcome] === RANK[cheaper.outcome]
    ? dearer.quality > cheaper.quality + ROUNDING
    : RANK[dearer.outcome] > RANK[cheaper.outcome];
