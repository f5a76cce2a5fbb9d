/** What somebody makes of a schema before it is saved; it survives a reload, as that of a new extraction does. Tests: schemas.test.ts. */
import type { SavedSchema } from "@winnow/client";
import { isPredefined } from "../../data/schemas.ts";
import { isUsableSchema, readSchema } from "../../parts/schema/fields.ts";

export interface Draft {
  readonly name: string;
  readonly text: string;
  readonly prompt: string;
  // What was started last: while it runs, the same would be charged again.
  readonly running?: StartedTry | undefined;
  readonly batch?: StartedBatch | undefined;
}

export interface StartedTry {
  readonly id: string;
  /** The extraction that it reads. */
  readonly fromId: string;
  /** As JSON. */
  readonly body: string;
}

export interface StartedBatch {
  readonly id: string;
  /** As JSON; empty once it has ended. */
  readonly items: string;
  readonly runs: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  /** Of the saved schema that is read beside the draft; null without one. */
  readonly version: number | null;
}

/** The part of a submit that reads: a schema with its guidance. */
export interface Reading {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
}

const NEW_TEXT = JSON.stringify({ type: "object", properties: {}, additionalProperties: false }, null, 2);

/** A predefined one is copied under a name of its own. */
export const savedDraft = (saved: SavedSchema | null): Draft =>
  saved === null
    ? { name: "", text: NEW_TEXT, prompt: "" }
    : {
        name: isPredefined(saved) ? "" : saved.name,
        text: JSON.stringify(saved.schema, null, 2),
        prompt: saved.prompt ?? ""
      };

const keyOf = (saved: SavedSchema | null): string => `winnow.schema.${saved?.id ?? ""}`;

export const draftOf = (saved: SavedSchema | null): Draft => {
  const kept = sessionStorage.getItem(keyOf(saved));
  return kept === null ? savedDraft(saved) : (JSON.parse(kept) as Draft);
};

export const keepDraft = (saved: SavedSchema | null, draft: Draft): void =>
  sessionStorage.setItem(keyOf(saved), JSON.stringify(draft));

/** The draft of what was saved as `next` starts there, with what still runs. */
export const moveDraft = (saved: SavedSchema | null, next: SavedSchema): void => {
  const { running, batch } = draftOf(saved);
  keepDraft(next, { ...savedDraft(next), running, batch });
  sessionStorage.removeItem(keyOf(saved));
};

/** What a try sends; undefined while the fields are not a schema. */
export const readingOf = ({ text, prompt }: Draft): Reading | undefined => {
  const read = readSchema(text);
  if (!read.ok || !isUsableSchema(text)) return undefined;
  return { schema: read.schema, ...(prompt.trim() === "" ? {} : { prompt: prompt.trim() }) };
};
