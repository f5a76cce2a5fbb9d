/** The source's metadata, and where each value was found. */
import type { CompleteResult } from "@winnow/client";
import { useMemo } from "preact/hooks";
import { useText } from "../../data/extractions.ts";
import { Loading } from "../../parts/Waiting.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { isWebUrl } from "../../parts/runTexts.ts";
import { clock } from "../../words/format.ts";
import { wordOf, words } from "../../words/words.ts";
import { useScrollToMark } from "./scrolling.tsx";
import { Marked } from "./Marked.tsx";
import { findQuote } from "./marks.ts";
import type { Player } from "./player.ts";
import { factsOf, readMetadata, type Fact, type SourceMetadata } from "./sourceMetadata.ts";
import { Things } from "./Things.tsx";

const FILE = "metadata.json";

const FactText = ({ fact, player }: { readonly fact: Fact; readonly player: Player }) => {
  const { quote } = player;
  const range = quote?.source === "metadata" ? findQuote(fact.text, quote.quote) : null;
  const text = <Marked text={fact.text} ranges={range === null ? [] : [range]} />;
  return fact.url !== null && isWebUrl(fact.url) ? (
    <a href={fact.url} target="_blank" rel="noreferrer noopener" dir="auto">
      {text}
    </a>
  ) : (
    <bdi>{text}</bdi>
  );
};

const Facts = ({ facts, player }: { readonly facts: ReadonlyArray<Fact>; readonly player: Player }) => (
  <dl class="facts">
    {facts.map((fact) => (
      <div key={fact.name} data-fact={fact.name}>
        <dt>{words.metadata.fields[fact.name]}</dt>
        <dd>
          <FactText fact={fact} player={player} />
        </dd>
        <dd class="hint">
          {fact.origins.map((origin) => wordOf(words.metadata.origins, origin)).join(", ")}
        </dd>
      </div>
    ))}
  </dl>
);

const Chapters = ({ chapters, player }: Pick<SourceMetadata, "chapters"> & { readonly player: Player }) => (
  <>
    <h3>{words.metadata.chapters}</h3>
    <ol>
      {chapters.map(({ title, startSeconds }) => (
        <li class="line" key={startSeconds}>
          <button
            type="button"
            aria-label={words.run.playFrom(clock(startSeconds))}
            onClick={() => player.seek(startSeconds, true)}
          >
            {clock(startSeconds)}
          </button>
          <p dir="auto">{title}</p>
        </li>
      ))}
    </ol>
  </>
);

const Contradictions = ({ all }: { readonly all: NonNullable<SourceMetadata["contradictions"]> }) => (
  <div class="notice">
    <p>{words.metadata.contradicts}</p>
    <ul class="bullets">
      {all.map(({ type, field, said }) => (
        <li key={`${type} ${field}`}>
          {wordOf(words.metadata.types, type)}, <code>{field}</code>:{" "}
          {said.map(({ source, value }, index) => (
            <span key={index}>
              {index === 0 ? "" : "; "}
              <bdi>{value}</bdi> ({wordOf(words.metadata.origins, source)})
            </span>
          ))}
        </li>
      ))}
    </ul>
  </div>
);

export interface MetadataProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

const MetadataDetails = ({ json, player }: { readonly json: string; readonly player: Player }) => {
  const metadata = useMemo(() => readMetadata(json), [json]);
  const facts = useMemo(() => factsOf(metadata), [metadata]);
  const { chapters, structured = [], contradictions = [] } = metadata;
  return (
    <>
      <Facts facts={facts} player={player} />
      {chapters.length === 0 ? null : <Chapters chapters={chapters} player={player} />}
      {contradictions.length === 0 ? null : <Contradictions all={contradictions} />}
      {structured.length === 0 ? null : <Things things={structured} player={player} />}
    </>
  );
};

export const Metadata = ({ result, player }: MetadataProps) => {
  const isThere = result.summary.files.includes(FILE);
  const { data: json, error, refetch } = useText(result.id, isThere ? FILE : null);
  const box = useScrollToMark<HTMLElement>("metadata", player, json !== undefined);
  if (!isThere) return null;
  return (
    <section ref={box} class="panel stack tight" aria-label={words.metadata.title}>
      <h2>{words.metadata.title}</h2>
      <p class="hint">{words.metadata.hint}</p>
      {json !== undefined ? (
        <MetadataDetails json={json} player={player} />
      ) : error === null ? (
        <Loading lines={4} />
      ) : (
        <Problem error={error} retry={() => void refetch()} />
      )}
    </section>
  );
};
