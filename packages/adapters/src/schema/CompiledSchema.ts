/**
 * Schemas compiled by ajv, with RE2 for patterns. For worker threads only: what is compiled here was written
 * by somebody else, and may take its time.
 */
import { dialectNamed, type SchemaDialect } from "@winnow/core/domain/SchemaKeywords";
import type { SchemaFlaw } from "@winnow/core/domain/SchemaLimits";
import { linkSchema, type LinkedSchema } from "@winnow/core/domain/SchemaLinks";
import type { JsonObject } from "@winnow/core/domain/SchemaRules";
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { FAULTS_COUNTED_MAX } from "./CheckLimits.ts";
import { forAjv } from "./forAjv.ts";
import { compilePattern, makePatternEngine } from "./Patterns.ts";
import { PatternRefused } from "./PatternSyntax.ts";
import { uniqueItems } from "./uniqueItems.ts";

const AJV = { "2020-12": Ajv2020, "draft-07": Ajv } as const;

/**
 * Without these ajv takes minutes for 100 KB: its optimiser is quadratic, and inlining copies.
 * `ownProperties` makes "constructor" and "__proto__" names like all others.
 */
const OPTIONS = {
  strict: false,
  meta: false,
  validateSchema: false,
  ownProperties: true,
  inlineRefs: false,
  addUsedSchema: false,
  logger: false
} satisfies Options;

const metaschema = (dialect: SchemaDialect): ValidateFunction => {
  const ajv = new AJV[dialect]({ strict: false, logger: false, validateFormats: false });
  const id =
    dialect === "2020-12"
      ? "https://json-schema.org/draft/2020-12/schema"
      : "http://json-schema.org/draft-07/schema";
  const validate = ajv.getSchema(id);
  if (validate === undefined) throw new Error(`ajv brings no metaschema of ${dialect}`);
  return validate;
};

/** Compiled when the worker starts. */
const METASCHEMAS: Readonly<Record<SchemaDialect, ValidateFunction>> = {
  "2020-12": metaschema("2020-12"),
  "draft-07": metaschema("draft-07")
};

/** A schema in use. */
export interface CompiledSchema {
  /** What is wrong with a value, in ajv's words; empty when nothing is. Throws what its recursion throws. */
  readonly faultsOf: (value: unknown) => ReadonlyArray<ErrorObject>;
}

export const isFlaw = (found: object): found is SchemaFlaw => "reason" in found;

const notASchema = (path: string, message: string): SchemaFlaw => ({ reason: "not_a_schema", path, message });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The innermost of what the metaschema finds: the outer ones only say that there is something. */
const metaschemaFlaw = (schema: unknown, dialect: SchemaDialect, at: string): SchemaFlaw | null => {
  const validate = METASCHEMAS[dialect];
  if (validate(schema)) return null;
  const [first] = validate.errors ?? [];
  return notASchema(
    `${at}${first?.instancePath ?? ""}`,
    `This is not a valid JSON Schema ${dialect}: the value here ${first?.message ?? "is not allowed"}.`
  );
};

/**
 * The dialect that a schema is written in. One that does not say takes 2020-12, and draft-07 when it is
 * valid as that alone (contract 4: its keywords are accepted).
 */
const dialectOf = (schema: JsonObject): SchemaDialect | SchemaFlaw => {
  const named = dialectNamed(schema["$schema"]);
  if (named === null) {
    return {
      reason: "unsupported_dialect",
      path: "/$schema",
      message: "The dialect must be JSON Schema 2020-12 or draft-07: convert the schema."
    };
  }
  const flaw = metaschemaFlaw(schema, named, "");
  if (flaw === null) return named;
  const isOlder = schema["$schema"] === undefined && METASCHEMAS["draft-07"](schema) === true;
  return isOlder ? "draft-07" : flaw;
};

const patternFlaw = ({ patterns }: LinkedSchema): SchemaFlaw | null => {
  for (const { pattern, path } of patterns) {
    try {
      compilePattern(pattern);
    } catch (error) {
      const reason =
        error instanceof PatternRefused
          ? error.message
          : `cannot be matched in linear time (${messageOf(error)})`;
      return { reason: "unsupported_pattern", path, message: `The pattern ${reason}.` };
    }
  }
  return null;
};

/** Stops code that lists all faults when there are too many: each is an object, and one value may have millions. */
const capFaults = (code: string): string =>
  code.replaceAll("errors++;", `if(errors++>=${FAULTS_COUNTED_MAX})throw new RangeError("too many faults");`);

const validator = (linked: LinkedSchema, dialect: SchemaDialect, allErrors: boolean): ValidateFunction => {
  const ajv = new AJV[dialect]({
    ...OPTIONS,
    allErrors,
    code: { optimize: false, regExp: makePatternEngine(), ...(allErrors ? { process: capFaults } : {}) }
  });
  addFormats.default(ajv);
  ajv.removeKeyword("uniqueItems").addKeyword(uniqueItems);
  return ajv.compile(forAjv(linked.schema, dialect));
};

const compile = (linked: LinkedSchema, dialect: SchemaDialect): CompiledSchema => {
  const validate = validator(linked, dialect, false);
  let validateAll: ValidateFunction | null = null;
  /** All faults, or the first where they are too many to be counted. */
  const allFaults = (value: unknown): ReadonlyArray<ErrorObject> => {
    const first = validate.errors ?? [];
    try {
      validateAll ??= validator(linked, dialect, true);
      return validateAll(value) ? first : (validateAll.errors ?? first);
    } catch {
      return first;
    }
  };
  return { faultsOf: (value) => (validate(value) ? [] : allFaults(value)) };
};

/** A schema that keeps to its bounds (domain/SchemaLimits), ready for use. */
export const compileSchema = (schema: JsonObject): CompiledSchema | SchemaFlaw => {
  const dialect = dialectOf(schema);
  if (typeof dialect !== "string") return dialect;
  const linked = linkSchema(schema, dialect);
  if (isFlaw(linked)) return linked;
  for (const { schema: outlying, path } of linked.outlying) {
    const flaw = metaschemaFlaw(outlying, dialect, path);
    if (flaw !== null) return flaw;
  }
  const flaw = patternFlaw(linked);
  if (flaw !== null) return flaw;
  try {
    return compile(linked, dialect);
  } catch (error) {
    return error instanceof RangeError
      ? { reason: "too_costly", path: "", message: "The schema is nested too deep through its references." }
      : notASchema("", `The schema does not compile: ${messageOf(error)}.`);
  }
};
