/** The extracted values, each with its quote; clicking the quote goes to it. */
import type { CompleteResult, EvidenceItem } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { CopyButton } from "../../parts/Copy.tsx";
import { childPointer, pathText } from "../../parts/jsonPointer.ts";
import { clock } from "../../words/format.ts";
import { runWords } from "./words.ts";
import { toCheckWord, wordOf, words } from "../../words/words.ts";
import { Shape } from "../../parts/Status.tsx";
import type { Player } from "./player.tsx";

type Evidence = Readonly<Record<string, ReadonlyArray<EvidenceItem>>>;

interface NodeProps {
  readonly value: unknown;
  readonly pointer: string;
  readonly evidence: Evidence;
  readonly player: Player;
  /** Somebody has corrected or accepted what was to check. */
  readonly isSettled: boolean;
}

export const positionText = ({ page, slide, source, startSec }: EvidenceItem): string => {
  if (startSec !== undefined) return clock(startSec);
  if (slide !== undefined) return runWords.imageNumber(slide);
  return page === undefined ? wordOf(runWords.sources, source) : runWords.onPage(page);
};

const spaced = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

/** A quote that says no more than its value: its time or place is enough. */
const isSameText = (value: unknown, { quote, supported }: EvidenceItem): boolean =>
  supported !== false && spaced(quote) === spaced(String(value));

interface QuotesProps {
  readonly value: unknown;
  readonly items: ReadonlyArray<EvidenceItem>;
  readonly player: Player;
}

const Quotes = ({ value, items, player }: QuotesProps) => (
  <>
    {items.map((item) => (
      <button
        key={`${item.source} ${item.startSec ?? item.page ?? item.slide ?? item.pointer ?? ""} ${item.quote}`}
        type="button"
        class={isSameText(value, item) ? "quote chip" : "quote"}
        data-quote
        aria-pressed={player.quote === item}
        onClick={() => player.choose(item)}
      >
        <q dir="auto" class={isSameText(value, item) ? "sr" : undefined}>
          {item.quote}
        </q>{" "}
        <span class="hint">{positionText(item)}</span>
        {item.supported === false ? <span class="unsupported">{runWords.notSupported}</span> : null}
      </button>
    ))}
  </>
);

const scalarText = (value: unknown): string => {
  if (value === null) return runWords.noValue;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return String(value);
};

const Scalar = ({ value, pointer, evidence, player, isSettled }: NodeProps) => {
  const items = evidence[pointer] ?? [];
  // As the service counts them: nothing that was read supports it.
  const isToCheck = !isSettled && value !== null && !items.some(({ supported }) => supported !== false);
  return (
    <div class="scalar">
      {isToCheck ? <Shape as="toCheck">{toCheckWord}</Shape> : null}
      <p class={value === null ? "value hint" : "value"} dir="auto">
        {scalarText(value)}
      </p>
      <Quotes value={value} items={items} player={player} />
    </div>
  );
};

const Labelled = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt dir="auto">{name}</dt>
    <dd class="stack tight">{children}</dd>
  </div>
);

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

/** Columns of a list of objects whose values are all scalars; null for any other list. */
export const columnsOf = (list: ReadonlyArray<unknown>): ReadonlyArray<string> | null => {
  const rows = list.filter(
    (item) => !isScalar(item) && !Array.isArray(item) && Object.values(item as object).every(isScalar)
  );
  return rows.length < list.length ? null : [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
};

const Bullets = (props: NodeProps & { readonly value: ReadonlyArray<unknown> }) => (
  <ul class="bullets">
    {props.value.map((item, index) => (
      <li key={index}>
        <Scalar {...props} value={item} pointer={childPointer(props.pointer, index)} />
      </li>
    ))}
  </ul>
);

interface TableProps extends NodeProps {
  readonly value: ReadonlyArray<unknown>;
  readonly columns: ReadonlyArray<string>;
}

const Table = (props: TableProps) => (
  <div class="table-scroll" tabIndex={0} role="group" aria-label={pathText(props.pointer) || runWords.table}>
    <table class="values-table">
      <thead>
        <tr>
          {props.columns.map((name) => (
            <th key={name} scope="col" dir="auto">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.value.map((row, index) => (
          <tr key={index}>
            {props.columns.map((name) => (
              <td key={name}>
                {Object.hasOwn(row as object, name) ? (
                  <Scalar
                    {...props}
                    value={(row as Readonly<Record<string, unknown>>)[name]}
                    pointer={childPointer(childPointer(props.pointer, index), name)}
                  />
                ) : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Node = (props: NodeProps) => {
  const { value, pointer } = props;
  if (typeof value !== "object" || value === null) return <Scalar {...props} />;
  if (Array.isArray(value) && value.length > 0) {
    const list: ReadonlyArray<unknown> = value;
    const columns = columnsOf(list);
    if (list.every(isScalar)) return <Bullets {...props} value={list} />;
    if (columns !== null && columns.length > 0) return <Table {...props} value={list} columns={columns} />;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return <p class="hint">{words.none}</p>;
  return (
    <dl class={pointer === "" ? "values" : "values nested"}>
      {entries.map(([name, child]) => (
        <Labelled key={name} name={Array.isArray(value) ? pathText(childPointer(pointer, name)) : name}>
          <Node {...props} value={child} pointer={childPointer(pointer, name)} />
        </Labelled>
      ))}
    </dl>
  );
};

interface ValuesProps extends Pick<NodeProps, "player"> {
  readonly result: CompleteResult<unknown>;
  readonly isSettled?: boolean;
}

export const Values = ({ result, isSettled = false, ...props }: ValuesProps) => {
  if (result.outcome === null) return null;
  return (
    <section class="panel stack" aria-label={runWords.values}>
      <div class="row">
        <h2>{runWords.values}</h2>
        {result.outcome === "ok" ? (
          <span class="end">
            <CopyButton text={JSON.stringify(result.extraction, null, 2)} label={runWords.copyJson} />
          </span>
        ) : null}
      </div>
      {result.outcome === "ok" ? (
        <Node
          value={result.extraction}
          pointer=""
          evidence={result.evidence ?? {}}
          isSettled={isSettled}
          {...props}
        />
      ) : (
        <p class="notice">{result.verdictReason}</p>
      )}
    </section>
  );
};
