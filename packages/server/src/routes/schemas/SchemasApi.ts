/** Saved schemas of an account. */
import * as Schema from "effect/Schema";
import * as Domain from "@winnow/core/domain/json-schema/SavedSchema";
import {
  absent,
  DateTime,
  described,
  domainFields,
  field,
  fromCore,
  pageSchema,
  titled
} from "../../http/openapi/described.ts";
import { idempotencyHeaders, PAGE_QUERY, pathId } from "../../http/parameters.ts";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Conflict, InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { JsonBody } from "../../http/JsonBody.ts";

// Wire shapes of saved schemas.

const texts = {
  name: "Display name. Saving under an existing name creates its next version, with its own id.",
  schema: "JSON Schema of an object, at most 100 KB.",
  prompt: "Guidance for the model, at most 20 KB; used if a submit has no prompt."
};

const example = {
  name: "Opening hours",
  schema: {
    type: "object",
    properties: { place: { type: "string" }, hours: { type: "array", items: { type: "string" } } },
    required: ["place", "hours"]
  },
  prompt: "Hours as they are given, one entry a day."
};

export const SchemaBody = described(
  "SchemaBody",
  "A schema to save. Unknown fields are rejected.",
  domainFields(Domain.SchemaBody.fields, texts)
).annotate({ examples: [example] as never });

const { id, name, schema, version } = Domain.SavedSchema.fields;

export const SavedSchema = described(
  "SavedSchema",
  "A saved schema, which submits refer to by its id. It never changes.",
  {
    id: field(id, "Use it as `schemaId`. Predefined ones are `winnow.predefined.<name>.v<N>`.", "sch_01hzx3"),
    name: field(name, "Display name.", example.name),
    schema: field(schema, "JSON Schema of an object.", example.schema),
    prompt: field(absent(Schema.String), texts.prompt, example.prompt),
    version: field(version, "Version among the schemas of this name, from 1.", 1),
    createdAt: field(DateTime, "When it was saved.", "2026-11-21T08:00:00.000Z")
  }
).pipe(fromCore({ createdAt: "createdAtMs" }));

export const SchemaPage = pageSchema(
  "SchemaPage",
  "One page of schemas.",
  SavedSchema,
  "Newest first, including the predefined ones."
);

const schemaId = pathId("schema", "sch_01hzx3");
const saveHeaders = idempotencyHeaders("Requests with the same key and body save one version.");
const created = SavedSchema.pipe(HttpApiSchema.status(201));
const deleted = HttpApiSchema.NoContent.annotate({ description: "Deleted." });

export class SchemasApi extends HttpApiGroup.make("schemas")
  .add(
    HttpApiEndpoint.get("listSchemas", "/schemas", {
      query: PAGE_QUERY,
      success: SchemaPage,
      error: InvalidRequest
    }).annotateMerge(
      titled(
        "List schemas",
        "Saved and predefined schemas, newest first; a page ends at a megabyte, and may have fewer than `limit`.",
        { call: "schemas.page" }
      )
    ),
    HttpApiEndpoint.post("saveSchema", "/schemas", {
      headers: saveHeaders,
      payload: SchemaBody,
      success: created,
      error: Conflict
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled("Save a schema", "Submits then refer to it by its id, as `schemaId`.", {
          call: "schemas.save"
        })
      ),
    HttpApiEndpoint.get("getSchema", "/schemas/:id", {
      params: { id: schemaId },
      success: SavedSchema,
      error: NotFound
    }).annotateMerge(titled("Get a schema", "A saved or predefined schema.", { call: "schemas.get" })),
    HttpApiEndpoint.delete("deleteSchema", "/schemas/:id", {
      params: { id: schemaId },
      success: deleted,
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Delete a schema", "Runs that use it keep their copy. Predefined schemas cannot be deleted.", {
        call: "schemas.delete"
      })
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ description: "Saved schemas, which submits refer to by id." })) {}
