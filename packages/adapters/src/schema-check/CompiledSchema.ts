/**
 * Compiles schemas with ajv. For worker processes only: schemas are untrusted and may take
 * long. `multipleOf` is checked on decimals as written: in binary fractions, 8.1 is not a multiple of 0.1. Tests:
 * OfficialSuite.test.ts.
 */
import {
  type FuncKeywordDefinition,
  str,
  Ajv,
  type ErrorObject,
  type Options,
  type ValidateFunction
} from "ajv";
import { readingsOf, type SchemaReading } from "./SchemaDrafts.ts";
import type { SchemaDialect } from "@winnow/core/domain/json-schema/SchemaKeywords";
import type { SchemaProblem } from "@winnow/core/domain/json-schema/SchemaLimits";
import { mistakeIn } from "./SchemaMistakes.ts";
import { linkSchema, type LinkedSchema } from "./SchemaLinks.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compilePattern, makePatternEngine, withTimeLimit } from "./Patterns.ts";
import { FAULTS_COUNTED_MAX } from "./CheckLimits.ts";
import { addStandardFormats } from "./Formats.ts";
import { forAjv } from "./AjvSchema.ts";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";

/** A number as digits and a power of ten. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Parses the shortest representation of the number (ECMA-262, Number::toString): `-1.5e-7` is -15 and -8. */
const decimalOf = (value: number): Decimal => {
  const [significand = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = significand.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
};

/** Both have at most 17 digits and 325 decimal places, so no number takes long. */
const isMultiple = (step: number, value: number): boolean => {
  if (!Number.isFinite(value) || !(step > 0)) return false;
  if (Number.isSafeInteger(step) && Number.isSafeInteger(value)) return value % step === 0;
  const [one, other] = [decimalOf(value), decimalOf(step)];
  const least = Math.min(one.exponent, other.exponent);
  const scaled = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - least);
  return scaled(one) % scaled(other) === 0n;
};

export const multipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  validate: isMultiple
};

/** In linear time; ajv compares items pairwise. */
const uniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: { message: "must NOT have duplicate items" },
  validate: (isWanted: boolean, items: ReadonlyArray<unknown>): boolean =>
    !isWanted || new Set(items.map(canonicalJson)).size === items.length
};

/** Without these, ajv takes minutes for 100 KB: its optimiser is quadratic, and inlining copies. */
const OPTIONS = {
  strict: false,
  meta: false,
  validateSchema: false,
  ownProperties: true,
  inlineRefs: false,
  addUsedSchema: false,
  logger: false
} satisfies Options;

/** Each brings the metaschema of its dialect. */
const METASCHEMAS = {
  "2020-12": [Ajv2020, "https://json-schema.org/draft/2020-12/schema"],
  "2019-09": [Ajv2019, "https://json-schema.org/draft/2019-09/schema"],
  "draft-07": [Ajv, "http://json-schema.org/draft-07/schema"]
} as const;

const compiledMetaschema = (dialect: SchemaDialect): ValidateFunction => {
  const [Validator, id] = METASCHEMAS[dialect];
  const validate = new Validator({ strict: false, logger: false, validateFormats: false }).getSchema(id);
  if (validate === undefined) throw new Error(`ajv brings no metaschema of ${dialect}`);
  return validate;
};

/** The usual metaschemas are compiled when the worker starts. */
const metaschemas = new Map<SchemaDialect, ValidateFunction>([
  ["2020-12", compiledMetaschema("2020-12")],
  ["draft-07", compiledMetaschema("draft-07")]
]);

const metaschema = (dialect: SchemaDialect): ValidateFunction => {
  const known = metaschemas.get(dialect) ?? compiledMetaschema(dialect);
  metaschemas.set(dialect, known);
  return known;
};

/** A compiled schema. */
export interface CompiledSchema {
  /** Faults of a value in ajv's words; empty if valid. Throws what its recursion throws. */
  readonly faultsOf: (value: unknown) => ReadonlyArray<ErrorObject>;
  /** A reason why no value is valid, if there is one at a single place. */
  readonly contradiction: SchemaProblem | null;
}

export const isProblem = (found: object): found is SchemaProblem => "reason" in found;

const notASchema = (path: string, message: string): SchemaProblem => ({
  reason: "not_a_schema",
  path,
  message
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The innermost errors of the metaschema; outer ones only repeat that there is one. */
const metaschemaProblem = (schema: unknown, dialect: SchemaDialect, at: string): SchemaProblem | null => {
  const validate = metaschema(dialect);
  if (validate(schema)) return null;
  const [first] = validate.errors ?? [];
  return notASchema(
    `${at}${first?.instancePath ?? ""}`,
    `This is not a valid JSON Schema ${dialect}: the value here ${first?.message ?? "is not allowed"}.`
  );
};

const UNKNOWN_DRAFT: SchemaProblem = {
  reason: "unsupported_dialect",
  path: "/$schema",
  message:
    "The dialect must be JSON Schema 2020-12, 2019-09, draft-07, draft-06 or draft-04: convert the schema."
};

/** The first valid reading, or what is wrong with the first. */
const validReading = (schema: JsonObject): SchemaReading | SchemaProblem => {
  let problem: SchemaProblem | null = null;
  for (const reading of readingsOf(schema)) {
    const found = metaschemaProblem(reading.schema, reading.dialect, "");
    if (found === null) return reading;
    problem ??= found;
  }
  return problem ?? UNKNOWN_DRAFT;
};

const patternProblem = ({ index }: LinkedSchema): SchemaProblem | null => {
  for (const { pattern, path } of index.patterns) {
    try {
      compilePattern(pattern);
    } catch (error) {
      const message = `The pattern is not a regular expression (${messageOf(error)}).`;
      return { reason: "unsupported_pattern", path, message };
    }
  }
  return null;
};

/** Stops listing faults when there are too many: each is an object, and one value may have millions. */
const capFaults = (code: string): string =>
  code.replaceAll("errors++;", `if(errors++>=${FAULTS_COUNTED_MAX})throw new RangeError("too many faults");`);

const validator = (linked: LinkedSchema, allErrors: boolean): ValidateFunction => {
  const ajv = new Ajv2020({
    ...OPTIONS,
    allErrors,
    code: { optimize: false, regExp: makePatternEngine(), ...(allErrors ? { process: capFaults } : {}) }
  });
  addStandardFormats(ajv);
  ajv.removeKeyword("uniqueItems").addKeyword(uniqueItems);
  ajv.removeKeyword("multipleOf").addKeyword(multipleOf);
  return ajv.compile(forAjv(linked.schema));
};

const compile = (linked: LinkedSchema): CompiledSchema => {
  const validate = validator(linked, false);
  let validateAll: ValidateFunction | null = null;
  /** All faults, or the first one if there are too many to list. */
  const allFaults = (value: unknown): ReadonlyArray<ErrorObject> => {
    const first = validate.errors ?? [];
    try {
      validateAll ??= validator(linked, true);
      return validateAll(value) ? first : (validateAll.errors ?? first);
    } catch {
      return first;
    }
  };
  return {
    faultsOf: (value) => withTimeLimit(() => (validate(value) ? [] : allFaults(value))),
    contradiction: mistakeIn(linked)
  };
};

/** Compiles a schema that is within its limits (domain/json-schema/SchemaLimits). */
export const compileSchema = (unchecked: JsonObject): CompiledSchema | SchemaProblem => {
  const read = validReading(unchecked);
  if (isProblem(read)) return read;
  const { schema, dialect } = read;
  const linked = linkSchema(schema, dialect);
  if (isProblem(linked)) return linked;
  for (const { schema: outlying, path } of linked.outlying) {
    const problem = metaschemaProblem(outlying, dialect, path);
    if (problem !== null) return problem;
  }
  const problem = patternProblem(linked);
  if (problem !== null) return problem;
  try {
    return compile(linked);
  } catch (error) {
    return error instanceof RangeError
      ? { reason: "too_costly", path: "", message: "The references of the schema are nested too deeply." }
      : notASchema("", `The schema does not compile: ${messageOf(error)}.`);
  }
};
