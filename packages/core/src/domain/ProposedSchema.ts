/**
 * A schema that a model proposes for content (specification, `schemaId` "auto"). A model never writes JSON
 * Schema here: it lists fields, and this module makes the schema of them.
 */
import * as Schema from "effect/Schema";
import { SCHEMA_NAME_CHARS_MAX } from "./SavedSchema.ts";
import type { JsonObject } from "./SchemaRules.ts";

/** The `schemaId` that asks for a schema made of the content. */
export const AUTO_SCHEMA_ID = "auto";

/**
 * An annotation of the root: its descriptions are words that a model took from content of strangers, so that they
 * are content too wherever a model reads them.
 */
export const DESCRIBED_BY_CONTENT = "x-described-by-content";

/** One value that the content holds. */
export const ProposedField = Schema.Struct({
  /** Names from the root, parted by dots; `items[].price` is the price of each of the items. */
  path: Schema.String,
  type: Schema.Literals(["string", "number", "integer", "boolean"]),
  /** One sentence. */
  description: Schema.String,
  required: Schema.Boolean,
  /** The value is a list of such values. */
  isArray: Schema.Boolean
});
export type ProposedField = typeof ProposedField.Type;

/** Fields taken of a proposal, the first ones: more than people ask for in one schema. */
export const PROPOSED_FIELDS_MAX = 40;

/** Names on the way to a value; deeper ones are left out. */
export const PROPOSED_DEPTH_MAX = 4;

/** Longest path read, in characters: four names of the longest kind, and their dots. */
const PATH_CHARS_MAX = 300;

const NAME_CHARS_MAX = 64;
const DESCRIPTION_CHARS_MAX = 200;

/** Controls, marks of direction and tag characters: text of a page must not hide in a saved schema. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

const firstChars = (text: string, max: number): string => [...text].slice(0, max).join("");

const tidied = (text: string, charsMax: number): string =>
  firstChars(text.replace(HIDDEN, " ").replace(/\s+/gu, " ").trim(), charsMax).trim();

/** Members that every object of the language has: some programs mistake them for values. */
const INHERITED: ReadonlySet<string> = new Set(["constructor", "prototype", "toString", "valueOf"]);

/** Letters, digits, `_` and `-`; empty when nothing is left. */
const nameOf = (step: string): string => {
  const name = firstChars(
    step
      .normalize("NFC")
      .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, "_")
      .replace(/^[_\p{M}-]+|[_-]+$/gu, ""),
    NAME_CHARS_MAX
  );
  return INHERITED.has(name) ? `${name}_` : name;
};

interface Step {
  readonly name: string;
  readonly isArray: boolean;
}

/** Null when the path leads nowhere or too deep. */
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

interface Member {
  isArray: boolean;
  required: boolean;
  description: string;
  /** Null for objects. */
  readonly type: ProposedField["type"] | null;
  readonly members: Map<string, Member>;
}

/** Adds a field where it belongs; one that contradicts an earlier one is left out. */
const add = (root: Map<string, Member>, field: ProposedField, steps: ReadonlyArray<Step>): void => {
  const way: Array<Member> = [];
  let members = root;
  for (const [index, { name, isArray }] of steps.entries()) {
    const type = index === steps.length - 1 ? field.type : null;
    const member = members.get(name) ?? {
      isArray,
      required: false,
      description: "",
      type,
      members: new Map()
    };
    if ((member.type === null) !== (type === null)) return;
    if (!members.has(name)) members.set(name, member);
    member.isArray ||= isArray;
    way.push(member);
    ({ members } = member);
  }
  const leaf = way.at(-1);
  if (leaf !== undefined && leaf.description === "") {
    leaf.description = tidied(field.description, DESCRIPTION_CHARS_MAX);
  }
  if (field.required) for (const member of way) member.required = true;
};

const schemaOf = ({ type, isArray, required, description, members }: Member): JsonObject => {
  const said = description === "" ? {} : { description };
  if (type === null) {
    const object = objectOf(members);
    return isArray ? { type: "array", items: object } : object;
  }
  if (isArray) return { type: "array", items: { type }, ...said };
  return { type: required ? type : [type, "null"], ...said };
};

const objectOf = (members: ReadonlyMap<string, Member>): JsonObject => ({
  type: "object",
  properties: Object.fromEntries([...members].map(([name, member]) => [name, schemaOf(member)])),
  required: [...members].filter(([, { required }]) => required).map(([name]) => name),
  additionalProperties: false
});

/**
 * The JSON Schema of proposed fields; null when they hold nothing. Fields of one path are merged, those
 * past the limits or in contradiction to earlier ones are left out. What is not required may be null.
 */
export const compileProposal = (fields: ReadonlyArray<ProposedField>): JsonObject | null => {
  const root = new Map<string, Member>();
  for (const field of fields.slice(0, PROPOSED_FIELDS_MAX)) {
    const steps = stepsOf(field);
    if (steps !== null) add(root, field, steps);
  }
  if (root.size === 0) return null;
  const isDescribed = fields.some(({ description }) => description.trim() !== "");
  return { ...objectOf(root), ...(isDescribed ? { [DESCRIBED_BY_CONTENT]: true } : {}) };
};

/** A name for the library. */
export const proposalName = (name: string): string => tidied(name, SCHEMA_NAME_CHARS_MAX) || "Untitled";
