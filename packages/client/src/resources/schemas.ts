/** Saved and predefined schemas. */
import type { Call } from "../core/call.ts";
import type { ExtractionSchema } from "../schema/extractionSchema.ts";
import * as Generated from "../generated/resources.ts";
import type { SavedSchema, SchemaBody } from "../generated/types.ts";
import { postOnce, type SubmitOptions } from "./submission.ts";

/** A schema to save: a JSON Schema, or a schema of a library. */
export interface SchemaToSave extends Omit<SchemaBody, "schema"> {
  readonly schema: ExtractionSchema;
}

export class Schemas extends Generated.Schemas {
  /** Use the returned `id` as the `schemaId` of a submit. An existing name gets its next version. */
  save(body: SchemaToSave, options: SubmitOptions = {}): Call<SavedSchema> {
    return postOnce(this.transport, "/v1/schemas", body, options);
  }
}
