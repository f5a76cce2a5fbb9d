/** New extractions: paste one URL or many, see the exact price, choose options, start. Tests: newForm.test.ts, price.test.ts. */
import { isFree } from "../../data/free.ts";
import { ApiError, type Modality } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useAccount } from "../../data/client.ts";
import { useRequest, useRun } from "../../data/extractions.ts";
import type { Quote } from "../../data/quotes.ts";
import { PageHead } from "../../parts/Page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { partsWords, navWords } from "../../words/words.ts";
import { CodeExamples } from "./CodeExamples.tsx";
import { draftOf, dropDraft, EMPTY, keepDraft, MODALITIES, savedDraft, type Draft } from "./draft.ts";
import { LinksBox, useLinks } from "./LinksBox.tsx";
import { Listing, mayList, QuoteRows, Refused } from "./Lines.tsx";
import { Options, SchemaSection, Tile } from "./Options.tsx";
import { PricePanel } from "./PricePanel.tsx";
import { Source } from "./Source.tsx";
import { Stretch } from "./Stretch.tsx";
import { useStart } from "./start.ts";
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

/** All that a page has: its text. */
const PAGE_PARTS: ReadonlyArray<Modality> = ["transcript"];

const PartChoice = ({ isAi, chosen, quote, onChange }: PartChoiceProps) => {
  const isPage = quote?.probe?.kind === "webpage";
  const toggle = (part: Modality): void => {
    const next = MODALITIES.filter((each) =>
      each === part ? !chosen.includes(part) : chosen.includes(each)
    );
    if (next.length > 0) onChange(next);
  };
  const hintOf = (part: Modality): string => {
    const credits = quote?.prices[part];
    if (credits === undefined)
      return !isPage && chosen.includes(part) && quote?.lacks(part) === true ? partsWords.notHere : "";
    return isFree ? "" : partsWords.price(number(Math.round(credits * TENTHS) / TENTHS));
  };
  return (
    <div class="panel">
      <fieldset class="stack tight">
        <legend>{isAi ? partsWords.inputs : partsWords.parts}</legend>
        <div class="part-grid price-parts">
          {(isPage ? PAGE_PARTS : MODALITIES).map((part) => (
            <Tile
              key={part}
              type="checkbox"
              checked={chosen.includes(part)}
              title={isPage ? partsWords.text : partsWords.names[part]}
              hint={hintOf(part)}
              onChoose={() => toggle(part)}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
};

/** `schema` replaces the schema of the past run. */
const useDraft = (from: string | undefined, schema: string | undefined) => {
  const preset = schema === undefined ? {} : { choice: "saved" as const, schemaId: schema };
  const [draft, setDraft] = useState<Draft>(() => ({
    ...(from === undefined ? savedDraft() : EMPTY),
    ...preset
  }));
  const request = useRequest(from ?? "", from !== undefined);
  const past = request.data;
  // What was read from a stored source is fetched again here.
  const run = useRun(from ?? "", past !== undefined && past.url === undefined);
  const url = past?.url ?? run.data?.url;
  useEffect(() => {
    if (past === undefined || url === undefined) return;
    setDraft({ ...draftOf(past), url, ...preset });
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
  // A fresh run, and a stretch, were wanted of another source.
  const changeText = (url: string): void => change({ url, force: false, from: "", to: "" });
  const { links, one: url, fault, readFile } = useLinks(kept.url, changeText);
  const draft = useMemo(
    (): Draft => ({ ...kept, url, ...(isOff ? { choice: "none" } : {}) }),
    [kept, url, isOff]
  );
  const start = useStart(links, draft, from === undefined);
  const latest = useRef(links);
  latest.current = start.isMany ? links : [url];
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
  return { box, start, isOff, change, replace, request };
};

const NewForm = (props: FormProps) => {
  const { box, start, isOff, change, replace, request } = useForm(props);
  const { draft, body, paid, chosen, quote, isMany } = start;
  const { probe, error } = quote;
  const isAi = draft.choice !== "none";
  const choose = (next: ReadonlyArray<Modality>): void => change(isAi ? { inputs: next } : { parts: next });
  useShortcuts({ "/": focusBox });
  return (
    <>
      <PageHead title={navWords.new} />
      <Problem error={request.error} />
      <Form
        class="new-form"
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key !== "Enter" || !(ctrlKey || metaKey)) return;
          currentTarget.querySelector<HTMLButtonElement>("[type=submit]")?.click();
        }}
        onSubmit={start.submit}
      >
        <div class="stack">
          <LinksBox
            {...box}
            stretch={
              isMany ? null : <Stretch key={draft.url} draft={draft} probe={probe} onChange={change} />
            }
          >
            {isMany ? (
              <Refused lines={start.batch.lines} />
            ) : probe === undefined ? null : (
              <Source probe={probe} isCurrent={quote.isFound} />
            )}
          </LinksBox>
          <SchemaSection draft={draft} isOff={isOff} onChange={change} />
          <PartChoice
            key={String(isAi)}
            isAi={isAi}
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
          {isMany || body === undefined ? null : <CodeExamples body={isFree ? body : { ...body, ...paid }} />}
        </div>
        <aside class="price" aria-label={priceWords.title}>
          <PricePanel {...start} onForce={() => change({ force: true })} onChoose={choose} />
        </aside>
      </Form>
      <QuoteRows items={start.items} links={box.links} quote={start.batch} onListed={replace} />
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
