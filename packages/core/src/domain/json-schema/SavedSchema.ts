/**
 * A schema of the library: saved by an account or predefined, and used by its id. Schemas never change: saving
 * under the same name creates the next version with its own id. Tests: SchemaRules.test.ts, Schemas.test.ts.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { Integer } from "../text/Integer.ts";
import { NameText } from "../text/NameText.ts";
import { readFields, rejectUnstorableText } from "../request/BodyFields.ts";
import { InvalidRequest } from "../request/Refusal.ts";
import { checkPrompt, checkSchema, JsonObject } from "./SchemaRules.ts";

/** Maximum saved schemas per account; with {@link SCHEMA_BYTES_MAX} it bounds storage. */
export const SAVED_SCHEMAS_MAX = 200;

export const SavedSchema = Schema.Struct({
  /** `winnow.predefined.<name>.v<N>` for predefined ones. */
  id: Schema.String,
  name: Schema.String,
  /** JSON Schema of an object. */
  schema: JsonObject,
  /** Sent to the model if the request has no prompt. */
  prompt: Schema.NullOr(Schema.String),
  /** Version number within its name, from 1. */
  version: Integer,
  createdAtMs: Schema.Int
});
export type SavedSchema = typeof SavedSchema.Type;

/** A schema before the library assigns its version. */
export type UnsavedSchema = Omit<SavedSchema, "version">;

/** The account has reached its maximum number of saved schemas. */
export const libraryFull = (schemasMax: number): InvalidRequest =>
  new InvalidRequest({
    message: `The account already has ${schemasMax} schemas; delete one that is no longer used.`,
    details: { reason: "library_full", schemasMax }
  });

/** Body of `POST /v1/schemas`. Single fields only; see {@link readSchemaBody}. */
export const SchemaBody = Schema.Struct({
  name: NameText,
  schema: JsonObject,
  prompt: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SchemaBody" });
export type SchemaBody = typeof SchemaBody.Type;

/**
 * A schema to save, under the rules of inline schemas.
 *
 * @fails InvalidRequest `details.param` names the field, `details.reason` the rule
 */
export const readSchemaBody = (body: unknown): Result.Result<SchemaBody, InvalidRequest> =>
  Result.gen(function* () {
    const read = yield* readFields(SchemaBody, body);
    yield* rejectUnstorableText(read);
    yield* checkSchema(read.schema);
    if (read.prompt !== undefined) yield* checkPrompt(read.prompt);
    return read;
  });
