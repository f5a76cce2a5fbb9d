/**
 * Scores an answer for auto mode (docs/schemas.md has worked numbers): 0.5 x grounded share
 * + 0.3 x filled share + 0.2 x the model's confidence.
 */
import type * as Schema from "effect/Schema";
import { type Evidence, isProven } from "./Evidence.ts";
import type { Outcome } from "./Verdict.ts";
import { isJsonObject, type Leaf, leavesOf, pointedAt } from "../text/Json.ts";
import type { JsonObject } from "../json-schema/SchemaRules.ts";

/** An answer with this score is good enough; no more expensive inputs are tried. */
const QUALITY_THRESHOLD = 0.7;

/** With this many words read, a verdict of `no_match` is final, so that nobody pays to disprove it. */
export const NO_MATCH_WORDS = 300;

/** Confidence used if the model reports none. */
const CONFIDENCE_DEFAULT = 0.5;

const WEIGHTS = { grounded: 0.5, filled: 0.3, confidence: 0.2 } as const;

/** Maximum nodes of schema and value that are visited: answers are smaller, hostile schemas may not be. */
const PLACES_MAX = 20_000;

/** Placeholders that models write instead of a value. */
const PLACEHOLDER =
  /^(?:[\s.\-–—?_]*|n\.?\/?a\.?|none|null|nil|unknown|undefined|tbd|not (?:specified|mentioned|available|provided|given|stated|known|applicable))\.?$/iu;

/** Whether a value is informative: not null, a placeholder, an empty list or an empty object. */
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

/** Maximum references followed in a row. */
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

/** The members required by the schema, wherever the value has the object they belong to. */
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
 * Images or audio were read directly, so their values appear in no text. A value without evidence that the cheaper
 * rung lacked may come from them.
 */
export interface Wordless {
  /** Null if there was no cheaper rung, or if it had no extraction. */
  readonly before: Schema.Json;
}

/** Weight of a value that may come from images or audio: neutral. */
const UNQUOTABLE_SHARE = 0.5;

/** Values that are present and have evidence; `count` is fractional if values count in part. */
const groundedShare = (
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
  /** 0 to 1; null if the model reports none. */
  readonly confidence: number | null;
  readonly extraction: Schema.Json;
  readonly evidence: Evidence;
  /** Null if only text was read. */
  readonly wordless: Wordless | null;
}

/** 0 to 1; 0 for `no_match` and `uncertain`. Without required members, any value counts as filled. */
export const qualityOf = (
  schema: JsonObject,
  { outcome, extraction, evidence, confidence, wordless }: Judged
): number => {
  if (outcome !== "ok") return 0;
  const grounded = groundedShare(extraction, evidence, wordless);
  const required = requiredShare(schema, extraction);
  const filled = required.total === 0 ? Number(grounded.total > 0) : required.count / required.total;
  const sure = Math.min(1, Math.max(0, confidence ?? CONFIDENCE_DEFAULT));
  return (
    WEIGHTS.grounded * (grounded.total === 0 ? 0 : grounded.count / grounded.total) +
    WEIGHTS.filled * filled +
    WEIGHTS.confidence * sure
  );
};

/** The result of one rung of auto mode. */
export interface RungQuality {
  readonly outcome: Outcome;
  readonly quality: number;
  /** Number of words in all texts that were read. */
  readonly words: number;
}

/** Sums of weights are inexact in binary: 0.5 + 0.2 x 1 must reach 0.7. */
const ROUNDING = 1e-9;

/** Whether more expensive inputs are not worth trying. */
export const isGoodEnough = ({ outcome, quality, words }: RungQuality): boolean =>
  outcome === "ok"
    ? quality >= QUALITY_THRESHOLD - ROUNDING
    : outcome === "no_match" && words >= NO_MATCH_WORDS;

const RANK: Readonly<Record<Outcome, number>> = { ok: 2, no_match: 1, uncertain: 0 };

/** Whether the more expensive of two results is better; an equal score is not. */
export const isBetter = (dearer: RungQuality, cheaper: RungQuality): boolean =>
  RANK[dearer.outcome] === RANK[cheaper.outcome]
    ? dearer.quality > cheaper.quality + ROUNDING
    : RANK[dearer.outcome] > RANK[cheaper.outcome];
