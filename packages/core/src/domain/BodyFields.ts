/**
 * Bodies of requests, field by field: the first field that is wrong is named, unknown ones are refused.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import { InvalidRequest } from "./Refusal.ts";

/** Levels of a body's JSON: deeper than any schema people write, far from what overflows a stack. */
export const BODY_DEPTH_MAX = 100;

/** Of what the caller sent, in a message and in `details.param`: enough to recognise it by, in characters. */
const SHOWN_CHARS_MAX = 200;

export const shown = (text: string): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;

/** `details.param` names the field, `details.reason` the rule. */
export const refuse = (
  param: string,
  message: string,
  details: Readonly<Record<string, Schema.Json>> = {}
): Result.Result<never, InvalidRequest> =>
  Result.fail(new InvalidRequest({ message, details: { param, ...details } }));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Walks level by level, for a body that is too deep must not overflow the stack here either. */
const isDeeperThan = (value: unknown, levels: number): boolean => {
  let level: ReadonlyArray<unknown> = [value];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return level.some((item) => typeof item === "object" && item !== null);
};

/** NUL and halves of surrogate pairs: JSON may hold them, the text of a database may not. */
const isUnfit = (text: string): boolean => text.includes("\0") || !text.isWellFormed();

/** Keys included. The body is not too deep, see {@link BODY_DEPTH_MAX}. */
const holdsUnfit = (value: unknown): boolean => {
  if (typeof value === "string") return isUnfit(value);
  return typeof value === "object" && value !== null
    ? Object.entries(value).some(([key, item]) => isUnfit(key) || holdsUnfit(item))
    : false;
};

/** Of a body that will be kept, after {@link readFields}. */
export const refuseUnfitText = (body: object): Result.Result<void, InvalidRequest> => {
  const field = Object.entries(body).find(([, value]) => holdsUnfit(value))?.[0];
  return field === undefined
    ? Result.succeed(undefined)
    : refuse(field, `\`${field}\` contains a NUL character or an unpaired surrogate: remove it.`, {
        reason: "unfit_text"
      });
};

/** One of our names, such as TopUpCredits, would tell a caller nothing: the type of JSON does. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "is missing";
  const isNumber = issue._tag === "InvalidType" && issue.ast._tag === "Number";
  return isNumber ? "Expected number" : SchemaIssue.defaultLeafHook(issue);
};

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook });

/** `limits.runningMax`; a list is named, not the place in it. */
const placeOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string => {
  const keys = path.map((part) => (typeof part === "object" ? part.key : part));
  const end = keys.findIndex((key) => typeof key !== "string");
  return keys
    .slice(0, end < 0 ? undefined : Math.max(1, end))
    .map(String)
    .join(".");
};

/** A struct; its fields are the ones a body may have. */
export type FieldsSchema = Schema.Codec<unknown, unknown> & { readonly fields: Schema.Struct.Fields };

/** Field by field; what will be kept goes through {@link refuseUnfitText} too. @fails InvalidRequest */
export const readFields = <S extends FieldsSchema>(
  schema: S,
  body: unknown
): Result.Result<S["Type"], InvalidRequest> => {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  const deep = Object.keys(body).find((field) => isDeeperThan(body[field], BODY_DEPTH_MAX - 1));
  if (deep !== undefined) {
    const field = shown(deep);
    return refuse(field, `\`${field}\` is nested deeper than ${BODY_DEPTH_MAX} levels; flatten it.`, {
      reason: "too_deep"
    });
  }
  const unknown = Object.keys(body).find((field) => !Object.hasOwn(schema.fields, field));
  if (unknown !== undefined) {
    const unknownField = shown(unknown);
    return refuse(unknownField, `\`${unknownField}\` is not a field of this request.`, {
      reason: "unknown_field"
    });
  }
  return Result.mapError(
    Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(body),
    ({ issue }) => {
      const [first] = formatIssue(issue).issues;
      const param = String(first?.path?.[0] ?? "body");
      return new InvalidRequest({
        message: `\`${shown(placeOf(first?.path ?? [param]))}\`: ${shown(first?.message ?? "is not valid")}.`,
        details: { param }
      });
    }
  );
};
