/** Schemas of a submit: as JSON Schema on the way there, as a parser of what comes back. */
import { SchemaMismatchError, WinnowError, type SchemaIssue } from "./errors.ts";
import type { JsonSchema, JsonSchemaValue, Values } from "./jsonSchemaValue.ts";
import type { CompleteResult, TerminalResult } from "./results.ts";
import type { StandardIssue, StandardSchema, StandardValue } from "./standardSchema.ts";

/** A JSON Schema, or a schema of a library that gives one. */
export type ExtractionSchema = StandardSchema | JsonSchema;

/** What `extraction` is when `outcome` is `ok`. */
export type ExtractionOf<S> = S extends StandardSchema
  ? StandardValue<S>
  : unknown extends JsonSchemaValue<S>
    ? Values
    : JsonSchemaValue<S>;

/** The dialect of schemas that do not name one, wherever the service has to choose. */
const TARGET = "draft-2020-12";

const CONVERTERS: Readonly<Record<string, string>> = {
  zod: "use Zod 4.2 or newer; of zod/mini give z.toJSONSchema(schema)",
  valibot: "wrap it in toStandardJsonSchema of @valibot/to-json-schema",
  effect: "wrap it in Schema.toStandardJSONSchemaV1, and that in Schema.toStandardSchemaV1 to have it parsed"
};

const isStandard = (schema: object): schema is StandardSchema => "~standard" in schema;

const converted = ({ "~standard": { vendor, jsonSchema } }: StandardSchema): JsonSchema => {
  if (typeof jsonSchema?.input !== "function") {
    const fix = CONVERTERS[vendor] ?? "use a version of the library that implements Standard JSON Schema";
    throw new WinnowError(`The ${vendor} schema gives no JSON Schema: ${fix}.`);
  }
  try {
    const { $schema: _dialect, ...schema } = jsonSchema.input({ target: TARGET });
    return schema;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WinnowError(`The ${vendor} schema cannot be written as JSON Schema: ${why}`, { cause });
  }
};

/** As it is sent. Of a library's schema the side of the input: what is there before its transforms. */
const jsonSchemaOf = (schema: unknown): JsonSchema => {
  const isObject = typeof schema === "object" || typeof schema === "function";
  if (isObject && schema !== null && isStandard(schema)) return converted(schema);
  if (typeof schema === "object" && schema !== null) return schema as JsonSchema;
  throw new WinnowError(
    "schema must be a JSON Schema, or a schema that gives one by Standard JSON Schema: Zod (from 4.2) and ArkType do; " +
      `Valibot: ${CONVERTERS.valibot}; Effect: ${CONVERTERS.effect}.`
  );
};

/** A request's body with its schema as it is sent. */
export const withJsonSchema = <Body extends { readonly schema?: unknown }>(body: Body): Body =>
  body.schema === undefined ? body : { ...body, schema: jsonSchemaOf(body.schema) };

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

/** The result with its extraction as the schema's parser makes it: defaults and transforms are applied. */
export const parseResult = async <T, R extends { readonly status: string } = TerminalResult>(
  result: R,
  schema: unknown
): Promise<R | CompleteResult<T>> => {
  const isParser = (typeof schema === "object" || typeof schema === "function") && schema !== null;
  if (!isParser || !isStandard(schema) || result.status !== "complete") return result;
  return parsed(result as unknown as CompleteResult, schema);
};
