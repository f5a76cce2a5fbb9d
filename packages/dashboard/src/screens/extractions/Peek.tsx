/** Preview of an extraction beside the list. */
import { href } from "../../data/addresses.ts";
import { hasEnded, useResult, useRun } from "../../data/extractions.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Loading, Problem } from "../../parts/Waiting.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { moneyText } from "../../words/laterWords.ts";
import { LiveStatus } from "../../parts/LiveStatus.tsx";
import { Time } from "../../parts/Time.tsx";
import { laterWords } from "./laterWords.ts";
import { words } from "../../words/words.ts";

const VALUES_SHOWN_MAX = 12;

const Values = ({ extraction }: { readonly extraction: unknown }) => (
  <dl class="values">
    {Object.entries((extraction ?? {}) as Record<string, unknown>)
      .slice(0, VALUES_SHOWN_MAX)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
  </dl>
);

const Outcome = ({ id }: { readonly id: string }) => {
  const { data: result, error, refetch } = useResult(id, true);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (result === undefined) return <Loading lines={4} />;
  if (result.status === "failed") {
    return (
      <div class="problem">
        <p>{result.error}</p>
        <p class="hint">{result.failure.hint}</p>
      </div>
    );
  }
  return (
    <>
      {result.verdictReason === undefined ? null : <p>{result.verdictReason}</p>}
      {result.outcome === "ok" ? <Values extraction={result.extraction} /> : null}
      <p class="hint">{words.fileCount(result.summary.files.length)}</p>
    </>
  );
};

export const Peek = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data: run, error, refetch } = useRun(id);
  return (
    <aside class="peek stack" aria-label={laterWords.peek}>
      <div class="row">
        <a class="button" href={href(`runs/${id}`)}>
          {laterWords.open}
        </a>
        <button class="button icon-only end" type="button" onClick={onClose}>
          <Icon name="cross" />
          <span class="sr">{words.close}</span>
        </button>
      </div>
      {run === undefined ? (
        error === null ? (
          <Loading lines={6} />
        ) : (
          <Problem error={error} retry={() => void refetch()} />
        )
      ) : (
        <>
          <h2 dir="auto">{nameOf(run)}</h2>
          <p class="row">
            <LiveStatus run={run} />
            <span class="hint">
              <Time iso={run.createdAt} />
            </span>
          </p>
          <p class="hint">{moneyText(run)}</p>
          {hasEnded(run) ? <Outcome id={id} /> : null}
        </>
      )}
    </aside>
  );
};
