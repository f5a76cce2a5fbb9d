/**
 * Validates request bodies field by field: the first invalid field is named in the error, and unknown fields are
 * rejected.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import { isJsonObject } from "../text/Json.ts";
import { InvalidRequest } from "./Refusal.ts";

/** Maximum JSON depth of a body: deeper than any hand-written schema, but far below a stack overflow. */
export const BODY_DEPTH_MAX = 100;

/** Maximum characters of caller input that are echoed in a message or `details.param`. */
const SHOWN_CHARS_MAX = 200;

export const quotedText = (text: string): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;

/** `details.param` names the field, `details.reason` the rule. */
export const refuse = (
  param: string,
  message: string,
  details: Readonly<Record<string, Schema.Json>> = {}
): Result.Result<never, InvalidRequest> =>
  Result.fail(new InvalidRequest({ message, details: { param, ...details } }));

/** Iterates level by level, so that an overly deep body cannot overflow the stack. */
const isDeeperThan = (value: unknown, levels: number): boolean => {
  let level: ReadonlyArray<unknown> = [value];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return level.some((item) => typeof item === "object" && item !== null);
};

/** NUL characters and unpaired surrogates: valid in JSON, but PostgreSQL text cannot store them. */
const isUnstorable = (text: string): boolean => text.includes("\0") || !text.isWellFormed();

/** Checks keys too. The body must already be within {@link BODY_DEPTH_MAX}. */
const containsUnstorable = (value: unknown): boolean => {
  if (typeof value === "string") return isUnstorable(value);
  return typeof value === "object" && value !== null
    ? Object.entries(value).some(([key, item]) => isUnstorable(key) || containsUnstorable(item))
    : false;
};

/** For bodies that will be stored; call after {@link readFields}. */
export const rejectUnstorableText = (body: object): Result.Result<void, InvalidRequest> => {
  const field = Object.entries(body).find(([, value]) => containsUnstorable(value))?.[0];
  return field === undefined
    ? Result.succeed(undefined)
    : refuse(field, `\`${field}\` contains a NUL character or an unpaired surrogate: remove it.`, {
        reason: "unfit_text"
      });
};

const JSON_TYPES: Readonly<Record<string, string>> = {
  Arrays: "an array",
  Boolean: "true or false",
  Number: "a number",
  Objects: "an object",
  String: "a string"
};

const UNKNOWN_KEY = "is not a field of";

/** Names the JSON type, since internal type names such as TopUpCredits would mean nothing to a caller. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "is missing";
  if (issue._tag === "UnexpectedKey") return UNKNOWN_KEY;
  const words = SchemaIssue.defaultLeafHook(issue);
  const type = issue._tag === "InvalidType" && words.startsWith("Expected ") && JSON_TYPES[issue.ast._tag];
  return type ? `must be ${type}` : words;
};

/** What Effect says of its own checks, as the other sentences: "Expected an integer" is "must be an integer". */
const ownWords = (message: string): string => message.replace(/^Expected (?=an? )/u, "must be ");

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook });

/** `limits.runningMax`, for example. For an error inside a list, the list is named, not the index. */
const fieldPath = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string => {
  const keys = path.map((part) => (typeof part === "object" ? part.key : part));
  const end = keys.findIndex((key) => typeof key !== "string");
  return keys
    .slice(0, end < 0 ? undefined : Math.max(1, end))
    .map(String)
    .join(".");
};

/** A struct whose fields are the allowed fields of the body. */
export type FieldsSchema = Schema.Codec<unknown, unknown> & { readonly fields: Schema.Struct.Fields };

/** In messages: what has the fields, and the path before them, such as `prices.`. */
interface FieldsOwner {
  readonly name: string;
  readonly path: string;
}

const REQUEST: FieldsOwner = { name: "this request", path: "" };

/** In words for the caller: the schema's own sentence if it names the field. `details.param` is the first that is wrong. */
export const fieldsRefused = (issue: SchemaIssue.Issue, owner = REQUEST): InvalidRequest => {
  const [first] = formatIssue(issue).issues;
  const param = quotedText(String(first?.path?.[0] ?? "body"));
  const place = `${owner.path}${quotedText(fieldPath(first?.path ?? [param]))}`;
  if (first?.message.startsWith(`\`${param}\` `) === true) {
    return new InvalidRequest({ message: `${first.message}.`, details: { param } });
  }
  return first?.message === UNKNOWN_KEY
    ? new InvalidRequest({
        message: `\`${place}\` ${UNKNOWN_KEY} ${owner.name}.`,
        details: { param, reason: "unknown_field" }
      })
    : new InvalidRequest({
        message: `\`${place}\`: ${quotedText(ownWords(first?.message ?? "is not valid"))}.`,
        details: { param }
      });
};

/** A JSON object of a depth that is safe to walk. */
export const readObject = (
  body: unknown
): Result.Result<Readonly<Record<string, unknown>>, InvalidRequest> => {
  if (!isJsonObject(body)) return refuse("body", "The body must be a JSON object.");
  const deep = Object.keys(body).find((field) => isDeeperThan(body[field], BODY_DEPTH_MAX - 1));
  if (deep === undefined) return Result.succeed(body);
  const field = quotedText(deep);
  return refuse(field, `\`${field}\` is nested deeper than ${BODY_DEPTH_MAX} levels; flatten it.`, {
    reason: "too_deep"
  });
};

/** Validates each field. Bodies that will be stored need {@link rejectUnstorableText} as well. @fails InvalidRequest */
export const readFields = <S extends FieldsSchema>(
  schema: S,
  body: unknown,
  owner = REQUEST
): Result.Result<S["Type"], InvalidRequest> =>
  Result.flatMap(readObject(body), (fields) =>
    Result.mapError(Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(fields), ({ issue }) =>
      fieldsRefused(issue, owner)
    )
  );
