/** What was asked for, by whom, and the same request as code. Tests: runActions.test.ts. */
import { isFree } from "../../data/free.ts";
import type { CompleteResult, ExtractionDetail, Submission } from "@winnow/client";
import { stretchText } from "@winnow/client/clock";
import { href } from "../../data/addresses.ts";
import { useRequest } from "../../data/extractions.ts";
import { useSchema } from "../../data/schemas.ts";
import { Panel } from "../../parts/Panel.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { languageName, milliseconds } from "../../words/format.ts";
import { partsWords, wordOf, words } from "../../words/words.ts";
import { CodeExamples } from "../new/CodeExamples.tsx";
import { Facts, type Fact } from "./Facts.tsx";
import { metadataWords, requestWords } from "./words.ts";

const Schema = ({ schema, schemaId = "" }: Submission) => {
  const isSaved = schemaId !== "" && schemaId !== "auto";
  const { data } = useSchema(schemaId, isSaved);
  if (isSaved) {
    return (
      <a href={href(`schemas/${schemaId}`)}>
        {data === undefined ? schemaId : requestWords.schemaVersion(data.name, data.version)}
      </a>
    );
  }
  if (schemaId === "auto") return <>{requestWords.generated}</>;
  return <>{schema === undefined ? requestWords.noSchema : requestWords.inline}</>;
};

const partsText = (parts: ReadonlyArray<string>): string =>
  parts.map((part) => wordOf(partsWords.names, part)).join(", ") || words.none;

interface RequestProps {
  readonly run: ExtractionDetail;
  readonly result: CompleteResult<unknown> | null;
}

/** Only what is not the default. */
const optionsOf = (body: Submission): ReadonlyArray<Fact> => {
  const { language, maxCredits, maxAgeSeconds, range } = body;
  return [
    [requestWords.stretch, range && stretchText(range)],
    [requestWords.language, language && languageName(language)],
    [metadataWords.fields.captions, body.captions && wordOf(metadataWords.captions, body.captions)],
    [requestWords.speech, body.speech && words.yes],
    [requestWords.policy, body.policy],
    [requestWords.evidence, body.evidence],
    [requestWords.auto, body.auto && requestWords.upTo(body.maxSpendCredits ?? 0)],
    [requestWords.maxCredits, maxCredits === undefined || isFree ? null : requestWords.upTo(maxCredits)],
    [requestWords.reuse, maxAgeSeconds === undefined ? null : requestWords.seconds(maxAgeSeconds)],
    [requestWords.reuse, body.force && words.no],
    [requestWords.webhook, body.webhookUrl]
  ];
};

const factsOf = ({ run, result }: RequestProps, body: Submission): ReadonlyArray<Fact> => {
  const { apiKeyName, completedAt, createdAt, fromExtraction, batchId } = run;
  const parts = body.inputs ?? body.parts;
  return [
    [requestWords.schema, <Schema {...body} />],
    [body.inputs === undefined ? partsWords.parts : partsWords.inputs, parts && partsText(parts)],
    [requestWords.guidance, body.prompt],
    ...optionsOf(body),
    [requestWords.model, result?.usage?.model],
    [
      requestWords.by,
      apiKeyName === null ? wordOf(requestWords.madeBy, run.madeBy) : requestWords.key(apiKeyName)
    ],
    [requestWords.took, completedAt && milliseconds(Date.parse(completedAt) - Date.parse(createdAt))],
    [requestWords.result, run.cached ? requestWords.reused : null],
    [
      requestWords.from,
      fromExtraction && <a href={href(`runs/${fromExtraction}`)}>{requestWords.fromLink}</a>
    ],
    [requestWords.batch, batchId && <a href={href(`batches/${batchId}`)}>{run.batchName ?? batchId}</a>]
  ];
};

export const Request = (props: RequestProps) => (
  <Panel title={requestWords.title}>
    <Waiting query={useRequest(props.run.id)}>
      {(body) => (
        <>
          <Facts facts={factsOf(props, body)} />
          <CodeExamples body={body} />
        </>
      )}
    </Waiting>
  </Panel>
);
