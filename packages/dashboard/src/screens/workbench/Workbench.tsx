/** Tries fields on what is already fetched: the content, the fields, and the values of each try, before saving. */
import type { CompleteResult, SavedSchema, Submission } from "@winnow/client";
import { useLocation } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { winnow } from "../../data/client.ts";
import { runsChanged, useExtractions, useResult, type ExtractionItem } from "../../data/extractions.ts";
import { useQuote } from "../../data/quotes.ts";
import { isPredefined, lastVersion, saveSchema, useSchema, useSchemas } from "../../data/schemas.ts";
import { PageHead } from "../../parts/Page.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { isUsableSchema, readSchema } from "../../parts/schema/fields.ts";
import { SchemaEditor } from "../../parts/schema/SchemaEditor.tsx";
import { schemaWords } from "../../parts/schema/words.ts";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { note } from "../../parts/Toasts.tsx";
import { Empty, Loading, Problem, useAct, Waiting } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { nextQuote, Text, useMedia } from "../run/Complete.tsx";
import { MediaPlayer, usePlayer, type Player } from "../run/player.tsx";
import { schemasWords } from "../schemas/words.ts";
import { LAST_COUNT, LastRuns, type Reading } from "./LastRuns.tsx";
import { Tries } from "./Tries.tsx";
import { workbenchWords } from "./words.ts";

// The draft survives a reload, as that of a new extraction does.

interface Draft {
  readonly text: string;
  readonly prompt: string;
}

const NEW_TEXT = JSON.stringify(
  { type: "object", properties: {}, required: [], additionalProperties: false },
  null,
  2
);

const draftKey = (schemaId: string): string => `winnow.workbench.${schemaId}`;

const savedDraft = (saved: SavedSchema | null): Draft =>
  saved === null
    ? { text: NEW_TEXT, prompt: "" }
    : { text: JSON.stringify(saved.schema, null, 2), prompt: saved.prompt ?? "" };

const draftOf = (saved: SavedSchema | null): Draft => {
  const kept = sessionStorage.getItem(draftKey(saved?.id ?? ""));
  return kept === null ? savedDraft(saved) : (JSON.parse(kept) as Draft);
};

/** What a try sends; undefined while the fields are not a schema. */
const readingOf = ({ text, prompt }: Draft): Reading | undefined => {
  const read = readSchema(text);
  if (!read.ok || !isUsableSchema(text)) return undefined;
  return { schema: read.schema, ...(prompt.trim() === "" ? {} : { prompt: prompt.trim() }) };
};

// Its three parts.

const Content = ({ id, player }: { readonly id: string; readonly player: Player }) => {
  const query = useResult(id, true);
  return (
    <Waiting query={query} lines={8}>
      {(result) =>
        result.status === "complete" ? (
          <>
            <MediaPlayer result={result as CompleteResult<unknown>} player={player} />
            <Text result={result as CompleteResult<unknown>} player={player} />
          </>
        ) : (
          <p class="notice">{workbenchWords.gone}</p>
        )
      }
    </Waiting>
  );
};

interface SaveProps {
  readonly saved: SavedSchema | null;
  readonly reading: Reading | undefined;
  readonly onSaved: (schema: SavedSchema) => void;
}

const Save = ({ saved, reading, onSaved }: SaveProps) => {
  const own = saved === null || isPredefined(saved) ? null : saved;
  const [name, setName] = useState("");
  const { act, isBusy, error } = useAct();
  const { data: schemas = [] } = useSchemas();
  const save = (): void => {
    if (reading === undefined) return;
    void act(() => saveSchema({ name: own?.name ?? name.trim(), ...reading }), onSaved);
  };
  return (
    <div class="row">
      {own === null ? (
        <input
          class="grow"
          aria-label={workbenchWords.name}
          placeholder={workbenchWords.name}
          value={name}
          maxLength={100}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      ) : null}
      <button
        class="button"
        type="button"
        disabled={isBusy || reading === undefined || (own === null && name.trim() === "")}
        onClick={save}
      >
        {own === null ? workbenchWords.save : workbenchWords.saveNext(lastVersion(schemas, own.name) + 1)}
      </button>
      {error === null ? null : <Problem error={error} />}
    </div>
  );
};

interface FieldsProps {
  readonly fromId: string;
  readonly saved: SavedSchema | null;
  readonly draft: Draft;
  readonly reading: Reading | undefined;
  readonly onDraft: (draft: Draft) => void;
  readonly onTry: (id: string) => void;
  readonly onSaved: (schema: SavedSchema) => void;
}

const Fields = ({ fromId, saved, draft, reading, onDraft, onTry, onSaved }: FieldsProps) => {
  const body = useMemo(
    (): Submission | undefined =>
      reading === undefined ? undefined : { fromExtraction: fromId, ...reading },
    [fromId, reading]
  );
  const quote = useQuote(fromId, body);
  const { act, isBusy, error } = useAct();
  const tryIt = (): void => {
    if (body === undefined || quote.credits === undefined) return;
    const limited = { ...body, maxCredits: quote.credits };
    void act(
      () => winnow.submit(limited),
      ({ id }) => {
        runsChanged();
        onTry(id);
      }
    );
  };
  return (
    <form
      class="panel stack"
      aria-label={workbenchWords.fields}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        tryIt();
      }}
    >
      <SchemaEditor text={draft.text} onChange={(text) => onDraft({ ...draft, text })} />
      <label class="stack tight">
        <span>
          {schemaWords.prompt} <span class="hint">({words.optional})</span>
        </span>
        <textarea
          rows={2}
          value={draft.prompt}
          onInput={(event) => onDraft({ ...draft, prompt: event.currentTarget.value })}
        />
      </label>
      {quote.error !== null ? <Problem error={quote.error} retry={quote.refetch} /> : null}
      {error === null ? null : <Problem error={error} />}
      <div class="row">
        <button class="button main" type="submit" disabled={isBusy || !quote.isCurrent}>
          {reading === undefined
            ? workbenchWords.notReady
            : quote.credits === undefined
              ? workbenchWords.asking
              : workbenchWords.tryFor(number(quote.credits))}
        </button>
        <span class="hint">{workbenchWords.tryHint}</span>
      </div>
      <Save saved={saved} reading={reading} onSaved={onSaved} />
    </form>
  );
};

// The whole.

/** As in workbench.css; in one column the fields come first. */
const COLUMNS = "(min-width: 64rem)";

interface BenchProps {
  readonly fromId: string;
  readonly saved: SavedSchema | null;
  readonly runs: ReadonlyArray<ExtractionItem>;
  readonly choose: (fromId: string, schemaId: string) => void;
}

const Bench = ({ fromId, saved, runs, choose }: BenchProps) => {
  const player = usePlayer();
  useShortcuts({ " ": player.toggle, e: nextQuote });
  const [draft, setDraft] = useState(() => draftOf(saved));
  const [tries, setTries] = useState<ReadonlyArray<string>>([]);
  const reading = useMemo(() => readingOf(draft), [draft]);
  const isChanged = JSON.stringify(reading) !== JSON.stringify(readingOf(savedDraft(saved)));
  // The list is read again and again; these only count when they change.
  const ids = runs.slice(0, LAST_COUNT).map(({ id }) => id);
  const last = useMemo(() => runs.slice(0, LAST_COUNT), [ids.join(" ")]);
  const isWide = useMedia(COLUMNS);
  const content = (
    <div class="stack">
      <Content key={fromId} id={fromId} player={player} />
    </div>
  );
  return (
    <>
      <div class="workbench">
        {isWide ? content : null}
        <Fields
          fromId={fromId}
          saved={saved}
          draft={draft}
          reading={reading}
          onDraft={(next) => {
            setDraft(next);
            sessionStorage.setItem(draftKey(saved?.id ?? ""), JSON.stringify(next));
          }}
          onTry={(id) => setTries([...tries.filter((each) => each !== id), id])}
          onSaved={(next) => {
            sessionStorage.removeItem(draftKey(saved?.id ?? ""));
            note(schemasWords.saved(next.name, next.version));
            choose(fromId, next.id);
          }}
        />
        <section class="stack tight" aria-label={workbenchWords.tries}>
          <Tries key={tries.join(" ")} ids={tries} player={player} />
        </section>
        {isWide ? null : content}
      </div>
      {reading === undefined || last.length === 0 ? null : (
        <LastRuns runs={last} draft={reading} saved={isChanged ? saved : null} />
      )}
    </>
  );
};

interface ChoiceProps {
  readonly fromId: string;
  readonly schemaId: string;
  readonly runs: ReadonlyArray<ExtractionItem>;
  readonly choose: (fromId: string, schemaId: string) => void;
}

const Choice = ({ fromId, schemaId, runs, choose }: ChoiceProps) => {
  const { data: schemas = [] } = useSchemas();
  return (
    <div class="panel workbench-choice">
      <label class="stack tight">
        {workbenchWords.source}
        <select value={fromId} onChange={(event) => choose(event.currentTarget.value, schemaId)}>
          {runs.some(({ id }) => id === fromId) ? null : <option value={fromId}>{fromId}</option>}
          {runs.map((run) => (
            <option key={run.id} value={run.id}>
              {nameOf(run)}
            </option>
          ))}
        </select>
      </label>
      <label class="stack tight">
        {workbenchWords.from}
        <select value={schemaId} onChange={(event) => choose(fromId, event.currentTarget.value)}>
          <option value="">{workbenchWords.ownFields}</option>
          {schemas.map((schema) => (
            <option key={schema.id} value={schema.id}>
              {isPredefined(schema)
                ? schema.name
                : `${schema.name}, ${schemasWords.version(schema.version).toLowerCase()}`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
};

const Workbench = () => {
  const { query, route } = useLocation();
  const list = useExtractions({ status: "complete" });
  const first = useRef<string>();
  const schemaId = query["schema"] ?? "";
  const schema = useSchema(schemaId, schemaId !== "");
  const choose = (from: string, id: string): void =>
    route(href(`workbench?from=${from}${id === "" ? "" : `&schema=${encodeURIComponent(id)}`}`), true);
  return (
    <>
      <PageHead title={workbenchWords.title} hint={workbenchWords.hint} guide="web-app" />
      <Waiting query={{ ...list, data: list.items }} lines={8}>
        {(all) => {
          const runs = all.filter(({ fromExtraction }) => fromExtraction === undefined);
          // Extractions that end meanwhile do not replace what somebody works on.
          first.current ??= runs[0]?.id;
          const fromId = query["from"] ?? first.current;
          if (fromId === undefined) {
            return (
              <Empty title={workbenchWords.emptyTitle}>
                <p>{workbenchWords.emptyText}</p>
              </Empty>
            );
          }
          return (
            <>
              <Choice fromId={fromId} schemaId={schemaId} runs={runs} choose={choose} />
              {schemaId !== "" && schema.data === undefined ? (
                schema.error === null ? (
                  <Loading lines={8} />
                ) : (
                  <Problem error={schema.error} retry={() => void schema.refetch()} />
                )
              ) : (
                <Bench
                  key={`${fromId} ${schemaId}`}
                  fromId={fromId}
                  saved={schemaId === "" ? null : (schema.data ?? null)}
                  runs={runs}
                  choose={choose}
                />
              )}
            </>
          );
        }}
      </Waiting>
    </>
  );
};

export default Workbench;
