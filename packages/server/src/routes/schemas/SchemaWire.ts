/**
 * Wire shapes of saved schemas.
 */
import * as Schema from "effect/Schema";
import * as Domain from "@winnow/core/domain/json-schema/SavedSchema";
import { DateTime, described, pageSchema } from "../../http/openapi/described.ts";

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

export const SchemaBody = described(Domain.SchemaBody.fields, {
  identifier: "SchemaBody",
  description: "A schema to save. Unknown fields are rejected.",
  fields: texts,
  examples: [example]
});

const saved = { id: "sch_01hzx3", ...example, version: 1, createdAt: "2026-11-21T08:00:00.000Z" };

const { id, name, schema, version } = Domain.SavedSchema.fields;

export const SavedSchema = described(
  { id, name, schema, prompt: Schema.optionalKey(Schema.String), version, createdAt: DateTime },
  {
    identifier: "SavedSchema",
    description: "A saved schema, which submits refer to by its id. It never changes.",
    fields: {
      ...texts,
      id: "Use it as `schemaId`. Predefined ones are `winnow.predefined.<name>.v<N>`.",
      name: "Display name.",
      schema: "JSON Schema of an object.",
      version: "Version among the schemas of this name, from 1.",
      createdAt: "When it was saved."
    },
    examples: [saved]
  }
);
export type SavedSchema = typeof SavedSchema.Type;

export const SchemaPage = pageSchema(SavedSchema, {
  identifier: "SchemaPage",
  description: "One page of schemas.",
  data: "Newest first, including the predefined ones.",
  example: saved
});
