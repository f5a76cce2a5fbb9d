/** A new batch: paste or drop links, see what each costs, start all with one debit. */
import { ApiError, type Batch, type Modality, type Submission } from "@winnow/client";
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { batchChanged, useBatchQuote } from "../../data/batches.ts";
import { winnow } from "../../data/client.ts";
import { PageHead } from "../../parts/Page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { useAct } from "../../parts/Waiting.tsx";
import { partsWords } from "../../words/laterWords.ts";
import { bodyOf, EMPTY, MODALITIES, type Draft } from "../new/draft.ts";
import { SavedChoice } from "../new/Options.tsx";
import { LinksBox, TYPED_CHARACTERS_MAX, useLinks } from "./LinksBox.tsx";
import { PricePanel, QuoteRows } from "./Prices.tsx";
import { batchPriceWords, newBatchWords } from "./words.ts";

// What is typed, pasted or dropped, kept in this tab like the draft of a single extraction.

interface BatchDraft {
  readonly text: string;
  readonly cap: string;
  /** The fields that all items share. */
  readonly common: Draft;
}

const STORAGE_KEY = "winnow.batchDraft";

const savedDraft = (): BatchDraft => {
  const empty: BatchDraft = { text: "", cap: "", common: EMPTY };
  try {
    return { ...empty, ...(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<BatchDraft>) };
  } catch {
    return empty;
  }
};

// What all of them share.

interface CommonProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

const SchemaChoice = ({ draft, onChange }: CommonProps) => (
  <div class="panel stack">
    <fieldset class="stack tight">
      <legend>{newBatchWords.read}</legend>
      <div class="part-grid">
        {(["none", "saved"] as const).map((choice) => (
          <label class="check part" key={choice}>
            <input
              type="radio"
              name="schema-choice"
              checked={draft.choice === choice}
              onChange={() => onChange({ choice })}
            />
            <span class="grow">
              <span>{choice === "none" ? newBatchWords.readNone : newBatchWords.readSaved}</span>
              <span class="hint">
                {choice === "none" ? newBatchWords.readNoneHint : newBatchWords.readSavedHint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
    {draft.choice === "saved" ? <SavedChoice draft={draft} onChange={onChange} /> : null}
  </div>
);

const Parts = ({ draft, onChange }: CommonProps) => {
  const isAi = draft.choice !== "none";
  const chosen = isAi ? draft.inputs : draft.parts;
  const toggle = (part: Modality): void => {
    const next = MODALITIES.filter((each) => (each === part) !== chosen.includes(each));
    if (next.length > 0) onChange(isAi ? { inputs: next } : { parts: next });
  };
  return (
    <fieldset class="panel stack tight">
      <legend class="sr">{isAi ? partsWords.inputs : partsWords.parts}</legend>
      <p class="label" aria-hidden="true">
        {isAi ? partsWords.inputs : partsWords.parts}
      </p>
      <div class="part-grid">
        {MODALITIES.map((part) => (
          <label class="check part" key={part}>
            <input type="checkbox" checked={chosen.includes(part)} onChange={() => toggle(part)} />
            {partsWords.names[part]}
          </label>
        ))}
      </div>
    </fieldset>
  );
};

/** One idempotency key per body: a double click, or another try after a lost answer, makes one batch. */
const useKey = (items: ReadonlyArray<Submission>, maxCredits: number): string =>
  useMemo(() => crypto.randomUUID(), [items, maxCredits]);

const useCreate = (items: ReadonlyArray<Submission>, maxCredits: number, quoteAgain: () => void) => {
  const { route } = useLocation();
  const body = { items, maxCredits };
  const idempotencyKey = useKey(items, maxCredits);
  const isSending = useRef(false);
  const { act, isBusy, error } = useAct();
  const send = async (): Promise<Batch> => {
    try {
      return await winnow.batches.create(body, { idempotencyKey });
    } catch (failure) {
      // Prices may have changed since they were shown: nothing was charged.
      if (failure instanceof ApiError && failure.status < 500 && failure.status !== 429) quoteAgain();
      throw failure;
    }
  };
  const create = async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    await act(send, (batch) => {
      sessionStorage.removeItem(STORAGE_KEY);
      batchChanged(batch);
      route(href(`batches/${batch.id}`));
    });
    isSending.current = false;
  };
  return { create, isBusy, error };
};

/** Undefined fields have the service's defaults; a link that is none is sent as it is, and refused by name. */
const itemsOf = (links: ReadonlyArray<string>, common: Draft): ReadonlyArray<Submission> => {
  const body = bodyOf({ ...common, url: "https://example.com/" });
  return body === undefined ? [] : links.map((url) => ({ ...body, url }));
};

const focusLinks = (): void => document.getElementById("links")?.focus();

const NewBatch = () => {
  const [draft, setDraft] = useState(savedDraft);
  const change = (changes: Partial<BatchDraft>): void => setDraft((before) => ({ ...before, ...changes }));
  const setCommon = (changes: Partial<Draft>): void =>
    setDraft((before) => ({ ...before, common: { ...before.common, ...changes } }));
  useEffect(() => {
    if (draft.text.length <= TYPED_CHARACTERS_MAX) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
  }, [draft]);
  const { links, fault, readFile } = useLinks(draft.text, (text) => change({ text }));
  const latest = useRef(links);
  latest.current = links;
  const replace = useCallback((url: string, listed: ReadonlyArray<string>): void => {
    change({ text: latest.current.flatMap((link) => (link === url ? listed : link)).join("\n") });
    focusLinks();
  }, []);
  const items = useMemo(() => itemsOf(links, draft.common), [links, draft.common]);
  const quote = useBatchQuote(items);
  const cap = draft.cap === "" ? (quote.total?.credits ?? 0) : Number(draft.cap);
  const { create, isBusy, error } = useCreate(items, cap, quote.refetch);
  useShortcuts({ "/": focusLinks });
  return (
    <>
      <PageHead title={newBatchWords.title} />
      <form
        class="new-form"
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key !== "Enter" || !(ctrlKey || metaKey)) return;
          currentTarget.querySelector<HTMLButtonElement>("[type=submit]")?.click();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <div class="stack">
          <LinksBox
            text={draft.text}
            links={links}
            fault={fault}
            onText={(text) => change({ text })}
            onFile={(file, name) => void readFile(file, name)}
          />
          <SchemaChoice draft={draft.common} onChange={setCommon} />
          <Parts draft={draft.common} onChange={setCommon} />
        </div>
        <aside class="stack price" aria-label={batchPriceWords.title}>
          <PricePanel
            items={items}
            count={links.length}
            cap={draft.cap}
            quote={quote}
            isBusy={isBusy}
            error={error}
            onCap={(value) => change({ cap: value })}
          />
        </aside>
      </form>
      <QuoteRows items={items} links={links} quote={quote} onListed={replace} />
    </>
  );
};

export default NewBatch;
