/** The source's metadata, and where each value was found. */
import type { EvidenceItem, CompleteResult } from "@winnow/client";
import { isWebUrl } from "../../parts/runTexts.ts";
import { clock, written } from "../../words/format.ts";
import { metadataWords, runWords } from "./words.ts";
import { wordOf, words } from "../../words/words.ts";
import { Marked, findQuote } from "./marks.tsx";
import { useScrollToMark, type Player } from "./player.tsx";
import { childPointer } from "../../parts/jsonPointer.ts";
import {
  readMetadata,
  type Thing,
  type WrittenDate,
  type Fact,
  type SourceMetadata
} from "./sourceMetadata.ts";
import { useText } from "../../data/extractions.ts";
import { Waiting } from "../../parts/Waiting.tsx";

// Structured data of a page: products, recipes, events, as the page provides them. A quote from it is highlighted, and
// its description opened.

const isDate = (value: object): value is WrittenDate =>
  "value" in value && "precision" in value && typeof value.value === "string";

const scalar = (name: string, value: unknown): string => {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return typeof value === "number" && name.endsWith("Seconds") ? clock(value) : String(value);
};

interface PlaceProps {
  /** Of the value in `metadata.json`. */
  readonly pointer: string;
  /** The selected one, if it is from structured data. */
  readonly quote: EvidenceItem | null;
}

/** All of a value is marked if it is shown in other words than those of the page, as dates are. */
const Words = ({ text, pointer, quote }: PlaceProps & { readonly text: string }) => {
  const ranges =
    quote?.pointer === pointer ? [findQuote(text, quote.quote) ?? { start: 0, end: text.length }] : [];
  return <Marked text={text} ranges={ranges} />;
};

const Value = ({
  name,
  value,
  pointer,
  quote
}: PlaceProps & { readonly name: string; readonly value: unknown }) => {
  if (Array.isArray(value)) {
    return (
      <ul class="bullets">
        {value.map((each, index) => (
          <li key={index}>
            <Value name={name} value={each} pointer={childPointer(pointer, index)} quote={quote} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === "object" && value !== null) {
    return isDate(value) ? (
      <Words text={written(value)} pointer={childPointer(pointer, "value")} quote={quote} />
    ) : (
      <Values values={value as Thing["values"]} pointer={pointer} quote={quote} isNested />
    );
  }
  const text = scalar(name, value);
  const shown = <Words text={text} pointer={pointer} quote={quote} />;
  return isWebUrl(text) ? (
    <a href={text} target="_blank" rel="noreferrer noopener">
      {shown}
    </a>
  ) : (
    <bdi>{shown}</bdi>
  );
};

interface ValuesProps extends PlaceProps {
  readonly values: Thing["values"];
  readonly isNested?: boolean;
}

const Values = ({ values, pointer, quote, isNested = false }: ValuesProps) => (
  <dl class={isNested ? "values nested" : "values"}>
    {Object.entries(values).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Value name={name} value={value} pointer={childPointer(pointer, name)} quote={quote} />
        </dd>
      </div>
    ))}
  </dl>
);

const nameOf = ({ values }: Thing): string =>
  String(values["name"] ?? values["title"] ?? values["headline"] ?? "");

const ThingDetails = ({ thing, pointer, quote }: PlaceProps & { readonly thing: Thing }) => (
  <details>
    <summary>
      <Words
        text={wordOf(metadataWords.types, thing.type)}
        pointer={childPointer(pointer, "type")}
        quote={quote}
      />
      {nameOf(thing) === "" ? null : (
        <>
          {": "}
          <bdi>{nameOf(thing)}</bdi>
        </>
      )}{" "}
      <span class="hint">{wordOf(metadataWords.origins, thing.origin)}</span>
    </summary>
    <Values values={thing.values} pointer={childPointer(pointer, "values")} quote={quote} />
  </details>
);

interface ThingsProps {
  readonly things: ReadonlyArray<Thing>;
  readonly player: Player;
}

const Things = ({ things, player }: ThingsProps) => {
  const box = useScrollToMark<HTMLDivElement>("structured", player);
  const quote = player.quote?.source === "structured" ? player.quote : null;
  return (
    <div ref={box} class="stack tight">
      <h3>{metadataWords.described}</h3>
      {things.map((thing, index) => (
        <ThingDetails key={index} thing={thing} pointer={childPointer("/structured", index)} quote={quote} />
      ))}
    </div>
  );
};

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
        <dt>{metadataWords.fields[fact.name]}</dt>
        <dd>
          <FactText fact={fact} player={player} />
        </dd>
        <dd class="hint">{fact.origins.map((origin) => wordOf(metadataWords.origins, origin)).join(", ")}</dd>
      </div>
    ))}
  </dl>
);

const Chapters = ({ chapters, player }: Pick<SourceMetadata, "chapters"> & { readonly player: Player }) => (
  <>
    <h3>{metadataWords.chapters}</h3>
    <ol>
      {chapters.map(({ title, startSeconds }) => (
        <li class="line" key={startSeconds}>
          <button
            type="button"
            aria-label={runWords.playFrom(clock(startSeconds))}
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

interface MetadataProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

export const Metadata = ({ result, player }: MetadataProps) => {
  const isThere = result.summary.files.includes(FILE);
  const query = useText(result.id, isThere ? FILE : null, readMetadata);
  const box = useScrollToMark<HTMLElement>("metadata", player, query.data !== undefined);
  return isThere ? (
    <section ref={box} class="panel stack tight" aria-label={metadataWords.title}>
      <h2>{metadataWords.title}</h2>
      <p class="hint">{metadataWords.hint}</p>
      <Waiting query={query}>
        {({ facts, chapters, structured = [] }) => (
          <>
            <Facts facts={facts} player={player} />
            {chapters.length === 0 ? null : <Chapters chapters={chapters} player={player} />}
            {structured.length === 0 ? null : <Things things={structured} player={player} />}
          </>
        )}
      </Waiting>
    </section>
  ) : null;
};
