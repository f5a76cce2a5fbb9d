/** Parses the fields a model proposes: invalid ones are dropped, never repaired. Pure. Tests: reading.test.ts. */
import type { ProposedField } from "@winnow/core/domain/json-schema/ProposedSchema";
import type { Proposal } from "@winnow/core/ports/Analyst";
import type { SchemaFault } from "@winnow/core/ports/SchemaChecker";
import { isJsonObject as isObject, propertyOf } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { Json } from "./schema/Shape.ts";

/** Maximum fields of a schema. */
export const FIELDS_MAX = 40;

/** Maximum names in a path. */
const PATH_NAMES_MAX = 4;

const NAME_CHARS_MAX = 80;
const DESCRIPTION_CHARS_MAX = 300;

const NAME = String.raw`[A-Za-z][A-Za-z0-9_]{0,63}`;
const PATH = new RegExp(String.raw`^${NAME}(?:\[\])?(?:\.${NAME}(?:\[\])?)*$`, "u");

const TYPES = ["string", "number", "integer", "boolean"] as const;

/** The answer requested from the model, within the limits of strict mode. */
export const PROPOSAL_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string" },
    fields: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          type: { type: "string", enum: [...TYPES] },
          description: { type: "string" },
          required: { type: "boolean" },
          isArray: { type: "boolean" }
        },
        required: ["path", "type", "description", "required", "isArray"],
        additionalProperties: false
      }
    }
  },
  required: ["name", "fields"],
  additionalProperties: false
};

const lineOf = (value: Json | undefined, charsMax: number): string =>
  typeof value === "string" ? [...value.replace(/\s+/gu, " ").trim()].slice(0, charsMax).join("") : "";

const fieldOf = (given: Json): ReadonlyArray<ProposedField> => {
  if (!isObject(given)) return [];
  const value = propertyOf(given, "path");
  const path = typeof value === "string" ? value.trim() : "";
  const type = TYPES.find((each) => each === propertyOf(given, "type"));
  if (type === undefined || !PATH.test(path) || path.split(".").length > PATH_NAMES_MAX) return [];
  // `tags[]` as the last name means the same as `isArray`.
  const isList = path.endsWith("[]");
  return [
    {
      path: isList ? path.slice(0, -2) : path,
      type,
      description: lineOf(propertyOf(given, "description"), DESCRIPTION_CHARS_MAX),
      required: propertyOf(given, "required") === true,
      isArray: isList || propertyOf(given, "isArray") === true
    }
  ];
};

/** Drops duplicate paths; a path that is a prefix of another is a group, not a value. */
const withoutConflicts = (fields: ReadonlyArray<ProposedField>): ReadonlyArray<ProposedField> => {
  const bare = ({ path }: ProposedField): string => path.replaceAll("[]", "");
  const groups = new Set(
    fields.flatMap((field) => {
      const names = bare(field).split(".");
      return names.slice(1).map((_, place) => names.slice(0, place + 1).join("."));
    })
  );
  const unique = new Map(fields.map((field) => [bare(field), field]));
  return [...unique.values()].filter((field) => !groups.has(bare(field)));
};

export const readProposal = (answer: JsonObject): Proposal | ReadonlyArray<SchemaFault> => {
  const fields = propertyOf(answer, "fields");
  if (!Array.isArray(fields)) return [{ path: "/fields", message: "must be a list of fields" }];
  const read = withoutConflicts(fields.flatMap(fieldOf)).slice(0, FIELDS_MAX);
  if (fields.length > 0 && read.length === 0) {
    return [
      { path: "/fields", message: "must contain fields with path, type, description, required, isArray" }
    ];
  }
  const name = lineOf(propertyOf(answer, "name"), NAME_CHARS_MAX);
  return { name: name === "" ? "Content" : name, fields: read };
};
