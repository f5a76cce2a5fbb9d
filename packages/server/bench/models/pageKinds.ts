/** A kind of page of the trial: its schema, how its pages are written, and what a reader finds in them. */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

export interface Kind<Facts> {
  readonly name: string;
  readonly schema: JsonObject;
  readonly write: (facts: Facts) => { readonly title: string; readonly text: string };
  readonly read: (facts: Facts) => Readonly<Record<string, string | number>>;
  readonly all: ReadonlyArray<Facts>;
}

export const object = (
  properties: JsonObject,
  required: ReadonlyArray<string> = Object.keys(properties)
): JsonObject => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false
});

export const text = (description: string): JsonObject => ({ type: "string", description });
export const orNull = (type: string, description: string): JsonObject => ({
  type: [type, "null"],
  description
});
export const date = (description: string): JsonObject => ({ type: "string", format: "date", description });

export const paragraphs = (...lines: ReadonlyArray<string>): string => lines.join("\n\n");
