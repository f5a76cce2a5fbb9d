/** The exact price before anything is charged; also shown on the button. */
import type { ProbeResponse } from "@winnow/client";
import { useAccount } from "../../data/account.ts";
import type { Quote } from "../../data/quotes.ts";
import { Problem } from "../../parts/Problem.tsx";
import { clock, number } from "../../words/format.ts";
import { usd } from "../../words/measures.ts";
import { words } from "../../words/words.ts";
import { schemaFault } from "../../parts/schema/SchemaEditor.tsx";
import { isWholeUrl, withScheme, type Draft } from "./draft.ts";

export interface PricePanelProps {
  readonly draft: Draft;
  readonly quote: Quote;
  readonly isBusy: boolean;
  /** Of the submit. */
  readonly error: unknown;
}

const factsOf = (probe: ProbeResponse): string =>
  [
    probe.durationSec === null ? "" : words.price.long(clock(probe.durationSec)),
    probe.imageCount > 0 ? words.price.images(probe.imageCount) : "",
    probe.hasSubtitles ? words.price.hasSubtitles : "",
    probe.hasComments ? words.price.hasComments : ""
  ]
    .filter((fact) => fact !== "")
    .join(" · ");

const costOf = ({ cached, price }: ProbeResponse): number => (cached ? 0 : price.credits);

const Found = ({ probe }: { readonly probe: ProbeResponse }) => (
  <>
    <p dir="auto">
      <strong>{probe.title ?? probe.url}</strong>
    </p>
    <p class="hint">{factsOf(probe)}</p>
    <p class="price-line">
      <strong>{number(costOf(probe))}</strong> <span>{words.creditsUnit(costOf(probe))}</span>
      <span class="hint">{probe.cached ? words.price.cached : usd(probe.price.credits)}</span>
    </p>
    {probe.durationSec === null &&
    probe.price.mode === "download" &&
    probe.price.downloadUsd > 0 &&
    probe.imageCount === 0 ? (
      <p class="hint">{words.price.unknownLength}</p>
    ) : null}
  </>
);

/** What is missing before a price can be requested. */
const missing = (draft: Draft): string => {
  if (!isWholeUrl(withScheme(draft.url))) return words.price.paste;
  if (draft.choice === "saved" && draft.schemaId === "") return words.price.chooseSchema;
  if (draft.choice === "own" && schemaFault(draft.schemaText) !== null) return words.price.fixSchema;
  return words.price.asking;
};

export const PricePanel = ({ draft, quote, isBusy, error }: PricePanelProps) => {
  const { data: account } = useAccount();
  const { probe } = quote;
  const lacks = probe !== undefined && account !== undefined ? costOf(probe) - account.balance : 0;
  return (
    <section class="panel stack price-panel">
      <h2>{words.price.title}</h2>
      <div class="stack tight price-found" aria-live="polite">
        {probe !== undefined ? (
          <Found probe={probe} />
        ) : quote.error !== null ? (
          <Problem error={quote.error} retry={quote.refetch} />
        ) : (
          <p class="hint">{missing(draft)}</p>
        )}
      </div>
      {lacks > 0 ? <p class="fault">{words.price.lacks(number(lacks))}</p> : null}
      {error === null ? null : <Problem error={error} />}
      <button class="button main" type="submit" disabled={isBusy || probe === undefined || lacks > 0}>
        {probe === undefined
          ? words.price.extract
          : costOf(probe) === 0
            ? words.price.extractFree
            : words.price.extractFor(number(costOf(probe)), words.creditsUnit(costOf(probe)))}
      </button>
      <p class="hint">{words.price.promise}</p>
    </section>
  );
};
