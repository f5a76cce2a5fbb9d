/**
 * The draft of a submit as shown in the form, and the request body built from it. Pure except for its storage: a
 * draft survives a reload and the end of the session, in this tab only.
 */
import { isFree } from "../../data/free.ts";
import type { Modality, Submission, SubmitBody } from "@winnow/client";
import { clockText, readClock } from "@winnow/client/clock";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { isUsableSchema, readSchema } from "../../parts/schema/fields.ts";

export const MODALITIES: ReadonlyArray<Modality> = ["transcript", "comments", "audio", "video"];

/** `none` downloads only. `auto` lets the model generate a schema. */
export type SchemaChoice = "none" | "saved" | "own" | "auto";

/** Fields of the request as they are typed, in any form. */
type Typed = {
  readonly [Field in Exclude<keyof SubmitBody, "url" | "fromExtraction" | "schema" | "schemaId" | "range">]?:
    | SubmitBody[Field]
    | undefined;
};

export interface Draft extends Typed {
  /** What is in the field: a URL, or a list of them. */
  readonly url: string;
  readonly choice: SchemaChoice;
  readonly schemaId: string;
  /** JSON. */
  readonly schemaText: string;
  readonly parts: ReadonlyArray<Modality>;
  readonly inputs: ReadonlyArray<Modality>;
  /** The ends of the stretch, such as 1:05. */
  readonly from: string;
  readonly to: string;
}

const EMPTY_SCHEMA = '{\n  "type": "object",\n  "properties": {},\n  "additionalProperties": false\n}';

export const EMPTY: Draft = {
  url: "",
  choice: "none",
  schemaId: "",
  schemaText: EMPTY_SCHEMA,
  parts: MODALITIES,
  inputs: ["transcript", "comments"],
  from: "",
  to: ""
};

type Schema = { readonly schema: Readonly<Record<string, unknown>> } | { readonly schemaId: string };

/** Undefined while it is missing, invalid, or names no value. */
const schemaOf = ({ choice, schemaId, schemaText }: Draft): Schema | undefined => {
  if (choice === "saved") return schemaId === "" ? undefined : { schemaId };
  if (choice === "auto") return { schemaId: "auto" };
  const read = readSchema(schemaText);
  return read.ok && isUsableSchema(schemaText) ? { schema: read.schema } : undefined;
};

/** What is empty or off has the service's default. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]: readonly [string, unknown]) => [
        name,
        typeof value === "string" ? value.trim() : value
      ])
      .filter(([, value]) => value !== undefined && value !== "" && value !== false)
  ) as { readonly [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

/** The automatic choice of inputs needs a limit; where all is free, the service asks for one in any case. */
const spendOf = ({ auto, maxSpendCredits = 0 }: Draft) =>
  auto === true ? { auto, maxSpendCredits: isFree ? 1 : maxSpendCredits } : {};

export const lacksLimit = (draft: Draft): boolean => {
  const { maxSpendCredits: limit } = spendOf(draft);
  return limit !== undefined && !(Number.isInteger(limit) && limit > 0);
};

/** Undefined if nothing is cut off there, null if it is no time. */
const secondsAt = (text: string) => (text.trim() === "" ? undefined : readClock(text));

/** The ends of the stretch that are wrong: no time, a start that is not within the video, or an end not after it. */
export const wrongEnds = ({ from, to }: Draft, durationSec = Infinity): ReadonlyArray<"from" | "to"> => {
  const [start = 0, end = Infinity] = [secondsAt(from), secondsAt(to)];
  const isStartWrong = start === null || start >= durationSec;
  const isEndWrong = end === null || (!isStartWrong && start >= end);
  return [...(isStartWrong ? (["from"] as const) : []), ...(isEndWrong ? (["to"] as const) : [])];
};

/** Undefined for the whole; null while an end is wrong. */
export const rangeOf = (draft: Draft): Submission["range"] | null => {
  if (wrongEnds(draft).length > 0) return null;
  const range = given({
    startSec: secondsAt(draft.from) ?? undefined,
    endSec: secondsAt(draft.to) ?? undefined
  });
  return Object.keys(range).length === 0 ? undefined : range;
};

type Fetching = Submission & { readonly url: string; readonly fromExtraction?: undefined };

/** Undefined if the service chooses the same by itself: of a part that nobody named, nobody is told that it is missing. */
const named = (chosen: ReadonlyArray<Modality>, byDefault: ReadonlyArray<Modality>) =>
  String(chosen) === String(byDefault) ? undefined : chosen;

/** Undefined while something is missing. */
export const bodyOf = (draft: Draft): Fetching | undefined => {
  const { prompt, evidence } = draft;
  const parts = named(draft.parts, EMPTY.parts);
  const inputs = named(draft.inputs, EMPTY.inputs);
  const { language, captions, policy, webhookUrl, force, maxAgeSeconds, speech, maxCredits } = draft;
  const range = rangeOf(draft);
  const url = withScheme(draft.url);
  if (range === null || !isWebUrl(url)) return undefined;
  const common = { language, captions, policy, webhookUrl, force, maxAgeSeconds, speech, maxCredits, range };
  if (draft.choice === "none") return { ...given({ ...common, parts }), url };
  const schema = schemaOf(draft);
  if (schema === undefined || lacksLimit(draft)) return undefined;
  return { ...given({ ...common, inputs, prompt, evidence }), url, ...schema, ...spendOf(draft) } as Fetching;
};

/** The draft for a submitted body, to run it again with changes. */
export const draftOf = ({
  url = "",
  schema,
  schemaId = "",
  parts = EMPTY.parts,
  inputs = EMPTY.inputs,
  range: { startSec, endSec } = {},
  ...fields
}: Submission): Draft => ({
  ...fields,
  url,
  choice: schema !== undefined ? "own" : schemaId === "" ? "none" : schemaId === "auto" ? "auto" : "saved",
  schemaId: schemaId === "auto" ? "" : schemaId,
  schemaText: schema === undefined ? EMPTY_SCHEMA : JSON.stringify(schema, null, 2),
  parts,
  inputs,
  from: startSec === undefined ? "" : clockText(startSec),
  to: endSec === undefined ? "" : clockText(endSec)
});

const STORAGE_KEY = "winnow.draft";

export const savedDraft = (): Draft => {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
};

/** Where there is no room for its links, all but them is kept. */
export const keepDraft = (draft: Draft): void => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
  } catch {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...draft, url: "" }));
  }
};

export const dropDraft = (): void => sessionStorage.removeItem(STORAGE_KEY);
