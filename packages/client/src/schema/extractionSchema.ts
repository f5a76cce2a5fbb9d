/** Schemas of a submit: converted to JSON Schema for the request, and used to parse the extraction. */
import { WinnowError } from "../core/apiError.ts";
import type { JsonSchema, JsonSchemaValue, Values } from "./jsonSchemaValue.ts";
import type { CompleteResult, TerminalResult } from "./results.ts";

// The interfaces of schema libraries that the client uses: Standard Schema and Standard JSON Schema
// (standardschema.dev, version 1), copied as types to avoid a dependency.

export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** Zod (from 4.2) and ArkType implement it; Valibot, Effect Schema and others through a converter. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Without it, values are only validated by the service and have the type `Input`. */
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: {
      /** May throw if JSON Schema cannot express the schema. */
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** The output type of the schema's parser; without a parser, its input type. */
export type StandardValue<S extends StandardSchema> = S["~standard"] extends {
  readonly types?: infer Types;
  readonly validate: (value: unknown) => unknown;
}
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : NonNullable<S["~standard"]["types"]>["input"];

/** A JSON Schema, or a schema of a library that converts to one. */
export type ExtractionSchema = StandardSchema | JsonSchema;

/** The type of `extraction` if `outcome` is `ok`. */
export type ExtractionOf<S> = S extends StandardSchema
  ? StandardValue<S>
  : unknown extends JsonSchemaValue<S>
    ? Values
    : JsonSchemaValue<S>;

/** The dialect of schemas without `$schema`, as the service assumes it. */
const TARGET = "draft-2020-12";

const CONVERTERS: Readonly<Record<string, string>> = {
  zod: "use Zod 4.2 or newer; with zod/mini pass z.toJSONSchema(schema)",
  valibot: "wrap it in toStandardJsonSchema of @valibot/to-json-schema",
  effect: "wrap it in Schema.toStandardJSONSchemaV1, and that in Schema.toStandardSchemaV1 to have it parsed"
};

const isStandard = (schema: object): schema is StandardSchema => "~standard" in schema;

const converted = ({ "~standard": { vendor, jsonSchema } }: StandardSchema): JsonSchema => {
  if (typeof jsonSchema?.input !== "function") {
    const fix = CONVERTERS[vendor] ?? "use a version of the library that implements Standard JSON Schema";
    throw new WinnowError(`The ${vendor} schema does not convert to JSON Schema: ${fix}.`);
  }
  try {
    const { $schema: _dialect, ...schema } = jsonSchema.input({ target: TARGET });
    return schema;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WinnowError(`The ${vendor} schema cannot be converted to JSON Schema: ${why}`, { cause });
  }
};

/** The JSON Schema to send. For a library's schema it describes the input, before transforms. */
const jsonSchemaOf = (schema: unknown): JsonSchema => {
  const isObject = typeof schema === "object" || typeof schema === "function";
  if (isObject && schema !== null && isStandard(schema)) return converted(schema);
  if (typeof schema === "object" && schema !== null) return schema as JsonSchema;
  throw new WinnowError(
    `schema must be a JSON Schema, or a schema that implements Standard JSON Schema: Zod (from 4.2) and ` +
      `ArkType do; Valibot: ${CONVERTERS.valibot}; Effect: ${CONVERTERS.effect}.`
  );
};

/** The request body with its schema as JSON Schema. */
export const withJsonSchema = <Body extends { readonly schema?: unknown }>(body: Body): Body => {
  const untypedBody: unknown = body; // callers in JavaScript pass anything
  if (typeof untypedBody !== "object" || untypedBody === null || Array.isArray(untypedBody)) {
    throw new WinnowError("The body must be an object, such as { url }. No request was sent.");
  }
  return body.schema === undefined ? body : { ...body, schema: jsonSchemaOf(body.schema) };
};

/** Maximum number of issues in a message; `issues` has all of them. */
const ISSUES_LISTED_MAX = 5;

/** One issue reported by a schema's parser. */
export interface SchemaIssue {
  readonly message: string;
  /** Keys from the root; empty for the root itself. */
  readonly path: ReadonlyArray<PropertyKey>;
}

/**
 * The extraction conforms to the JSON Schema that was sent, but not to other rules of your schema: a
 * refinement, a transform, a custom format. The run is complete and charged; `result` is the response.
 */
export class SchemaMismatchError extends WinnowError {
  override name = "SchemaMismatchError";
  readonly extractionId: string;
  readonly issues: ReadonlyArray<SchemaIssue>;
  /** The result as received. */
  readonly result: CompleteResult;

  constructor(result: CompleteResult, issues: ReadonlyArray<SchemaIssue>) {
    const listedIssues = issues.slice(0, ISSUES_LISTED_MAX).map(({ message, path }) => {
      const place = path.map(String).join(".");
      return place === "" ? message : `${place}: ${message}`;
    });
    const more =
      issues.length > listedIssues.length ? `; and ${issues.length - listedIssues.length} more` : "";
    super(`The extraction ${result.id} does not match your schema: ${listedIssues.join("; ")}${more}`);
    this.extractionId = result.id;
    this.issues = issues;
    this.result = result;
  }
}

const issueOf = ({ message, path = [] }: StandardIssue): SchemaIssue => ({
  message,
  path: path.map((step) => (typeof step === "object" ? step.key : step))
});

const parsed = async <T>(result: CompleteResult, schema: StandardSchema): Promise<CompleteResult<T>> => {
  const { validate } = schema["~standard"];
  if (result.outcome !== "ok" || validate === undefined) return result as CompleteResult<T>;
  const checked = await validate(result.extraction);
  if (checked.issues === undefined) return { ...result, extraction: checked.value as T };
  throw new SchemaMismatchError(result, checked.issues.map(issueOf));
};

/** The result with its extraction parsed by the schema, which applies defaults and transforms. */
export const parseResult = async <T, R extends { readonly status: string } = TerminalResult>(
  result: R,
  schema: unknown
): Promise<R | CompleteResult<T>> => {
  const isParser = (typeof schema === "object" || typeof schema === "function") && schema !== null;
  if (!isParser || !isStandard(schema) || result.status !== "complete") return result;
  return parsed(result as unknown as CompleteResult, schema);
};
