/**
 * The descriptions in a schema generated from content. They are untrusted too and are fenced; otherwise a page
 * could inject instructions into all later runs with that schema. Pure.
 */
import { DESCRIBED_BY_CONTENT } from "@winnow/core/domain/json-schema/SchemaKeywords";
import { isObject, type Json, type JsonObject } from "../projection/Shape.ts";

export interface NotedSchema {
  /** The schema without its descriptions, if they come from content. */
  readonly schema: JsonObject;
  /** One line per member: its path and description. */
  readonly notes: ReadonlyArray<string>;
}

const WORDS = new Set(["description", "title", "examples", "$comment"]);

const stripped = (schema: Json, path: string, notes: Array<string>): Json => {
  if (!isObject(schema)) return schema;
  if (typeof schema["description"] === "string")
    notes.push(`${path || "the root"}: ${schema["description"]}`);
  const remaining = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(
    remaining.map(([keyword, value]): readonly [string, Json] => {
      if (keyword === "items") return [keyword, stripped(value, `${path}[]`, notes)];
      if (keyword !== "properties" || !isObject(value)) return [keyword, value];
      const members = Object.entries(value).map(
        ([name, member]) => [name, stripped(member, path === "" ? name : `${path}.${name}`, notes)] as const
      );
      return [keyword, Object.fromEntries(members)];
    })
  );
};

export const notedSchema = (schema: JsonObject): NotedSchema => {
  if (schema[DESCRIBED_BY_CONTENT] !== true) return { schema, notes: [] };
  const notes: Array<string> = [];
  return { schema: stripped(schema, "", notes) as JsonObject, notes };
};
