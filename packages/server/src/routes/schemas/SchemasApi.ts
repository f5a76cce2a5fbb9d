/**
 * Saved schemas of an account.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Conflict, InvalidRequest, NotFound, BODY_ERRORS } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { idempotencyHeaders, PAGE_QUERY, titled } from "../../http/openapi/described.ts";
import { SavedSchema, SchemaBody, SchemaPage } from "./SchemaWire.ts";

const schemaId = Schema.String.annotate({ description: "Id of the schema." });
const saveHeaders = idempotencyHeaders("Requests with the same key and body save one version.");
const created = SavedSchema.pipe(HttpApiSchema.status(201));
const deleted = HttpApiSchema.NoContent.annotate({ description: "Deleted." });

export class SchemasApi extends HttpApiGroup.make("schemas")
  .add(
    HttpApiEndpoint.get("listSchemas", "/schemas", {
      query: PAGE_QUERY,
      success: SchemaPage,
      error: InvalidRequest
    }).annotateMerge(titled("List schemas", "Saved and predefined schemas, newest first.")),
    HttpApiEndpoint.post("saveSchema", "/schemas", {
      headers: saveHeaders,
      payload: SchemaBody,
      success: created,
      error: [...BODY_ERRORS, Conflict]
    }).annotateMerge(titled("Save a schema", "Submits then refer to it by its id, as `schemaId`.")),
    HttpApiEndpoint.get("getSchema", "/schemas/:id", {
      params: { id: schemaId },
      success: SavedSchema,
      error: NotFound
    }).annotateMerge(titled("Get a schema", "A saved or predefined schema.")),
    HttpApiEndpoint.delete("deleteSchema", "/schemas/:id", {
      params: { id: schemaId },
      success: deleted,
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Delete a schema", "Runs that use it keep their copy. Predefined schemas cannot be deleted.")
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ description: "Saved schemas, which submits refer to by id." })) {}
