/** One extraction: its result, its cost, and where each value was found. */
import type { ExtractionDetail } from "@winnow/client";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { cancelRun, deleteRun, hasEnded, useResult, useRun } from "../../data/extractions.ts";
import { Confirm } from "../../parts/Dialog.tsx";
import { Loading } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { isWebUrl, nameOf, shortUrl } from "../../parts/runTexts.ts";
import { LiveStatus } from "../../parts/LiveStatus.tsx";
import { Time } from "../../parts/Time.tsx";
import { note } from "../../parts/Toasts.tsx";
import { words } from "../../words/words.ts";
import { Complete } from "./Complete.tsx";
import { RawJson } from "./Files.tsx";
import { RunDeliveries, Statement, TimeLine } from "./Statement.tsx";

const SourceLink = ({ url }: { readonly url: string }) =>
  isWebUrl(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {shortUrl(url)}
    </a>
  ) : (
    <span>{url}</span>
  );

const Actions = ({ run }: { readonly run: ExtractionDetail }) => {
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const act = async (does: () => Promise<void>, then: () => void): Promise<void> => {
    setBusy(true);
    try {
      await does();
      then();
    } catch (error) {
      note((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <div class="row">
      <a class="button" href={href(`new?from=${run.id}`)}>
        {words.run.again}
      </a>
      {hasEnded(run) ? (
        <button class="button" type="button" onClick={() => setAsking(true)}>
          {words.delete}
        </button>
      ) : (
        <button
          class="button"
          type="button"
          disabled={isBusy}
          onClick={() =>
            void act(
              () => cancelRun(run.id),
              () => undefined
            )
          }
        >
          {words.run.cancel}
        </button>
      )}
      {isAsking ? (
        <Confirm
          title={words.run.deleteTitle}
          action={words.delete}
          isBusy={isBusy}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            void act(
              () => deleteRun(run.id),
              () => route(href(""))
            )
          }
        >
          <p>{words.run.deleteText}</p>
        </Confirm>
      ) : null}
    </div>
  );
};

const Failed = ({ id }: { readonly id: string }) => {
  const { data: result, error, refetch } = useResult(id, true);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (result?.status !== "failed") return <Loading lines={2} />;
  return (
    <section class="problem" aria-label={words.status.failed}>
      <p>
        <strong>{result.error}</strong>
      </p>
      <p>{result.failure.hint}</p>
      <p class="hint">{result.failure.retryable ? words.run.retryable : words.run.final}</p>
    </section>
  );
};

const Body = ({ run }: { readonly run: ExtractionDetail }) => {
  const { data: result, error, refetch } = useResult(run.id, hasEnded(run));
  const rest = (
    <>
      <Statement run={run} result={result} />
      <TimeLine run={run} result={result} />
      {hasEnded(run) ? <RunDeliveries id={run.id} /> : null}
    </>
  );
  if (run.status === "complete") {
    if (result?.status === "complete") return <Complete run={run} result={result} rest={rest} />;
    if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  }
  return (
    <div class="run">
      <div class="stack">
        {run.status === "failed" ? <Failed id={run.id} /> : null}
        {run.status === "complete" ? <span class="skeleton player" aria-hidden="true" /> : null}
        {hasEnded(run) ? null : <p class="panel waiting-note">{words.run.underWay}</p>}
        {result === undefined ? null : <RawJson value={result} />}
      </div>
      <div class="stack">{rest}</div>
    </div>
  );
};

const Run = ({ id = "" }: { readonly id?: string }) => {
  const { data: run, error, refetch } = useRun(id);
  if (run === undefined) {
    return (
      <>
        <PageHead title={words.run.title} />
        {error === null ? <Loading lines={5} /> : <Problem error={error} retry={() => void refetch()} />}
      </>
    );
  }
  return (
    <>
      <PageHead
        title={nameOf(run)}
        hint={
          <span class="row">
            <SourceLink url={run.url} />
            <Time iso={run.createdAt} />
          </span>
        }
      >
        <LiveStatus run={run} />
        <Actions run={run} />
      </PageHead>
      <Body key={run.id} run={run} />
    </>
  );
};

export default Run;
