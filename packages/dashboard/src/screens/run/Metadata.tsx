/** The source's metadata, and where each value was found. Tests: everyday.test.ts. */
import type { CompleteResult } from "@winnow/client";
import { useText } from "../../data/extractions.ts";
import { childPointer, stepsOf } from "../../parts/jsonPointer.ts";
import { Panel } from "../../parts/Panel.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { clock, writtenDate } from "../../words/format.ts";
import { wordOf } from "../../words/words.ts";
import { Facts, WebLink } from "./Facts.tsx";
import { usePlayer } from "./player.tsx";
import { Quoted } from "./Quoted.tsx";
import { readMetadata, type SourceMetadata, type Thing, type WrittenDate } from "./sourceMetadata.ts";
import { Tree, type LeafProps } from "./Tree.tsx";
import { scalarText } from "./Values.tsx";
import { metadataWords, runWords } from "./words.ts";

// Structured data of a page: products, recipes, events, as the page provides them.

const isDate = (value: unknown): value is WrittenDate => {
  const { value: date, precision } = Object(value) as Partial<WrittenDate>;
  return typeof date === "string" && precision !== undefined;
};

const isLeaf = (value: unknown): boolean => Object(value) !== value || isDate(value);

const Leaf = ({ value, pointer }: LeafProps) => {
  const isSeconds = typeof value === "number" && stepsOf(pointer).at(-1)?.endsWith("Seconds") === true;
  const [text, at] = isDate(value)
    ? [writtenDate(value), childPointer(pointer, "value")]
    : [isSeconds ? clock(value) : scalarText(value), pointer];
  return (
    <WebLink url={text}>
      <Quoted text={text} of={{ source: "structured", pointer: at }} />
    </WebLink>
  );
};

const nameOf = ({ values }: Thing): string =>
  String(values["name"] ?? values["title"] ?? values["headline"] ?? "");

const ThingDetails = ({ thing, pointer }: { readonly thing: Thing; readonly pointer: string }) => (
  <details>
    <summary>
      <Quoted
        text={wordOf(metadataWords.types, thing.type)}
        of={{ source: "structured", pointer: childPointer(pointer, "type") }}
      />
      {nameOf(thing) === "" ? "" : ": "}
      <bdi>{nameOf(thing)}</bdi> <span class="hint">{wordOf(metadataWords.origins, thing.origin)}</span>
    </summary>
    <Tree value={thing.values} pointer={childPointer(pointer, "values")} leaf={Leaf} isLeaf={isLeaf} />
  </details>
);

const Chapters = ({ chapters }: Pick<SourceMetadata, "chapters">) => {
  const { seek } = usePlayer();
  return (
    <>
      <h3>{metadataWords.chapters}</h3>
      <ol>
        {chapters.map(({ title, startSeconds }) => (
          <li class="line" key={startSeconds}>
            <button
              type="button"
              aria-label={runWords.playFrom(clock(startSeconds))}
              onClick={() => seek(startSeconds, true)}
            >
              {clock(startSeconds)}
            </button>
            <p dir="auto">{title}</p>
          </li>
        ))}
      </ol>
    </>
  );
};

const FILE = "metadata.json";

export const Metadata = ({ result }: { readonly result: CompleteResult<unknown> }) => {
  const isThere = result.summary.files.includes(FILE);
  const query = useText(result.id, isThere ? FILE : null, readMetadata);
  return isThere ? (
    <Panel title={metadataWords.title}>
      <p class="hint">{metadataWords.hint}</p>
      <Waiting query={query}>
        {({ facts, chapters, structured = [] }) => (
          <>
            <Facts
              facts={facts.map(({ name, text, url, origins }) => [
                metadataWords.fields[name],
                <WebLink url={url}>
                  <Quoted text={text} of={{ source: "metadata" }} />
                </WebLink>,
                origins.map((origin) => wordOf(metadataWords.origins, origin)).join(", "),
                name
              ])}
            />
            {chapters.length === 0 ? null : <Chapters chapters={chapters} />}
            {structured.length === 0 ? null : (
              <div class="stack tight">
                <h3>{metadataWords.described}</h3>
                {structured.map((thing, index) => (
                  <ThingDetails key={index} thing={thing} pointer={childPointer("/structured", index)} />
                ))}
              </div>
            )}
          </>
        )}
      </Waiting>
    </Panel>
  ) : null;
};
