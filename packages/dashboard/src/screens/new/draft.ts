/**
 * The draft of a submit as shown in the form, and the request body built from it. Pure except for its storage: a
 * draft survives a reload and the end of the session, in this tab only.
 */
import { isFree } from "../../data/free.ts";
import type { Modality, Submission } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { readSchema, namesNothing } from "../../parts/schema/fields.ts";

export const MODALITIES: ReadonlyArray<Modality> = ["transcript", "comments", "audio", "video"];

/** Every field of every kind of submission. */
export type SubmissionField = Submission extends infer Kind
  ? Kind extends unknown
    ? keyof Kind
    : never
  : never;

/** `none` downloads only. `auto` lets the model generate a schema. */
export type SchemaChoice = "none" | "saved" | "own" | "auto";

export interface Draft {
  /** What is in the field: a URL, or a list of them. */
  readonly url: string;
  readonly choice: SchemaChoice;
  readonly schemaId: string;
  /** JSON. */
  readonly schemaText: string;
  readonly parts: ReadonlyArray<Modality>;
  readonly inputs: ReadonlyArray<Modality>;
  readonly prompt: string;
  readonly language: string;
  readonly policy: string;
  readonly auto: boolean;
  readonly maxSpendCredits: string;
  /** Refused if it costs more. */
  readonly maxCredits: string;
  /** Of a reused result. */
  readonly maxAgeSeconds: string;
  readonly force: boolean;
  /** Values without a quote become null. */
  readonly isQuoted: boolean;
  /** Transcribe the audio if there are no captions. */
  readonly speech: boolean;
  readonly webhookUrl: string;
}

const EMPTY_SCHEMA = '{\n  "type": "object",\n  "properties": {},\n  "additionalProperties": false\n}';

export const EMPTY: Draft = {
  url: "",
  choice: "none",
  schemaId: "",
  schemaText: EMPTY_SCHEMA,
  parts: MODALITIES,
  inputs: ["transcript", "comments"],
  prompt: "",
  language: "",
  policy: "",
  auto: false,
  maxSpendCredits: "",
  maxCredits: "",
  maxAgeSeconds: "",
  force: false,
  isQuoted: false,
  speech: false,
  webhookUrl: ""
};

type Schema = { readonly schema: Readonly<Record<string, unknown>> } | { readonly schemaId: string };

/** Undefined while it is missing, invalid, or names no value. */
const schemaOf = ({ choice, schemaId, schemaText }: Draft): Schema | undefined => {
  if (choice === "saved") return schemaId === "" ? undefined : { schemaId };
  if (choice === "auto") return { schemaId: "auto" };
  const read = readSchema(schemaText);
  return read.ok && !namesNothing(read.schema) ? { schema: read.schema } : undefined;
};

const given = <Name extends "language" | "webhookUrl" | "prompt">(
  name: Name,
  text: string
): Partial<Record<Name, string>> =>
  text.trim() === "" ? {} : ({ [name]: text.trim() } as Partial<Record<Name, string>>);

const counted = <Name extends "maxCredits" | "maxAgeSeconds">(
  name: Name,
  text: string
): Partial<Record<Name, number>> =>
  text === "" ? {} : ({ [name]: Number(text) } as Partial<Record<Name, number>>);

/** Undefined while the limit of the automatic choice of inputs is missing. */
export const spendOf = ({
  auto,
  maxSpendCredits
}: Draft):
  | { readonly auto?: false }
  | { readonly auto: true; readonly maxSpendCredits: number }
  | undefined => {
  if (!auto) return {};
  // The service asks for a limit in any case.
  const credits = isFree ? 1 : Number(maxSpendCredits);
  return Number.isInteger(credits) && credits > 0 ? { auto, maxSpendCredits: credits } : undefined;
};

type Fetching = Submission & { readonly url: string; readonly fromExtraction?: undefined };

/** Omitted fields have the service's defaults; undefined while something is missing. */
export const bodyOf = (draft: Draft): Fetching | undefined => {
  const url = withScheme(draft.url);
  if (!isWebUrl(url)) return undefined;
  const common = {
    url,
    ...given("language", draft.language),
    ...given("webhookUrl", draft.webhookUrl),
    ...(draft.policy === "" ? {} : { policy: draft.policy as NonNullable<Submission["policy"]> }),
    ...counted("maxCredits", draft.maxCredits),
    ...counted("maxAgeSeconds", draft.maxAgeSeconds),
    ...(draft.force ? { force: true } : {}),
    ...(draft.speech ? { speech: true } : {})
  };
  if (draft.choice === "none") {
    const isAll = draft.parts.length === MODALITIES.length;
    return { ...common, ...(isAll ? {} : { parts: draft.parts }) };
  }
  const schema = schemaOf(draft);
  const spend = spendOf(draft);
  return schema === undefined || spend === undefined
    ? undefined
    : {
        ...common,
        ...schema,
        inputs: draft.inputs,
        ...given("prompt", draft.prompt),
        ...(draft.isQuoted ? { evidence: "require" } : {}),
        ...spend
      };
};

/** The draft for a submitted body, to run it again with changes. */
export const draftOf = (body: Submission): Draft => ({
  ...EMPTY,
  url: body.url ?? "",
  choice:
    body.schema !== undefined
      ? "own"
      : body.schemaId === undefined
        ? "none"
        : body.schemaId === "auto"
          ? "auto"
          : "saved",
  schemaId: body.schemaId === undefined || body.schemaId === "auto" ? "" : body.schemaId,
  schemaText: body.schema === undefined ? EMPTY_SCHEMA : JSON.stringify(body.schema, null, 2),
  parts: body.parts ?? EMPTY.parts,
  inputs: body.inputs ?? EMPTY.inputs,
  prompt: body.prompt ?? "",
  language: body.language ?? "",
  policy: body.policy ?? "",
  auto: body.auto ?? false,
  maxSpendCredits: String(body.maxSpendCredits ?? ""),
  maxCredits: String(body.maxCredits ?? ""),
  maxAgeSeconds: String(body.maxAgeSeconds ?? ""),
  force: body.force ?? false,
  isQuoted: body.evidence === "require",
  speech: body.speech ?? false,
  webhookUrl: body.webhookUrl ?? ""
});

const STORAGE_KEY = "winnow.draft";

export const savedDraft = (): Draft => {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
};

export const keepDraft = (draft: Draft): void => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
export const dropDraft = (): void => sessionStorage.removeItem(STORAGE_KEY);
