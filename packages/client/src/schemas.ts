/** The library of schemas: those you saved, and the predefined ones. */
import type { SavedSchema, SchemaBody, SchemaPage } from "./generated/types.ts";
import { eachItem, getPage, type ListOptions, type PageOptions } from "./pages.ts";
import { send, sendJson, type RequestOptions, type Transport } from "./request.ts";

const PATH = "/v1/schemas";
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export class Schemas {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Use its `id` as the `schemaId` of a submit. A name that is there already gets its next version. */
  save(body: SchemaBody, options: RequestOptions = {}): Promise<SavedSchema> {
    return sendJson(this.transport, { method: "POST", path: PATH, body, ...options });
  }

  get(id: string, options: RequestOptions = {}): Promise<SavedSchema> {
    return sendJson(this.transport, { method: "GET", path: pathOf(id), ...options });
  }

  /** Runs that use it keep their copy. Predefined ones cannot be deleted. */
  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await send(this.transport, { method: "DELETE", path: pathOf(id), ...options });
  }

  /** One page, newest first; `cursor` is an earlier page's `next_cursor`. */
  page(options: PageOptions = {}): Promise<SchemaPage> {
    return getPage(this.transport, PATH, options);
  }

  /** Every schema, page by page as you go. */
  list(options: ListOptions = {}): AsyncGenerator<SavedSchema> {
    return eachItem((page) => this.page(page), options);
  }
}
