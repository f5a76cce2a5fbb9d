/** Saved and predefined schemas. */
import type { Call, RequestOptions } from "../core/request.ts";
import type { ExtractionSchema } from "../schema/extractionSchema.ts";
import type { SavedSchema, SchemaBody, SchemaPage } from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "../core/resource.ts";
import { postOnce, type SubmitOptions } from "./submission.ts";

const PATH = "/v1/schemas";
const pathOf = (id: string) => itemPath(PATH, "schema", id);

/** A schema to save: a JSON Schema, or a schema of a library. */
export interface SchemaToSave extends Omit<SchemaBody, "schema"> {
  readonly schema: ExtractionSchema;
}

export class Schemas extends Resource {
  /** Use the returned `id` as the `schemaId` of a submit. An existing name gets its next version. */
  save(body: SchemaToSave, options: SubmitOptions = {}): Call<SavedSchema> {
    return postOnce(this.transport, PATH, body, options);
  }

  get(id: string, options: RequestOptions = {}): Call<SavedSchema> {
    return this.send("GET", pathOf(id), options);
  }

  /** Runs that use it keep their copy. Predefined schemas cannot be deleted. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf(id), options);
  }

  /** One page, newest first; `cursor` is the `next_cursor` of the previous page. */
  page(options: PageOptions = {}): Call<SchemaPage> {
    return this.pageOf(PATH, options);
  }

  /** Every schema. Pages are fetched as needed. */
  list(options: ListOptions = {}): AsyncGenerator<SavedSchema> {
    return eachItem((page) => this.page(page), options);
  }
}
