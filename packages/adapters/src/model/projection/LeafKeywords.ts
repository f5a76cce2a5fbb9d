/** Keywords of a list of schemas that providers enforce for a scalar, one of each. */
import type { Conjunct } from "./AllOf.ts";
import { isEnforced } from "./describeConstraints.ts";
import { type Json, type JsonObject, memberOf, type ScalarType } from "./Shape.ts";
import {
  formatPattern,
  lengthPattern,
  patternKeyword,
  patternOfLength,
  providersPattern
} from "./TextPatterns.ts";

export const numberOf = (
  conjuncts: ReadonlyArray<Conjunct>,
  keyword: string,
  tightest: (...values: ReadonlyArray<number>) => number
): number | null => {
  const values = conjuncts
    .map(({ schema }) => memberOf(schema, keyword))
    .filter((value) => typeof value === "number");
  return values.length === 0 ? null : tightest(...values);
};

const BOUNDS: ReadonlyArray<readonly [string, (...values: ReadonlyArray<number>) => number]> = [
  ["minimum", Math.max],
  ["exclusiveMinimum", Math.max],
  ["maximum", Math.min],
  ["exclusiveMaximum", Math.min]
];

/** Draft-04 has `exclusiveMinimum: true` next to the bound. */
const withNumbers = (conjunct: Conjunct): Conjunct => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...others } = conjunct.schema;
  const bound = (name: string, of: Json | undefined, exclusive: Json | undefined): JsonObject => {
    if (exclusive === true) return of === undefined ? {} : { [`exclusive${name}`]: of };
    const bounds = { [name.toLowerCase()]: of, [`exclusive${name}`]: exclusive };
    return Object.fromEntries(
      Object.entries(bounds).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
    );
  };
  return {
    ...conjunct,
    schema: {
      ...others,
      ...bound("Minimum", minimum, exclusiveMinimum),
      ...bound("Maximum", maximum, exclusiveMaximum)
    }
  };
};

const enforced = (conjuncts: ReadonlyArray<Conjunct>, keyword: string): Json | undefined =>
  conjuncts
    .map(({ schema }) => memberOf(schema, keyword))
    .find((each) => each !== undefined && isEnforced(keyword, each));

const textsOf = (conjuncts: ReadonlyArray<Conjunct>, keyword: string): ReadonlyArray<string> =>
  conjuncts.map(({ schema }) => memberOf(schema, keyword)).filter((value) => typeof value === "string");

/** Of several patterns only the first is enforced; validation checks the others. */
const ofText = (conjuncts: ReadonlyArray<Conjunct>): JsonObject => {
  const minChars = numberOf(conjuncts, "minLength", Math.max) ?? 0;
  const maxChars = numberOf(conjuncts, "maxLength", Math.min);
  const pattern = textsOf(conjuncts, "pattern")
    .map(providersPattern)
    .find((each) => each !== null);
  const format = enforced(conjuncts, "format");
  const ofFormat = format === undefined ? {} : { format };
  if (typeof pattern === "string")
    return { pattern: patternOfLength(pattern, minChars, maxChars), ...ofFormat };
  if (format !== undefined) return ofFormat;
  const ofUnknown = textsOf(conjuncts, "format")
    .map(formatPattern)
    .find((each) => each !== null);
  return patternKeyword(ofUnknown ?? lengthPattern(minChars, maxChars));
};

export const leafKeywords = (
  conjuncts: ReadonlyArray<Conjunct>,
  type: ScalarType,
  isListed: boolean
): JsonObject => {
  if (type === "string") return isListed ? {} : ofText(conjuncts);
  if (type !== "number" && type !== "integer") return {};
  const described = conjuncts.map(withNumbers);
  const bounds = BOUNDS.flatMap(([keyword, tightest]): ReadonlyArray<readonly [string, Json]> => {
    const bound = numberOf(described, keyword, tightest);
    return bound === null ? [] : [[keyword, bound]];
  });
  const multipleOf = enforced(conjuncts, "multipleOf");
  return { ...Object.fromEntries(bounds), ...(multipleOf === undefined ? {} : { multipleOf }) };
};
