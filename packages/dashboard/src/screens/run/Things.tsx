/** Structured data of a page: products, recipes, events, as the page provides them. */
import { isWebUrl } from "../../parts/runTexts.ts";
import { clock } from "../../words/format.ts";
import { written } from "../../words/measures.ts";
import { wordOf, words } from "../../words/words.ts";
import type { Thing, WrittenDate } from "./sourceMetadata.ts";

const isDate = (value: object): value is WrittenDate =>
  "value" in value && "precision" in value && typeof value.value === "string";

const scalar = (name: string, value: unknown): string => {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return typeof value === "number" && name.endsWith("Seconds") ? clock(value) : String(value);
};

const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  if (Array.isArray(value)) {
    return (
      <ul class="bullets">
        {value.map((each, index) => (
          <li key={index}>
            <Value name={name} value={each} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === "object" && value !== null) {
    return isDate(value) ? <>{written(value)}</> : <Values values={value as Thing["values"]} isNested />;
  }
  const text = scalar(name, value);
  return isWebUrl(text) ? (
    <a href={text} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  ) : (
    <bdi>{text}</bdi>
  );
};

interface ValuesProps {
  readonly values: Thing["values"];
  readonly isNested?: boolean;
}

const Values = ({ values, isNested = false }: ValuesProps) => (
  <dl class={isNested ? "values nested" : "values"}>
    {Object.entries(values).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Value name={name} value={value} />
        </dd>
      </div>
    ))}
  </dl>
);

const nameOf = ({ values }: Thing): string =>
  String(values["name"] ?? values["title"] ?? values["headline"] ?? "");

export const Things = ({ things }: { readonly things: ReadonlyArray<Thing> }) => (
  <>
    <h3>{words.metadata.described}</h3>
    {things.map((thing, index) => (
      <details key={index}>
        <summary>
          {wordOf(words.metadata.types, thing.type)}
          {nameOf(thing) === "" ? null : (
            <>
              {": "}
              <bdi>{nameOf(thing)}</bdi>
            </>
          )}{" "}
          <span class="hint">{wordOf(words.metadata.origins, thing.origin)}</span>
        </summary>
        <Values values={thing.values} />
      </details>
    ))}
  </>
);
