/**
 * From a schema and what a model wrote to the checked answer, for the worker process: projects, parses, coerces and
 * validates. Slow for hostile input. The descriptions in a schema generated from content are untrusted too: they
 * become notes to be fenced, because otherwise a page could inject instructions into all later runs with that schema.
 * Tests: answers.test.ts, numbers.test.ts.
 */
import type { Proposal } from "@winnow/core/ports/Analyst";
import { DESCRIBED_BY_CONTENT } from "@winnow/core/domain/json-schema/SchemaKeywords";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { inDoubles, isObject, type Json } from "../schema/Shape.ts";
import { brokenBound } from "@winnow/core/domain/json-schema/SchemaLimits";
import type { ClaimedQuote } from "@winnow/core/domain/evidence/Grounding";
import type { SchemaFault } from "@winnow/core/ports/SchemaChecker";
import { LRUCache } from "lru-cache";
import { VALUE_BOUNDS, VALUE_CHARS_MAX } from "../../schema-check/CheckLimits.ts";
import { verdictOn } from "../../schema-check/SchemaVerdict.ts";
import { objectIn } from "./AnswerText.ts";
import { coerced } from "./Coercions.ts";
import { type ModelAnswer, modelAnswerSchema, isModelAnswer, readModelAnswer } from "./ModelAnswer.ts";
import { type Projection, project, isWithinStrictLimits } from "../schema/Projection.ts";
import { readProposal } from "../SchemaProposal.ts";
import { sectionSchema } from "./SectionSchema.ts";
import { type Answer, inexactAt } from "../inputs/mergeAnswers.ts";

interface NotedSchema {
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

const notedSchema = (schema: JsonObject): NotedSchema => {
  if (schema[DESCRIBED_BY_CONTENT] !== true) return { schema, notes: [] };
  const notes: Array<string> = [];
  return { schema: stripped(schema, "", notes) as JsonObject, notes };
};

/** The output of a model. */
export interface WrittenText {
  readonly text: string;
  /** Whether it reached the output limit. */
  readonly isCut: boolean;
}

/** The schema of a question. */
export interface RequestedSchema {
  /** The caller's schema, as JSON: by its text, workers find what they made of it before. */
  readonly schema: string;
  /** Whether the caller's guidance may request members that the schema does not name. */
  readonly isGuided: boolean;
  /** Whether the answer is that of a section, which requires nothing. Absent: it is not. */
  readonly isSection?: boolean;
}

/** The schema of a whole answer. */
export interface AnswerSchema {
  /** JSON with members in the order in which they are to be generated. */
  readonly json: string;
  /** Whether it is within the limits of strict mode. */
  readonly isStrict: boolean;
  /** Descriptions of its members if they come from content; empty otherwise. */
  readonly notes: string;
}

/** The parsed answer, or its faults. */
export type Parsed<A> = { readonly read: A } | { readonly faults: ReadonlyArray<SchemaFault> };

const CUT: SchemaFault = { path: "", message: "was truncated: answer more briefly" };
const NO_OBJECT: SchemaFault = { path: "", message: "is not one JSON object" };
const DATA_NO_OBJECT: SchemaFault = { path: "/data", message: "must be an object" };
const TOO_LARGE: SchemaFault = { path: "/data", message: "is too large or nested too deep" };

/** What is made of a schema once. */
interface OwnedSchema {
  /** JSON of the schema that the data must fulfil. */
  readonly text: string;
  readonly projection: Projection;
  readonly notes: string;
}

/** Kept per worker: sections of one content share a schema. */
const OWNED_MAX = 20;

const ownedSchemas = new LRUCache<string, OwnedSchema>({ max: OWNED_MAX });

const owned = ({ schema, isGuided, isSection = false }: RequestedSchema): OwnedSchema => {
  const key = `${isGuided} ${isSection} ${schema}`;
  const known = ownedSchemas.get(key);
  if (known !== undefined) return known;
  const given = JSON.parse(schema) as JsonObject;
  const fulfilled = isSection ? sectionSchema(given) : given;
  const { schema: noted, notes } = notedSchema(fulfilled);
  const projection = project(noted, { wants: "object", isGuided });
  const made = { text: JSON.stringify(fulfilled), projection, notes: notes.join("\n") };
  ownedSchemas.set(key, made);
  return made;
};

/** The schema of a whole answer: verdict, evidence and data. */
export const answerSchemaOf = (requested: RequestedSchema): AnswerSchema => {
  const { projection, notes } = owned(requested);
  const answerSchema = modelAnswerSchema(projection);
  return { json: JSON.stringify(answerSchema), isStrict: isWithinStrictLimits(answerSchema), notes };
};

/** The place of the nearest enclosing value of a wire pointer; null if there is none. */
const originalPointerOf = (places: ReadonlyMap<string, string>, wirePointer: string): string | null => {
  for (let end = wirePointer.length; end > 0; end = wirePointer.lastIndexOf("/", end - 1)) {
    const place = places.get(wirePointer.slice(0, end));
    if (place !== undefined) return place;
  }
  return null;
};

const quotesOf = (
  { evidence }: ModelAnswer,
  places: ReadonlyMap<string, string>
): ReadonlyArray<ClaimedQuote> =>
  evidence.flatMap(({ path, ...claimed }) => {
    const pointer = originalPointerOf(places, path);
    return pointer === null ? [] : [{ pointer, ...claimed }];
  });

const objectOf = (
  { text, isCut }: WrittenText,
  isAnswer: (object: JsonObject) => boolean
): Parsed<JsonObject> => {
  const object = text.length > VALUE_CHARS_MAX ? null : objectIn(text, { isAnswer, isCut });
  return object === null ? { faults: [isCut ? CUT : NO_OBJECT] } : { read: object };
};

const nulledWarning = (count: number): string =>
  `The language model wrote "unknown" or the like for ${count === 1 ? "one value" : `${count} values`} of another type: read as null.`;

const envelopeOf = (written: WrittenText): Parsed<ModelAnswer> => {
  const object = objectOf(written, isModelAnswer);
  if ("faults" in object) return object;
  const envelope = readModelAnswer(object.read);
  return "verdict" in envelope ? { read: envelope } : { faults: envelope };
};

/**
 * Decoded to the caller's schema, but not validated yet.
 *
 * @param coerce whether values with only one possible meaning are coerced
 */
const decoded = (requested: RequestedSchema, envelope: ModelAnswer, coerce: boolean): Parsed<Answer> => {
  const { verdict: outcome, reason: verdictReason, confidence, data } = envelope;
  if (outcome !== "ok") {
    return { read: { outcome, verdictReason, confidence, extraction: null, quotes: [] } };
  }
  const { projection } = owned(requested);
  const places = new Map<string, string>();
  const { value: wire, nulledCount } = coerce ? coerced(projection, data) : { value: data, nulledCount: 0 };
  const inexact: Array<string> = [];
  const extraction = projection.fromWire(
    wire,
    (from, to) => void places.set(from, to),
    (pointer) => void inexact.push(pointer)
  );
  if (!isObject(extraction)) return { faults: [DATA_NO_OBJECT] };
  if (brokenBound(extraction, VALUE_BOUNDS) !== null) return { faults: [TOO_LARGE] };
  const quotes = quotesOf(envelope, places);
  const warnings = nulledCount === 0 ? [] : [nulledWarning(nulledCount)];
  const read = { outcome, verdictReason, confidence, extraction, quotes, ...inexactAt(inexact), warnings };
  return { read };
};

/** Faults that the model is shown: FAULTS_MAX of ports/SchemaChecker, which loads Effect. */
const FAULTS_SHOWN_MAX = 20;

/** The answer if it conforms, with what could not be checked in time as warnings. */
export const checkedAnswer = (schema: string, answer: Answer): Parsed<Answer> => {
  if (answer.outcome !== "ok") return { read: answer };
  const verdict = verdictOn(schema, answer.extraction, FAULTS_SHOWN_MAX);
  if ("problem" in verdict) throw new RangeError(verdict.problem.message);
  const proven = verdict.faults.filter(({ isUnchecked }) => isUnchecked !== true);
  if (proven.length > 0)
    return { faults: proven.map(({ path, message }) => ({ path: `/data${path}`, message })) };
  const warnings = [
    ...(answer.warnings ?? []),
    ...verdict.faults.map(({ message }) => `The extraction ${message}.`)
  ];
  return { read: warnings.length === 0 ? answer : { ...answer, warnings } };
};

/** An answer that conforms, possibly after coercion; else the faults that remain. */
export const readAnswer = (requested: RequestedSchema, written: WrittenText): Parsed<Answer> => {
  const envelope = envelopeOf(written);
  if ("faults" in envelope) return envelope;
  const attempt = (coerce: boolean): Parsed<Answer> => {
    const answer = decoded(requested, envelope.read, coerce);
    return "faults" in answer ? answer : checkedAnswer(owned(requested).text, answer.read);
  };
  const plain = attempt(false);
  return "read" in plain ? plain : attempt(true);
};

export const parseProposal = (written: WrittenText): Parsed<Proposal> => {
  const object = objectOf(written, ({ fields }) => Array.isArray(fields));
  if ("faults" in object) return object;
  const proposal = readProposal(inDoubles(object.read) as JsonObject);
  return "fields" in proposal ? { read: proposal } : { faults: proposal };
};
