/** The extracted values, each with its quote; clicking the quote goes to it. Tests: everyday.test.ts. */
import type { CompleteResult, EvidenceItem } from "@winnow/client";
import { CopyButton } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Shape } from "../../parts/Status.tsx";
import { toCheckWord, words } from "../../words/words.ts";
import { positionText } from "./marks.ts";
import { usePlayer } from "./player.tsx";
import { Tree } from "./Tree.tsx";
import { runWords } from "./words.ts";

const spaced = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

/** A quote that says no more than its value: its time or place is enough. */
const isSameText = (value: unknown, { quote, supported }: EvidenceItem): boolean =>
  supported !== false && spaced(quote) === spaced(String(value));

interface ScalarProps {
  readonly value: unknown;
  readonly items: ReadonlyArray<EvidenceItem>;
  /** Somebody has corrected or accepted what was to check. */
  readonly isSettled: boolean;
}

const Quotes = ({ value, items }: Omit<ScalarProps, "isSettled">) => {
  const { quote, choose } = usePlayer();
  return (
    <>
      {items.map((item) => (
        <button
          key={`${item.source} ${item.startSec ?? item.page ?? item.slide ?? item.pointer ?? ""} ${item.quote}`}
          type="button"
          class={isSameText(value, item) ? "quote chip" : "quote"}
          data-quote
          aria-pressed={quote === item}
          onClick={() => choose(item)}
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
};

export const scalarText = (value: unknown): string => {
  if (value === null) return runWords.noValue;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return String(value);
};

const Scalar = ({ value, items, isSettled }: ScalarProps) => {
  // As the service counts them (core's ResultRow.ts): nothing that was read supports it.
  const isToCheck = !isSettled && value !== null && !items.some(({ supported }) => supported !== false);
  return (
    <div class="scalar">
      {isToCheck ? <Shape as="toCheck">{toCheckWord}</Shape> : null}
      <p class={value === null ? "value hint" : "value"} dir="auto">
        {scalarText(value)}
      </p>
      <Quotes value={value} items={items} />
    </div>
  );
};

/** The quote that follows the selected one on the page. */
const nextQuote = (): void => {
  const quotes = [...document.querySelectorAll<HTMLButtonElement>("[data-quote]")];
  const at = quotes.findIndex((quote) => quote.getAttribute("aria-pressed") === "true");
  const next = quotes[(at + 1) % Math.max(1, quotes.length)];
  next?.click();
  next?.focus();
};

interface ValuesProps {
  readonly result: CompleteResult<unknown>;
  readonly isSettled?: boolean;
}

export const Values = ({ result, isSettled = false }: ValuesProps) => {
  useShortcuts({ e: nextQuote });
  const { outcome, evidence = {} } = result;
  if (outcome === null) return null;
  return (
    <Panel
      title={runWords.values}
      end={
        outcome === "ok" && (
          <CopyButton text={JSON.stringify(result.extraction, null, 2)} label={runWords.copyJson} />
        )
      }
    >
      {outcome === "ok" ? (
        <Tree
          value={result.extraction}
          pointer=""
          leaf={({ value, pointer }) => (
            <Scalar value={value} items={evidence[pointer] ?? []} isSettled={isSettled} />
          )}
        />
      ) : (
        <p class="notice">{result.verdictReason}</p>
      )}
    </Panel>
  );
};
