/**
 * The form of a schema: its name, fields and guidance; tried for a price that is asked first, and saved as a version.
 * Tests: schemas.test.ts, everyday.test.ts.
 */
import type { SavedSchema, Submission } from "@winnow/client";
import { useLocation } from "preact-iso";
import { useMutation } from "@tanstack/preact-query";
import { useEffect, useMemo } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { changed, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { hasEnded, runsChanged, useRun } from "../../data/extractions.ts";
import { useOnce } from "../../data/once.ts";
import { useQuote } from "../../data/quotes.ts";
import { isPredefined, lastVersion, saveSchema, useSchemas } from "../../data/schemas.ts";
import { PromptField } from "../../parts/schema/PromptField.tsx";
import { SchemaEditor } from "../../parts/schema/SchemaEditor.tsx";
import { note } from "../../parts/Toasts.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { moveDraft, type Draft, type Reading, type StartedTry } from "./draft.ts";
import { schemasWords, tryWords } from "./words.ts";

interface EditorProps {
  /** The extraction to try on, if there is one. */
  readonly fromId: string | undefined;
  readonly saved: SavedSchema | null;
  readonly draft: Draft;
  readonly reading: Reading | undefined;
  /** From the saved version. */
  readonly isChanged: boolean;
  readonly onDraft: (change: Partial<Draft>) => void;
  readonly onTry: (started: StartedTry) => void;
}

/** Until the last try ends: then the same may have another price. */
const useRunning = ({ draft: { running }, onDraft }: EditorProps): string | undefined => {
  const { data: run } = useRun(running?.id ?? "", running !== undefined);
  const isOver = run !== undefined && hasEnded(run);
  useEffect(() => {
    if (!isOver) return;
    changed(keys.quotes);
    onDraft({ running: undefined });
  }, [isOver]);
  return running?.body;
};

/** The price of a try, and the try. */
const useTry = (props: EditorProps) => {
  const { fromId, reading, onTry } = props;
  const body = useMemo(
    (): Submission | undefined =>
      fromId === undefined || reading === undefined ? undefined : { fromExtraction: fromId, ...reading },
    [fromId, reading]
  );
  const quote = useQuote(body === undefined ? undefined : fromId, body);
  const { once } = useOnce(body);
  const text = JSON.stringify(body);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (asked: Submission) => once((options) => winnow.submit(asked, options)),
    onSuccess: ({ id }) => {
      runsChanged();
      if (fromId !== undefined) onTry({ id, fromId, body: text });
    }
  });
  const isRunning = useRunning(props) === text && body !== undefined;
  const { credits } = quote;
  const isReady = quote.isCurrent && !isPending && !isRunning;
  const tryIt = (): void => {
    if (body !== undefined && credits !== undefined && isReady) mutate({ ...body, maxCredits: credits });
  };
  const label =
    body === undefined
      ? tryWords.tryIt
      : isRunning
        ? tryWords.running
        : credits === undefined
          ? tryWords.asking
          : tryWords.tryFor(number(credits));
  return { quote, error, tryIt, label, isReady };
};

/** Saving, and whether there is anything to save: a predefined schema is copied, which needs no change. */
const useSave = ({ fromId, saved, draft, reading, isChanged }: EditorProps) => {
  const { route } = useLocation();
  const { mutate, isPending, error } = useMutation({
    mutationFn: saveSchema,
    onSuccess: (next) => {
      moveDraft(saved, next);
      note(schemasWords.saved(next.name, next.version));
      route(href(`schemas/${next.id}${fromId === undefined ? "" : `?from=${fromId}`}`));
    }
  });
  const { data: schemas = [] } = useSchemas();
  const name = draft.name.trim();
  const isSame = saved !== null && !isPredefined(saved) && name === saved.name && !isChanged;
  const save = (): void => {
    if (reading !== undefined) mutate({ name, ...reading });
  };
  const last = lastVersion(schemas, name);
  return {
    error,
    save,
    isReady: !isPending && !isSame && reading !== undefined,
    label: last === 0 ? words.save : schemasWords.saveNext(last + 1),
    hint:
      reading === undefined ? schemasWords.nameField : isSame ? schemasWords.unchanged : schemasWords.never
  };
};

export const Editor = (props: EditorProps) => {
  const { fromId, draft, onDraft } = props;
  const trying = useTry(props);
  const saving = useSave(props);
  return (
    <form
      class="panel stack"
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === "Enter" && (ctrlKey || metaKey)) trying.tryIt();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        saving.save();
      }}
    >
      <label class="stack tight">
        {schemasWords.name}
        <input
          required
          value={draft.name}
          maxLength={100}
          pattern=".*\S.*"
          onInput={(event) => onDraft({ name: event.currentTarget.value })}
        />
      </label>
      <SchemaEditor text={draft.text} onChange={(text) => onDraft({ text })} />
      <PromptField value={draft.prompt} onChange={(prompt) => onDraft({ prompt })} />
      <Problem error={trying.quote.error} retry={trying.quote.refetch} />
      <Problem error={trying.error} />
      <Problem error={saving.error} />
      <div class="row bench-bar">
        {fromId === undefined ? null : (
          <button class="button main" type="button" disabled={!trying.isReady} onClick={trying.tryIt}>
            {trying.label}
          </button>
        )}
        <button
          class={fromId === undefined ? "button main" : "button"}
          type="submit"
          disabled={!saving.isReady}
        >
          {saving.label}
        </button>
        <p class="hint">{saving.hint}</p>
      </div>
    </form>
  );
};
