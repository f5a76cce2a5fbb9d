/**
 * Builds a schema from the fields that a model proposes for content (`schemaId: "auto"`). The model
 * lists fields; it never writes JSON Schema itself.
 */
import * as Schema from "effect/Schema";
import { NAME_CHARS_MAX } from "../text/NameText.ts";
import { DESCRIBED_BY_CONTENT } from "./SchemaKeywords.ts";
import type { JsonObject } from "./SchemaRules.ts";

/** The `schemaId` that requests a generated schema. */
export const AUTO_SCHEMA_ID = "auto";

/** A field proposed for the content. */
export const ProposedField = Schema.Struct({
  /** Names from the root, separated by dots; `items[].price` is the price of each item. */
  path: Schema.String,
  type: Schema.Literals(["string", "number", "integer", "boolean"]),
  /** One sentence. */
  description: Schema.String,
  required: Schema.Boolean,
  /** The value is a list of such values. */
  isArray: Schema.Boolean
});
export type ProposedField = typeof ProposedField.Type;

/** Maximum fields used from a proposal; the rest is dropped. */
export const PROPOSED_FIELDS_MAX = 40;

/** Maximum names in a path; deeper fields are dropped. */
export const PROPOSED_DEPTH_MAX = 4;

/** Maximum path length, in characters. */
const PATH_CHARS_MAX = 300;

const FIELD_NAME_CHARS_MAX = 64;
const DESCRIPTION_CHARS_MAX = 200;

/** Control, bidirectional and tag characters, which could hide page text in a saved schema. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

const firstChars = (text: string, max: number): string => [...text].slice(0, max).join("");

const tidied = (text: string, charsMax: number): string =>
  firstChars(text.replace(HIDDEN, " ").replace(/\s+/gu, " ").trim(), charsMax).trim();

/** Properties of every JavaScript object, which some programs would mistake for values. */
const INHERITED: ReadonlySet<string> = new Set(["constructor", "prototype", "toString", "valueOf"]);

/** Letters, digits, `_` and `-`; empty if nothing is left. */
const nameOf = (step: string): string => {
  const name = firstChars(
    step
      .normalize("NFC")
      .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, "_")
      .replace(/^[_\p{M}-]+|[_-]+$/gu, ""),
    FIELD_NAME_CHARS_MAX
  );
  return INHERITED.has(name) ? `${name}_` : name;
};

interface Step {
  readonly name: string;
  readonly isArray: boolean;
}

/** Null if the path is invalid or too deep. */
const stepsOf = ({ path, isArray }: ProposedField): ReadonlyArray<Step> | null => {
  if (path.length > PATH_CHARS_MAX) return null;
  const steps = path.split(".").map((step) => ({
    name: nameOf(step.replace(/(?:\[\d*\])+\s*$/u, "")),
    isArray: /\]\s*$/u.test(step)
  }));
  if (steps.length > PROPOSED_DEPTH_MAX || steps.some(({ name }) => name === "")) return null;
  return steps.map((step, index) =>
    index === steps.length - 1 ? { ...step, isArray: step.isArray || isArray } : step
  );
};

interface Property {
  isArray: boolean;
  required: boolean;
  description: string;
  /** Null for objects. */
  readonly type: ProposedField["type"] | null;
  readonly properties: Map<string, Property>;
}

/** Adds a field to the tree; a field that contradicts an earlier one is dropped. */
const add = (root: Map<string, Property>, field: ProposedField, steps: ReadonlyArray<Step>): void => {
  const way: Array<Property> = [];
  let properties = root;
  for (const [index, { name, isArray }] of steps.entries()) {
    const type = index === steps.length - 1 ? field.type : null;
    const property = properties.get(name) ?? {
      isArray,
      required: false,
      description: "",
      type,
      properties: new Map()
    };
    if ((property.type === null) !== (type === null)) return;
    if (!properties.has(name)) properties.set(name, property);
    property.isArray ||= isArray;
    way.push(property);
    ({ properties } = property);
  }
  const leaf = way.at(-1);
  if (leaf !== undefined && leaf.description === "") {
    leaf.description = tidied(field.description, DESCRIPTION_CHARS_MAX);
  }
  if (field.required) for (const property of way) property.required = true;
};

const schemaOf = ({ type, isArray, required, description, properties }: Property): JsonObject => {
  const described = description === "" ? {} : { description };
  if (type === null) {
    const object = objectOf(properties);
    return isArray ? { type: "array", items: object } : object;
  }
  if (isArray) return { type: "array", items: { type }, ...described };
  return { type: required ? type : [type, "null"], ...described };
};

const objectOf = (properties: ReadonlyMap<string, Property>): JsonObject => ({
  type: "object",
  properties: Object.fromEntries([...properties].map(([name, property]) => [name, schemaOf(property)])),
  required: [...properties].filter(([, { required }]) => required).map(([name]) => name),
  additionalProperties: false
});

/**
 * The JSON Schema of proposed fields; null if none are usable. Fields with the same path are merged; fields beyond
 * the limits or in contradiction to earlier ones are dropped. Optional fields are nullable.
 */
export const compileProposal = (fields: ReadonlyArray<ProposedField>): JsonObject | null => {
  const root = new Map<string, Property>();
  for (const field of fields.slice(0, PROPOSED_FIELDS_MAX)) {
    const steps = stepsOf(field);
    if (steps !== null) add(root, field, steps);
  }
  if (root.size === 0) return null;
  const isDescribed = fields.some(({ description }) => description.trim() !== "");
  return { ...objectOf(root), ...(isDescribed ? { [DESCRIBED_BY_CONTENT]: true } : {}) };
};

/** A name for the schema library. */
export const proposalName = (name: string): string => tidied(name, NAME_CHARS_MAX) || "Untitled";
