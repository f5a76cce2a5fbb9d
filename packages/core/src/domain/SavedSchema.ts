/**
 * A schema of the library: saved by an account or predefined, and used by its id. It never changes: saving
 * under the same name makes the next version, with an id of its own (contract 8).
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { readFields, refuseUnfitText } from "./BodyFields.ts";
import type { InvalidRequest } from "./Refusal.ts";
import { checkPrompt, checkSchema, JsonObject } from "./SchemaRules.ts";

/** Saved schemas of an account: more than people keep apart; with {@link SCHEMA_BYTES_MAX} it bounds the room. */
export const SAVED_SCHEMAS_MAX = 200;

/** Longest name of a schema, in characters: it is shown in lists. */
export const SCHEMA_NAME_CHARS_MAX = 200;

export const SavedSchema = Schema.Struct({
  /** `winnow.predefined.<name>.v<N>` for predefined ones. */
  id: Schema.String,
  name: Schema.String,
  /** JSON Schema of an object. */
  schema: JsonObject,
  /** Goes to the model when the request brings none. */
  prompt: Schema.NullOr(Schema.String),
  /** Counts those of one name, from 1. */
  version: Schema.Int,
  createdAtMs: Schema.Int
});
export type SavedSchema = typeof SavedSchema.Type;

/** What a schema is before the library gave it its version. */
export type SchemaDraft = Omit<SavedSchema, "version">;

/** An account has as many saved schemas as it may have. */
export class SchemaLibraryFull extends Schema.TaggedError<SchemaLibraryFull>()("SchemaLibraryFull", {
  schemasMax: Schema.Int
}) {
  get code() {
    return "invalid_request" as const;
  }

  override get message() {
    return `The account already has ${this.schemasMax} schemas; delete one that is no longer used.`;
  }

  get details() {
    return { reason: "library_full", schemasMax: this.schemasMax };
  }
}

const Name = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?=.*\\S)[^\\p{Cc}\\p{Cs}]{1,${SCHEMA_NAME_CHARS_MAX}}$`, "u"), {
    message: `must be 1 to ${SCHEMA_NAME_CHARS_MAX} characters without control characters, not all blank`
  })
);

/** Body of `POST /v1/schemas`. Single fields only; see {@link readSchemaBody}. */
export const SchemaBody = Schema.Struct({
  name: Name,
  schema: JsonObject,
  prompt: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SchemaBody" });
export type SchemaBody = typeof SchemaBody.Type;

/**
 * A schema to save, under the rules of an inline one.
 *
 * @fails InvalidRequest `details.param` names the field, `details.reason` the rule
 */
export const readSchemaBody = (body: unknown): Result.Result<SchemaBody, InvalidRequest> =>
  Result.gen(function* () {
    const read = yield* readFields(SchemaBody, body);
    yield* refuseUnfitText(read);
    yield* checkSchema(read.schema);
    if (read.prompt !== undefined) yield* checkPrompt(read.prompt);
    return read;
  });
