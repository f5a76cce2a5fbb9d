/**
 * The object around the caller's data: verdict, reason and evidence come first, so that a model has decided them
 * before it writes the values. Pure. Tests: reading.test.ts.
 */
import type { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { REASON_DESCRIPTION, reasonOf } from "@winnow/core/domain/evidence/VerdictReason";
import type { SchemaFault } from "@winnow/core/ports/SchemaChecker";
import { parsedJson } from "./JsonInText.ts";
import type { Projection } from "../schema/Projection.ts";
import { propertyOf } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { inDoubles, isObject, type Json } from "../schema/Shape.ts";

/** Maximum quotes of an answer that are used. */
const QUOTES_MAX = 500;

const VERDICTS: ReadonlyArray<Outcome> = ["ok", "no_match", "uncertain"];

export const modelAnswerSchema = ({ schema, definitions }: Projection): JsonObject => ({
  type: "object",
  properties: {
    verdict: { type: "string", enum: [...VERDICTS] },
    reason: { type: "string", description: REASON_DESCRIPTION },
    confidence: { type: "number" },
    evidence: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          quote: { type: "string" },
          at: {
            type: "string",
            description: "The time according to the time marks, such as 12:34; otherwise empty."
          }
        },
        required: ["path", "quote", "at"],
        additionalProperties: false
      }
    },
    data: { anyOf: [schema, { type: "null" }] }
  },
  required: ["verdict", "reason", "confidence", "evidence", "data"],
  additionalProperties: false,
  ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
});

export interface WireQuote {
  /** Pointer into the data on the wire. */
  readonly path: string;
  readonly quote: string;
  /** From the time mark before the quote. Absent if the model states none. */
  readonly atSeconds?: number;
}

export interface ModelAnswer {
  readonly verdict: Outcome;
  /** Null for `ok`. */
  readonly reason: string | null;
  readonly confidence: number | null;
  readonly evidence: ReadonlyArray<WireQuote>;
  /** The wire value; null unless `ok`. */
  readonly data: Json;
}

const confidenceOf = (given: Json | undefined): number | null => {
  const value = inDoubles(given ?? null);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number >= 0 && number <= 1 ? number : null;
};

const TIME = /^\[?(?:(\d{1,3}):)?(\d{1,3}):(\d\d)(?:[.,]\d+)?\]?$/u;

/** Parses "12:34", "[1:12:34]" or 754 as seconds; null if there is no time. */
const secondsIn = (given: Json | undefined): number | null => {
  const at = inDoubles(given ?? null);
  if (typeof at === "number") return at >= 0 ? at : null;
  const [, hours = "0", minutes, seconds] = TIME.exec(typeof at === "string" ? at.trim() : "") ?? [];
  return minutes === undefined || seconds === undefined
    ? null
    : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
};

const quotesOf = (value: Json | undefined): ReadonlyArray<WireQuote> =>
  (Array.isArray(value) ? value : []).slice(0, QUOTES_MAX).flatMap((one: Json): ReadonlyArray<WireQuote> => {
    if (!isObject(one)) return [];
    const [path, quote] = [propertyOf(one, "path"), propertyOf(one, "quote")];
    if (typeof path !== "string" || typeof quote !== "string" || quote.trim() === "") return [];
    const pointer = path.replace(/^#/u, "").replace(/^\/?data(?=\/)/u, "");
    const atSeconds = secondsIn(propertyOf(one, "at"));
    return [
      {
        path: pointer === "" || pointer.startsWith("/") ? pointer : `/${pointer}`,
        quote,
        ...(atSeconds === null ? {} : { atSeconds })
      }
    ];
  });

const verdictOf = (value: Json): Outcome | undefined =>
  VERDICTS.find((each) => typeof value === "string" && each === value.trim().toLowerCase());

/** Whether an object is an envelope, rather than an example or a draft of its data. */
export const isModelAnswer = (object: JsonObject): boolean =>
  verdictOf(propertyOf(object, "verdict") ?? null) !== undefined ||
  isObject(propertyOf(object, "data") ?? null);

/** The data, even if it was written as a string. */
const dataOf = (answer: JsonObject): Json => {
  const data = propertyOf(answer, "data") ?? null;
  if (typeof data !== "string") return data;
  const inner = parsedJson(data);
  return isObject(inner ?? null) ? (inner as JsonObject) : data;
};

/** Without an envelope, the object is taken as the data. */
const asModelAnswer = (answer: JsonObject): JsonObject =>
  Object.hasOwn(answer, "verdict") || Object.hasOwn(answer, "data")
    ? answer
    : { verdict: "ok", data: answer };

/** The parsed answer, or its faults. */
export const readModelAnswer = (given: JsonObject): ModelAnswer | ReadonlyArray<SchemaFault> => {
  const answer = asModelAnswer(given);
  const stated = propertyOf(answer, "verdict") ?? "ok";
  const verdict = verdictOf(stated);
  if (verdict === undefined) return [{ path: "/verdict", message: `must be one of ${VERDICTS.join(", ")}` }];
  const [data, reason] = [dataOf(answer), propertyOf(answer, "reason")];
  if (verdict === "ok" && data === null) {
    return [{ path: "/data", message: "must not be null when the verdict is ok" }];
  }
  return {
    verdict,
    reason: verdict === "ok" ? null : reasonOf(typeof reason === "string" ? reason : null, verdict),
    confidence: confidenceOf(propertyOf(answer, "confidence")),
    evidence: verdict === "ok" ? quotesOf(propertyOf(answer, "evidence")) : [],
    data: verdict === "ok" ? data : null
  };
};
