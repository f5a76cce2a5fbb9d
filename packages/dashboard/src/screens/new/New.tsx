/** New extractions: paste one URL or many, see the exact price, choose options, start. */
import { isFree } from "../../data/free.ts";
import { ApiError, type Modality, type Submission } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { batchChanged, useBatchQuote } from "../../data/batches.ts";
import { cache, keys } from "../../data/cache.ts";
import { useAccount, winnow } from "../../data/client.ts";
import { useOnce, type Once } from "../../data/once.ts";
import { runsChanged, useRequest, useRun } from "../../data/extractions.ts";
import { useQuote, type Quote } from "../../data/quotes.ts";
import { PageHead } from "../../parts/Page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { partsWords, navWords } from "../../words/words.ts";
import { CodeExamples } from "./CodeExamples.tsx";
import { bodyOf, draftOf, dropDraft, EMPTY, keepDraft, MODALITIES, savedDraft, type Draft } from "./draft.ts";
import { LinksBox, TYPED_CHARACTERS_MAX, useLinks } from "./LinksBox.tsx";
import { Listing, mayList } from "./Listing.tsx";
import { Options, SchemaSection } from "./Options.tsx";
import { ManyPrice, OnePrice } from "./PricePanel.tsx";
import { QuoteRows } from "./Prices.tsx";
import { Source } from "./Source.tsx";
import { linesWords, priceWords } from "./words.ts";
import { Form } from "../../parts/Form.tsx";

// The parts to fetch, or the inputs to read, each with its price.

interface PartChoiceProps {
  readonly isAi: boolean;
  readonly chosen: ReadonlyArray<Modality>;
  /** Of one link. */
  readonly quote: Quote | undefined;
  readonly onChange: (chosen: ReadonlyArray<Modality>) => void;
}

/** Rounded for display; the sum is exact. */
const TENTHS = 10;

const PartChoice = ({ isAi, chosen, quote, onChange }: PartChoiceProps) => {
  const toggle = (part: Modality): void => {
    const next = MODALITIES.filter((each) =>
      each === part ? !chosen.includes(part) : chosen.includes(each)
    );
    if (next.length > 0) onChange(next);
  };
  const priceOf = (part: Modality): string => {
    const credits = quote?.prices[part];
    if (credits !== undefined)
      return isFree ? "" : partsWords.price(number(Math.round(credits * TENTHS) / TENTHS));
    if (quote?.missing.includes(part) !== true) return "";
    return part === "transcript" && quote.probe?.kind === "webpage" ? partsWords.text : partsWords.notHere;
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
  // A repeated run is not what somebody was writing, and a long list takes too long to write at each key.
  useEffect(() => {
    if (from === undefined)
      keepDraft(draft.url.length > TYPED_CHARACTERS_MAX ? { ...draft, url: "" } : draft);
  }, [draft]);
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const { route } = useLocation();
  const clear = (): void => {
    dropDraft();
    setDraft(EMPTY);
    if (from !== undefined || schema !== undefined) route(href("new"), true);
    focusBox();
  };
  return { draft, change, clear, request };
};

/** Links pasted anywhere go to the field. */
const usePaste = (onText: (text: string) => void): void => {
  const current = useRef(onText);
  current.current = onText;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      // Within a shadow tree too, such as that of the editor of JSON, which has replaced the line itself by now.
      const isInField = event
        .composedPath()
        .some((at) => at instanceof HTMLElement && (at.isContentEditable || at.matches("input, textarea")));
      const text = (event.clipboardData?.getData("text/plain") ?? "").trim();
      if (isInField || !isWebUrl(withScheme(text.split("\n", 1)[0] ?? ""))) return;
      event.preventDefault();
      current.current(text);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, []);
};

interface Sent {
  /** What is started once. */
  readonly of: unknown;
  /** Answers with the screen of what was started; undefined while there is no price. */
  readonly send: ((options: Once) => Promise<string>) | undefined;
  /** It is what somebody was writing, which is done then. */
  readonly isDraft: boolean;
  /** Prices may have changed since they were shown: they are asked for again, and nothing was charged. */
  readonly quoteAgain: () => void;
}

const useSubmit = ({ of, send, isDraft, quoteAgain }: Sent) => {
  const { route } = useLocation();
  const text = JSON.stringify(of ?? null);
  const { once, isOpen } = useOnce(of);
  const [failed, setFailed] = useState<{ readonly text: string; readonly error: unknown } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (send === undefined || isBusy) return;
    setBusy(true);
    setFailed(null);
    try {
      const screen = await once(send);
      if (isDraft) dropDraft();
      void cache.invalidateQueries({ queryKey: keys.quotes });
      route(href(screen));
    } catch (error) {
      setFailed({ text, error });
      quoteAgain();
      setBusy(false);
    }
  };
  // A changed body was not refused yet.
  return { submit, error: failed?.text === text ? failed.error : null, isBusy, isLost: isOpen && !isBusy };
};

type Draw = Pick<ReturnType<typeof useDraft>, "draft" | "change"> & {
  readonly isDraft: boolean;
  readonly chosen: ReadonlyArray<Modality>;
};

/** One link: what is there, its price, and its submit. */
const useOne = ({ draft, change, isDraft, chosen }: Draw) => {
  const body = bodyOf(draft);
  const url = withScheme(draft.url);
  const quote = useQuote(isWebUrl(url) ? url : undefined, body, chosen);
  const { data: earlier } = useRun(quote.earlierId ?? "", quote.earlierId !== null);
  // Never more than what was shown, nor than what somebody allowed before.
  const maxCredits = quote.isCurrent ? Math.min(quote.credits ?? 0, body?.maxCredits ?? Infinity) : undefined;
  const paid = body === undefined || maxCredits === undefined ? undefined : { ...body, maxCredits };
  const sent = useSubmit({
    of: body,
    send:
      paid &&
      (async (options) => {
        const { id } = await winnow.submit(paid, options);
        runsChanged();
        return `runs/${id}`;
      }),
    isDraft,
    quoteAgain: () => void cache.invalidateQueries({ queryKey: keys.quotes })
  });
  return { ...sent, draft, body, paid, quote, earlier, chosen, onForce: () => change({ force: true }) };
};

/** Undefined fields have the service's defaults; a link that is none is sent as it is, and refused by name. */
const itemsOf = (links: ReadonlyArray<string>, draft: Draft): ReadonlyArray<Submission> => {
  const body = bodyOf({ ...draft, maxCredits: "", url: "https://example.com/" });
  return body === undefined ? [] : links.map((url) => ({ ...body, url }));
};

/** Many links: their prices, and their batch. */
const useMany = (links: ReadonlyArray<string>, { draft, isDraft }: Draw) => {
  const items = useMemo(() => itemsOf(links, draft), [links, draft]);
  const quote = useBatchQuote(items);
  const { total } = quote;
  const maxCredits = draft.maxCredits === "" ? total?.credits : Number(draft.maxCredits);
  const sent = useSubmit({
    of: items,
    send:
      total === null || maxCredits === undefined
        ? undefined
        : async (options) => {
            const batch = await winnow.batches.create({ items, maxCredits }, options);
            batchChanged(batch);
            return `batches/${batch.id}`;
          },
    isDraft,
    quoteAgain: quote.refetch
  });
  return { ...sent, draft, items, quote };
};

interface FormProps {
  /** Id of a run to repeat. */
  readonly from: string | undefined;
  /** Id of a saved or predefined schema. */
  readonly schema: string | undefined;
}

const focusBox = (): void => document.getElementById("address")?.focus();

const useForm = ({ from, schema }: FormProps) => {
  const { draft: kept, change, clear, request } = useDraft(from, schema);
  const isOff = useAccount().data?.aiConfigured === false;
  // A fresh run was wanted of another source.
  const changeText = (url: string): void => change({ url, force: false });
  const { links, one: url, fault, readFile } = useLinks(kept.url, changeText);
  const isMany = links.length > 0;
  const draft = useMemo(
    (): Draft => ({ ...kept, url, ...(isOff ? { choice: "none" } : {}) }),
    [kept, url, isOff]
  );
  const isAi = draft.choice !== "none";
  const chosen = isAi ? draft.inputs : draft.parts;
  const choose = (next: ReadonlyArray<Modality>): void => change(isAi ? { inputs: next } : { parts: next });
  const draw = { draft, change, chosen, isDraft: from === undefined };
  const one = useOne(draw);
  const many = useMany(links, draw);
  const latest = useRef(links);
  latest.current = isMany ? links : [url];
  const replace = useCallback((listing: string, listed: ReadonlyArray<string>): void => {
    changeText(latest.current.flatMap((link) => (link === listing ? listed : link)).join("\n"));
    focusBox();
  }, []);
  usePaste(changeText);
  const box = {
    text: kept.url,
    links,
    fault,
    onText: changeText,
    onFile: (file: Blob, name?: string) => void readFile(file, name),
    onClear: clear
  };
  return { box, draft, isOff, isMany, one, many, choose, change, replace, request };
};

const NewForm = (props: FormProps) => {
  const { box, draft, isOff, isMany, one, many, choose, change, replace, request } = useForm(props);
  const { quote, body, paid, chosen } = one;
  const { probe, error } = quote;
  useShortcuts({ "/": focusBox });
  return (
    <>
      <PageHead title={navWords.new} />
      {request.error === null ? null : <Problem error={request.error} />}
      <Form
        class="new-form"
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key !== "Enter" || !(ctrlKey || metaKey)) return;
          currentTarget.querySelector<HTMLButtonElement>("[type=submit]")?.click();
        }}
        onSubmit={() => void (isMany ? many : one).submit()}
      >
        <div class="stack">
          <LinksBox {...box}>
            {probe === undefined || error !== null ? null : (
              <Source probe={probe} isCurrent={quote.isFound} />
            )}
          </LinksBox>
          <SchemaSection draft={draft} isOff={isOff} onChange={change} />
          <PartChoice
            key={String(draft.choice === "none")}
            isAi={draft.choice !== "none"}
            chosen={chosen}
            quote={isMany ? undefined : quote}
            onChange={choose}
          />
          <Options
            draft={draft}
            onChange={change}
            captionLanguages={probe?.captionLanguages ?? []}
            canTranscribe={probe?.speechConfigured ?? isMany}
          />
          {isMany || body === undefined ? null : <CodeExamples body={isFree ? body : (paid ?? body)} />}
        </div>
        <aside class="price" aria-label={priceWords.title}>
          {isMany ? <ManyPrice {...many} /> : <OnePrice {...one} onChoose={choose} />}
        </aside>
      </Form>
      <QuoteRows items={many.items} links={box.links} quote={many.quote} onListed={replace} />
      {error instanceof ApiError && mayList(error) ? (
        <section class="panel" aria-label={linesWords.lines}>
          <Listing item={body ?? { url: draft.url }} onListed={replace} />
        </section>
      ) : null}
    </>
  );
};

const New = () => {
  const { from, schema } = useLocation().query;
  return <NewForm key={`${from} ${schema}`} from={from} schema={schema} />;
};

export default New;
