/** What was asked for, by whom, and the same request as code. */
import { isFree } from "../../data/free.ts";
import type { CompleteResult, ExtractionDetail, Submission } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { href } from "../../data/addresses.ts";
import { useRequest } from "../../data/extractions.ts";
import { useSchema } from "../../data/schemas.ts";
import { Loading, Problem } from "../../parts/Waiting.tsx";
import { languageName, milliseconds } from "../../words/format.ts";
import { wordOf, words, partsWords } from "../../words/words.ts";
import { CodeExamples } from "../new/CodeExamples.tsx";
import { requestWords } from "./words.ts";

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

const SchemaName = ({ id }: { readonly id: string }) => {
  const isGenerated = id === "auto";
  const { data } = useSchema(id, !isGenerated);
  if (isGenerated) return <>{requestWords.generated}</>;
  return (
    <a href={href(`schemas/${id}`)}>
      {data === undefined ? id : requestWords.schemaVersion(data.name, data.version)}
    </a>
  );
};

const schemaOf = ({ schema, schemaId }: Submission): ComponentChildren => {
  if (schemaId !== undefined) return <SchemaName id={schemaId} />;
  return schema === undefined ? requestWords.noSchema : requestWords.inline;
};

const partsText = (parts: ReadonlyArray<string>): string =>
  parts.length === 0
    ? words.none
    : parts.map((part) => partsWords.names[part as keyof typeof partsWords.names] ?? part).join(", ");

interface RequestProps {
  readonly run: ExtractionDetail;
  readonly result: CompleteResult<unknown> | null;
}

/** Only what is not the default. */
const Options = ({ body }: { readonly body: Submission }) => {
  const { language, speech, policy, evidence, auto, maxSpendCredits, webhookUrl } = body;
  const { force, maxAgeSeconds, maxCredits } = body;
  return (
    <>
      {language === undefined ? null : <Fact name={requestWords.language}>{languageName(language)}</Fact>}
      {speech === true ? <Fact name={requestWords.speech}>{words.yes}</Fact> : null}
      {policy === undefined ? null : <Fact name={requestWords.policy}>{policy}</Fact>}
      {evidence === undefined ? null : <Fact name={requestWords.evidence}>{evidence}</Fact>}
      {auto === true ? <Fact name={requestWords.auto}>{requestWords.upTo(maxSpendCredits ?? 0)}</Fact> : null}
      {maxCredits === undefined || isFree ? null : (
        <Fact name={requestWords.maxCredits}>{requestWords.upTo(maxCredits)}</Fact>
      )}
      {maxAgeSeconds === undefined ? null : (
        <Fact name={requestWords.maxAge}>{requestWords.seconds(maxAgeSeconds)}</Fact>
      )}
      {force === true ? <Fact name={requestWords.force}>{words.no}</Fact> : null}
      {webhookUrl === undefined ? null : <Fact name={requestWords.webhook}>{webhookUrl}</Fact>}
    </>
  );
};

export const Request = ({ run, result }: RequestProps) => {
  const { data: body, error, refetch } = useRequest(run.id);
  if (body === undefined) {
    return (
      <section class="panel" aria-label={requestWords.title}>
        {error === null ? <Loading lines={4} /> : <Problem error={error} retry={() => void refetch()} />}
      </section>
    );
  }
  const parts = body.inputs ?? body.parts;
  const model = result?.usage?.model;
  return (
    <section class="panel stack tight" aria-label={requestWords.title}>
      <h2>{requestWords.title}</h2>
      <dl class="facts">
        <Fact name={requestWords.schema}>{schemaOf(body)}</Fact>
        {parts === undefined ? null : (
          <Fact name={body.inputs === undefined ? partsWords.parts : partsWords.inputs}>
            {partsText(parts)}
          </Fact>
        )}
        {body.prompt === undefined ? null : <Fact name={requestWords.guidance}>{body.prompt}</Fact>}
        <Options body={body} />
        {model == null ? null : <Fact name={requestWords.model}>{model}</Fact>}
        <Fact name={requestWords.by}>
          {run.apiKeyName === null
            ? wordOf(requestWords.madeBy, run.madeBy)
            : requestWords.key(run.apiKeyName)}
        </Fact>
        {run.completedAt === null ? null : (
          <Fact name={requestWords.took}>
            {milliseconds(Date.parse(run.completedAt) - Date.parse(run.createdAt))}
          </Fact>
        )}
        {run.cached ? <Fact name={requestWords.result}>{requestWords.reused}</Fact> : null}
        {run.fromExtraction === undefined ? null : (
          <Fact name={requestWords.from}>
            <a href={href(`runs/${run.fromExtraction}`)}>{requestWords.fromLink}</a>
          </Fact>
        )}
        {run.batchId === undefined ? null : (
          <Fact name={requestWords.batch}>
            <a href={href(`batches/${run.batchId}`)}>{run.batchName ?? run.batchId}</a>
          </Fact>
        )}
      </dl>
      <CodeExamples body={body} />
    </section>
  );
};
