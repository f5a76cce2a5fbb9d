/**
 * Structured data of a page: products, recipes, events, as the page provides them. A quote from it is highlighted, and
 * its description opened.
 */
import type { EvidenceItem } from "@winnow/client";
import { isWebUrl } from "../../parts/runTexts.ts";
import { clock } from "../../words/format.ts";
import { written } from "../../words/measures.ts";
import { wordOf, words } from "../../words/words.ts";
import { Marked } from "./Marked.tsx";
import { findQuote } from "./marks.ts";
import type { Player } from "./player.ts";
import { childPointer } from "./pointers.ts";
import { useScrollToMark } from "./scrolling.tsx";
import type { Thing, WrittenDate } from "./sourceMetadata.ts";

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
        text={wordOf(words.metadata.types, thing.type)}
        pointer={childPointer(pointer, "type")}
        quote={quote}
      />
      {nameOf(thing) === "" ? null : (
        <>
          {": "}
          <bdi>{nameOf(thing)}</bdi>
        </>
      )}{" "}
      <span class="hint">{wordOf(words.metadata.origins, thing.origin)}</span>
    </summary>
    <Values values={thing.values} pointer={childPointer(pointer, "values")} quote={quote} />
  </details>
);

export interface ThingsProps {
  readonly things: ReadonlyArray<Thing>;
  readonly player: Player;
}

export const Things = ({ things, player }: ThingsProps) => {
  const box = useScrollToMark<HTMLDivElement>("structured", player);
  const quote = player.quote?.source === "structured" ? player.quote : null;
  return (
    <div ref={box} class="stack tight">
      <h3>{words.metadata.described}</h3>
      {things.map((thing, index) => (
        <ThingDetails key={index} thing={thing} pointer={childPointer("/structured", index)} quote={quote} />
      ))}
    </div>
  );
};
