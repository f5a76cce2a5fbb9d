/** Preview of an extraction beside the list. Tests: browser.test.ts, lists.test.ts. */
import { isFree } from "../../data/free.ts";
import type { CompleteResult } from "@winnow/client";
import { href, ownUrl } from "../../data/addresses.ts";
import { hasEnded, useResult, useRun, useText } from "../../data/extractions.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { moneyText, words } from "../../words/words.ts";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { Tree } from "../run/Tree.tsx";
import { scalarText } from "../run/Values.tsx";
import { Steps } from "../run/Steps.tsx";
import { listWords } from "./words.ts";

const TEXT_CHARS = 400;

/** Each with its first quote, unless that says the same. */
const Values = ({ result: { extraction, evidence = {} } }: { readonly result: CompleteResult<unknown> }) => (
  <Tree
    value={extraction}
    pointer=""
    leaf={({ value, pointer }) => {
      const quote = evidence[pointer]?.[0]?.quote;
      return (
        <>
          <p dir="auto">{scalarText(value)}</p>
          {quote === undefined || quote === String(value) ? null : (
            <p class="hint" dir="auto">
              <q>{quote}</q>
            </p>
          )}
        </>
      );
    }}
  />
);

const FirstLines = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { data: text = "" } = useText(id, name);
  return text === "" ? null : (
    <p class="hint" dir="auto">
      {text.slice(0, TEXT_CHARS)}
      {text.length > TEXT_CHARS ? " …" : ""}
    </p>
  );
};

const Outcome = ({ id }: { readonly id: string }) => (
  <Waiting query={useResult(id, true)}>
    {(result) =>
      result.status === "failed" ? (
        <div class={result.failure.reason === "cancelled" ? "notice calm" : "problem"}>
          <p>{result.error}</p>
          <p class="hint">{result.failure.hint}</p>
        </div>
      ) : (
        <>
          {result.verdictReason === undefined ? null : <p>{result.verdictReason}</p>}
          {result.outcome === "ok" ? <Values result={result} /> : null}
          {result.summary.transcriptFile === null ? null : (
            <FirstLines id={id} name={result.summary.transcriptFile} />
          )}
          <p class="hint">{words.fileCount(result.summary.files.length)}</p>
        </>
      )
    }
  </Waiting>
);

export const Peek = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => (
  <aside class="peek stack" aria-label={listWords.peek}>
    <div class="row">
      <a class="button" href={href(`runs/${id}`)}>
        {listWords.open}
      </a>
      <a class="button" href={href(`new?from=${id}`)}>
        {listWords.again}
      </a>
      <button class="button icon-only end" type="button" onClick={onClose}>
        <Icon name="cross" />
        <span class="sr">{words.close}</span>
      </button>
    </div>
    <Waiting query={useRun(id)} lines={6}>
      {(run) => (
        <>
          {run.thumbnail === null ? null : <img class="peek-image" src={ownUrl(run.thumbnail)} alt="" />}
          <h2 dir="auto">{nameOf(run)}</h2>
          <p class="row">
            <Status run={run} />
            <span class="hint">
              <Time iso={run.createdAt} />
            </span>
          </p>
          {isFree ? null : <p class="hint">{moneyText(run)}</p>}
          {hasEnded(run) ? <Outcome id={id} /> : <Steps run={run} />}
        </>
      )}
    </Waiting>
  </aside>
);
