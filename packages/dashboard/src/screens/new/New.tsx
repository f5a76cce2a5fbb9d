/** A new extraction: paste a URL, see the exact price, choose options, start. */
import { useEffect, useRef, useState } from "preact/hooks";
import { priceWords } from "./words.ts";
import { navWords } from "../../words/words.ts";
import { partsWords } from "../../words/laterWords.ts";
import { MODALITIES, bodyOf, draftOf, dropDraft, EMPTY, keepDraft, savedDraft, type Draft } from "./draft.ts";
import type { Modality, Submission } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { useQuote, type PartPrices } from "../../data/quotes.ts";
import { number } from "../../words/format.ts";
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { cache, keys } from "../../data/cache.ts";
import { useAccount, winnow } from "../../data/client.ts";
import { runsChanged, useRequest, useRun } from "../../data/extractions.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Options, SchemaSection } from "./Options.tsx";
import { PricePanel } from "./PricePanel.tsx";
import { CodeExamples } from "./CodeExamples.tsx";
import { AddressBox } from "./Source.tsx";

// The parts to fetch, or the inputs to read, each with its price.

interface PartChoiceProps {
  readonly isAi: boolean;
  readonly chosen: ReadonlyArray<Modality>;
  readonly prices: PartPrices;
  /** Parts that the source does not have. */
  readonly missing: ReadonlyArray<Modality>;
  readonly onChange: (chosen: ReadonlyArray<Modality>) => void;
}

/** Rounded for display; the sum is exact. */
const TENTHS = 10;

const PartChoice = ({ isAi, chosen, prices, missing, onChange }: PartChoiceProps) => {
  const toggle = (part: Modality): void => {
    const next = MODALITIES.filter((each) =>
      each === part ? !chosen.includes(part) : chosen.includes(each)
    );
    if (next.length > 0) onChange(next);
  };
  const priceOf = (part: Modality): string => {
    const credits = prices[part];
    if (credits !== undefined) return partsWords.price(number(Math.round(credits * TENTHS) / TENTHS));
    return missing.includes(part) ? partsWords.notHere : "";
  };
  return (
    <fieldset class="panel stack tight">
      <legend class="sr">{isAi ? partsWords.inputs : partsWords.parts}</legend>
      <p class="label" aria-hidden="true">
        {isAi ? partsWords.inputs : partsWords.parts}
      </p>
      <div class="part-grid">
        {MODALITIES.map((part) => (
          <label class="check part price-part" key={part}>
            <input type="checkbox" checked={chosen.includes(part)} onChange={() => toggle(part)} />
            <span class="grow">
              <span>{partsWords.names[part]}</span>
              <span class="hint">{priceOf(part)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

/** One idempotency key per body: a double click starts one run, a changed body another. */
const useKey = (body: Submission | undefined): string => {
  const key = useRef({ text: "", key: "" });
  const text = JSON.stringify(body ?? null);
  if (key.current.text !== text) key.current = { text, key: crypto.randomUUID() };
  return key.current.key;
};

/** `schema` replaces the schema of the past run. */
const useDraft = (from: string | undefined, schema: string | undefined) => {
  const chosen = schema === undefined ? {} : { choice: "saved" as const, schemaId: schema };
  const [draft, setDraft] = useState<Draft>(() => ({
    ...(from === undefined ? savedDraft() : EMPTY),
    ...chosen
  }));
  const request = useRequest(from ?? "", from !== undefined);
  const past = request.data;
  // What was read from a stored source is fetched again here.
  const run = useRun(from ?? "", past !== undefined && past.url === undefined);
  const url = past?.url ?? run.data?.url;
  useEffect(() => {
    if (past === undefined || url === undefined) return;
    setDraft({ ...draftOf(past), url, ...chosen });
  }, [past, url]);
  // A repeated run is not what somebody was writing.
  useEffect(() => {
    if (from === undefined) keepDraft(draft);
  }, [draft]);
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const { route } = useLocation();
  const clear = (): void => {
    dropDraft();
    setDraft(EMPTY);
    if (from !== undefined || schema !== undefined) route(href("new"), true);
    document.getElementById("address")?.focus();
  };
  return { draft, change, clear, request };
};

/** A link pasted anywhere goes to the URL input. */
const usePaste = (onUrl: (url: string) => void): void => {
  const current = useRef(onUrl);
  current.current = onUrl;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isInField = (event.target as Element).closest?.("input, textarea") != null;
      const url = withScheme(event.clipboardData?.getData("text/plain") ?? "");
      if (isInField || !isWebUrl(url)) return;
      event.preventDefault();
      current.current(url);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, []);
};

/** `isDraft`: it is what somebody was writing, which is done then. */
const useSubmit = (body: Submission | undefined, maxCredits: number | undefined, isDraft: boolean) => {
  const { route } = useLocation();
  const idempotencyKey = useKey(body);
  const [failed, setFailed] = useState<{ readonly key: string; readonly error: unknown } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (body === undefined || maxCredits === undefined || isBusy) return;
    setBusy(true);
    setFailed(null);
    try {
      // The price may have changed since it was shown: it is then requested again, and nothing is charged.
      const { id } = await winnow.submit({ ...body, maxCredits }, { idempotencyKey });
      if (isDraft) dropDraft();
      runsChanged();
      void cache.invalidateQueries({ queryKey: keys.quotes });
      route(href(`runs/${id}`));
    } catch (failure) {
      setFailed({ key: idempotencyKey, error: failure });
      void cache.invalidateQueries({ queryKey: keys.quotes });
      setBusy(false);
    }
  };
  // A changed body was not refused yet.
  return { submit, error: failed?.key === idempotencyKey ? failed.error : null, isBusy };
};

interface FormProps {
  /** Id of a run to repeat. */
  readonly from: string | undefined;
  /** Id of a saved or predefined schema. */
  readonly schema: string | undefined;
}

const NewForm = ({ from, schema }: FormProps) => {
  const { draft: kept, change, clear, request } = useDraft(from, schema);
  const isOff = useAccount().data?.aiConfigured === false;
  const draft: Draft = isOff ? { ...kept, choice: "none" } : kept;
  const isAi = draft.choice !== "none";
  const chosen = isAi ? draft.inputs : draft.parts;
  const choose = (next: ReadonlyArray<Modality>): void => change(isAi ? { inputs: next } : { parts: next });
  const body = bodyOf(draft);
  const url = withScheme(draft.url);
  const quote = useQuote(isWebUrl(url) ? url : undefined, body, chosen);
  const { data: earlier } = useRun(quote.earlierId ?? "", quote.earlierId !== null);
  // Never more than what was shown, nor than what somebody allowed before.
  const maxCredits = quote.isCurrent ? Math.min(quote.credits ?? 0, body?.maxCredits ?? Infinity) : undefined;
  const { submit, error, isBusy } = useSubmit(body, maxCredits, from === undefined);
  // A fresh run was wanted of another source.
  const changeUrl = (text: string): void => change({ url: text, force: false });
  usePaste(changeUrl);
  useShortcuts({ "/": () => document.getElementById("address")?.focus() });
  return (
    <>
      <PageHead title={navWords.new} />
      {request.error === null ? null : <Problem error={request.error} />}
      <form
        class="new-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="stack">
          <AddressBox value={draft.url} quote={quote} onClear={clear} onChange={changeUrl} />
          <SchemaSection draft={draft} isOff={isOff} onChange={change} />
          <PartChoice
            key={String(isAi)}
            isAi={isAi}
            chosen={chosen}
            prices={quote.prices}
            missing={quote.missing}
            onChange={choose}
          />
          <Options
            draft={draft}
            onChange={change}
            captionLanguages={quote.probe?.captionLanguages ?? []}
            canTranscribe={quote.probe?.speechConfigured ?? false}
          />
          {body === undefined ? null : (
            <CodeExamples body={maxCredits === undefined ? body : { ...body, maxCredits }} />
          )}
        </div>
        <aside class="price" aria-label={priceWords.title}>
          <PricePanel
            {...{ draft, body, chosen, quote, earlier, isBusy, error }}
            onForce={() => change({ force: true })}
            onChoose={choose}
          />
        </aside>
      </form>
    </>
  );
};

const New = () => {
  const { from, schema } = useLocation().query;
  return <NewForm key={`${from} ${schema}`} from={from} schema={schema} />;
};

export default New;
