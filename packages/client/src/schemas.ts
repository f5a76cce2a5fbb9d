/** The library of schemas: those you saved, and the predefined ones. */
import type { Call } from "./call.ts";
import type { ExtractionSchema } from "./extractionSchema.ts";
import type { SavedSchema, SchemaBody, SchemaPage } from "./generated/types.ts";
import { itemPath } from "./itemPath.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "./pages.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";
import { postOnce, type SubmitOptions } from "./submission.ts";

const PATH = "/v1/schemas";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "schema", id, rest);

/** A schema to save, as JSON Schema or of a library. */
export interface SchemaToSave extends Omit<SchemaBody, "schema"> {
  readonly schema: ExtractionSchema;
}

export class Schemas {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Use its `id` as the `schemaId` of a submit. A name that is there already gets its next version. */
  save(body: SchemaToSave, options: SubmitOptions = {}): Call<SavedSchema> {
    return postOnce(this.transport, PATH, body, options);
  }

  get(id: string, options: RequestOptions = {}): Call<SavedSchema> {
    return sendJson(this.transport, { method: "GET", path: pathOf(id), ...options });
  }

  /** Runs that use it keep their copy. Predefined ones cannot be deleted. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: pathOf(id), ...options });
  }

  /** One page, newest first; `cursor` is an earlier page's `next_cursor`. */
  page(options: PageOptions = {}): Call<SchemaPage> {
    return getPage(this.transport, PATH, options);
  }

  /** Every schema, page by page as you go. */
  list(options: ListOptions = {}): AsyncGenerator<SavedSchema> {
    return eachItem((page) => this.page(page), options);
  }
}
