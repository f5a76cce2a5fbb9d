/** The values that runs read out with a schema, as rows of a table: each value with its proof and its correction. */
import * as Schema from "effect/Schema";
import { Evidence, isProven } from "../evidence/Evidence.ts";
import type { Extraction } from "../run/Extraction.ts";
import { type WireRange, wireRange } from "../source/TimeRange.ts";
import { isJsonObject, pointerBelow, present, valueAt } from "../text/Json.ts";
import { listItemOf } from "./ExtractionList.ts";

/**
 * `quoted`: a passage of the input supports the value; `unsupported`: none was found; `not_stated`: the value is null
 * or the member is left out.
 */
export const Support = Schema.Literals(["quoted", "unsupported", "not_stated"]).annotate({
  identifier: "Support",
  message: "must be quoted, unsupported or not_stated"
});
export type Support = typeof Support.Type;

/** Of many rows: a page of JSON, or all as a table or as lines. */
export const ResultFormat = Schema.Literals(["json", "csv", "jsonl"]);

/** Values by RFC 6901 pointer into the extraction, as a person corrected them; null for a value that is not stated. */
export const Corrections = Schema.Record(Schema.String, Schema.Json);
export type Corrections = typeof Corrections.Type;

/** Maximum corrected values of one extraction. */
export const CORRECTIONS_MAX = 1_000;

export interface ResultRow {
  readonly extractionId: string;
  /** As submitted. */
  readonly url: string;
  /** Absent for the whole. */
  readonly range?: WireRange;
  readonly title: string | null;
  readonly completedAtMs: number;
  /** The extraction, unchanged by corrections. */
  readonly values: Schema.Json;
  readonly evidence: Evidence;
  /** Of every scalar value, by pointer. */
  readonly support: Readonly<Record<string, Support>>;
  readonly corrections: Corrections;
}

/** Scalars with their pointers, in the order of the value. */
const scalarsOf = (value: unknown, pointer = ""): ReadonlyArray<readonly [string, unknown]> => {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => scalarsOf(item, pointerBelow(pointer, index)));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => scalarsOf(member, pointerBelow(pointer, name)));
  }
  return [[pointer, value]];
};

const supportOf = (value: unknown, evidence: Evidence): Readonly<Record<string, Support>> =>
  Object.fromEntries(
    scalarsOf(value).map(([pointer, scalar]) => {
      if (scalar === null) return [pointer, "not_stated"];
      return [pointer, isProven(evidence[pointer]) ? "quoted" : "unsupported"];
    })
  );

/** Null unless the run is complete with outcome `ok`: other runs have no values. */
export const resultRow = (extraction: Extraction, corrections: Corrections): ResultRow | null => {
  const { id, request, result, completedAtMs } = extraction;
  if (extraction.status !== "complete" || result?.outcome !== "ok" || completedAtMs === null) return null;
  const evidence = result.evidence ?? {};
  return {
    extractionId: id,
    url: request.url,
    ...present({ range: wireRange(request.range) }),
    title: listItemOf(extraction).title,
    completedAtMs,
    values: result.extraction,
    evidence,
    support: supportOf(result.extraction, evidence),
    corrections
  };
};

export const hasSupport = ({ support }: ResultRow, wanted: Support): boolean =>
  Object.values(support).includes(wanted);

/** Values that no passage supports and that nobody has corrected or accepted: someone should check them. */
export const countToCheck = ({ support, corrections }: ResultRow): number => {
  const settled = Object.keys(corrections);
  return Object.entries(support).filter(
    ([pointer, each]) =>
      each === "unsupported" && !settled.some((at) => pointer === at || pointer.startsWith(`${at}/`))
  ).length;
};

const withValueAt = (root: unknown, steps: ReadonlyArray<string>, value: Schema.Json): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((item, index) => (String(index) === step ? withValueAt(item, rest, value) : item));
  }
  const members: Readonly<Record<string, unknown>> = isJsonObject(root) ? root : {};
  return { ...members, [step]: withValueAt(members[step], rest, value) };
};

const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The values with the corrections in their places. */
export const correctedValues = ({
  values,
  corrections
}: Pick<ResultRow, "values" | "corrections">): Schema.Json =>
  Object.entries(corrections).reduce<unknown>(
    (corrected, [pointer, value]) => withValueAt(corrected, stepsOf(pointer), value),
    values
  ) as Schema.Json;

const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)+$/u.test(text);

/** What a pointer names is in this. */
const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));

/**
 * Whether a correction has a place: a member of an object that exists, or an item that does. The whole value cannot
 * be corrected.
 */
export const isCorrectable = (values: Schema.Json, pointer: string): boolean => {
  if (!isPointer(pointer)) return false;
  const parent = valueAt(values, parentOf(pointer));
  return Array.isArray(parent)
    ? /^\d+$/u.test(pointer.slice(parentOf(pointer).length + 1)) && valueAt(values, pointer) !== undefined
    : isJsonObject(parent);
};
