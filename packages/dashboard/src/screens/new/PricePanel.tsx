/** The exact price before anything is charged; also shown on the button. Tests: price.test.ts. */
import { isFree } from "../../data/free.ts";
import type { Modality } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { href } from "../../data/addresses.ts";
import { useAccount } from "../../data/client.ts";
import { useCheaper } from "../../data/quotes.ts";
import { isForUnknownLength, receiptRows } from "../../parts/Receipt.tsx";
import { Sums } from "../../parts/Sums.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { number, dayTime, usd } from "../../words/format.ts";
import { twiceOf } from "../../words/refusals.ts";
import { priceWords } from "./words.ts";
import { words, partsWords, receiptWords } from "../../words/words.ts";
import { isUsableSchema } from "../../parts/schema/fields.ts";
import { schemaFault } from "../../parts/schema/SchemaEditor.tsx";
import { lacksLimit, rangeOf, type Draft } from "./draft.ts";
import type { Start } from "./start.ts";

interface PriceProps extends Start {
  readonly onForce: () => void;
  readonly onChoose: (parts: ReadonlyArray<Modality>) => void;
}

/** What is missing beside the URL before a price can be requested. */
const lacking = (draft: Draft): string => {
  if (rangeOf(draft) === null) return priceWords.fixStretch;
  if (draft.choice === "saved" && draft.schemaId === "") return priceWords.chooseSchema;
  if (draft.choice === "own" && !isUsableSchema(draft.schemaText)) {
    return schemaFault(draft.schemaText) === null ? priceWords.nameField : priceWords.fixSchema;
  }
  return draft.choice !== "none" && lacksLimit(draft) ? priceWords.enterSpend : priceWords.asking;
};

/** What it costs, and what the button that starts it says. */
interface Offer {
  /** Undefined before the first answer. */
  readonly credits: number | undefined;
  /** Of a new run, where there is a result. */
  readonly freshCredits?: number | undefined;
  /** The price is of what is in the form. */
  readonly isCurrent: boolean;
  readonly hint: string;
  readonly label: string;
  /** After the label, where there is room. */
  readonly unit?: string;
}

const creditsText = (credits: number): string => `${number(credits)} ${words.creditsUnit(credits)}`;

const ofOne = ({ draft, quote, earlier }: PriceProps): Offer => {
  const { probe, isCurrent, isCached, credits = 0 } = quote;
  const isUnknownLength = probe !== undefined && isForUnknownLength(probe, probe.price);
  const cached = earlier === undefined ? priceWords.cached : priceWords.earlier(dayTime(earlier.createdAt));
  const sum = isUnknownLength ? receiptWords.unknownLength : isFree ? "" : usd(credits);
  const missing = isWebUrl(withScheme(draft.url)) ? lacking(draft) : priceWords.paste;
  return {
    credits: probe === undefined ? undefined : credits,
    freshCredits: isCached ? probe?.price.freshCredits : undefined,
    isCurrent,
    hint: !isCurrent ? missing : isCached ? cached : sum,
    ...(!isCurrent
      ? { label: priceWords.extract }
      : credits === 0
        ? { label: priceWords.extractFree }
        : { label: priceWords.extractFor(number(credits)), unit: words.creditsUnit(credits) })
  };
};

const ofMany = ({ draft, items, batch: { total, known, lines } }: PriceProps): Offer => {
  const waiting = items.length === 0 ? lacking(draft) : priceWords.progress(known, items.length);
  if (total === null)
    return { credits: undefined, isCurrent: false, hint: waiting, label: priceWords.extract };
  const { credits, accepted, refused } = total;
  const twice = lines.filter((line) => twiceOf(line?.error ?? null) !== null).length;
  const counts = priceWords.counts(accepted, twice, refused - twice);
  const price = credits === 0 ? priceWords.free : creditsText(credits);
  return {
    credits,
    isCurrent: true,
    hint: isFree ? counts : `${usd(credits)} ${counts}`,
    label: accepted === 0 ? priceWords.extract : priceWords.extractMany(accepted, price)
  };
};

/** Why it cannot be started at this price. */
const faultOf = (
  credits: number,
  { draft, isMany, batch }: PriceProps,
  balance = Infinity
): string | null => {
  if (isMany && batch.total?.accepted === 0) return priceWords.noneAccepted;
  if (credits > (draft.maxCredits ?? Infinity)) return priceWords.aboveLimit;
  return credits > balance ? priceWords.lacks(number(credits - balance)) : null;
};

/** Two lines, whatever they are, so that nothing below moves. */
const Amount = ({ offer, props }: { readonly offer: Offer; readonly props: PriceProps }) => {
  const { isMany, items, batch } = props;
  const { credits, freshCredits, isCurrent } = offer;
  return (
    <>
      {credits === undefined || isFree ? null : (
        <div class={isCurrent ? undefined : "old"}>
          <p class="price-line">
            <strong>{number(credits)}</strong> <span>{words.creditsUnit(credits)}</span>
            {freshCredits === undefined ? null : <s class="hint">{number(freshCredits)}</s>}
          </p>
        </div>
      )}
      {isMany && items.length > 0 && !isCurrent ? (
        <progress aria-label={priceWords.title} max={items.length} value={batch.known} />
      ) : null}
      <p class="hint">{offer.hint}</p>
    </>
  );
};

/** The same for less, where the balance is too small for one link. */
const Cheaper = ({ balance, ...props }: PriceProps & { readonly balance: number }) => {
  const cheaper = useCheaper(props.body, props.chosen, props.quote, balance);
  return cheaper === null ? null : (
    <button class="button small" type="button" onClick={() => props.onChoose(cheaper.parts)}>
      {priceWords.without(
        cheaper.dropped.map((part) => partsWords.names[part].toLowerCase()).join(priceWords.and),
        creditsText(cheaper.credits)
      )}
    </button>
  );
};

export const PricePanel = (props: PriceProps) => {
  const { isMany, quote, batch, earlier, isBusy, error, isLost, onForce } = props;
  const { data: account } = useAccount();
  const asked = isMany ? batch : quote;
  const offer = isMany ? ofMany(props) : ofOne(props);
  const { credits = 0, isCurrent } = offer;
  const fault = isCurrent ? faultOf(credits, props, account?.balance) : null;
  const { probe, earlierId } = quote;
  // What somebody has already comes before what they would pay for.
  const result = isMany || earlier === undefined ? null : earlierId;
  const receipt = isMany || probe === undefined || quote.error !== null ? undefined : probe.price;
  return (
    <section class="panel stack price-panel">
      <h2>{priceWords.title}</h2>
      {isFree ? null : <p class="hint">{priceWords.promise}</p>}
      <div class="buy">
        <div class="buy-price" aria-live="polite">
          {asked.error === null ? <Amount offer={offer} props={props} /> : null}
        </div>
        {result === null ? (
          <button class="button main" type="submit" disabled={isBusy || !isCurrent || fault !== null}>
            {offer.label}
            {offer.unit === undefined ? null : <span> {offer.unit}</span>}
          </button>
        ) : (
          <a class="button main" href={href(`runs/${result}`)}>
            {priceWords.open}
          </a>
        )}
        {fault === null ? null : (
          <div class="too-dear stack tight">
            <p class="fault">{fault}</p>
            {isMany || account === undefined ? null : <Cheaper {...props} balance={account.balance} />}
          </div>
        )}
        {result === null ? null : (
          <button class="button" type="button" onClick={onForce}>
            {priceWords.fresh(creditsText(probe?.price.freshCredits ?? 0))}
          </button>
        )}
        <Problem error={asked.error} retry={asked.refetch} />
        <Problem error={error} />
        {isLost ? <p class="notice calm">{priceWords.lost}</p> : null}
      </div>
      {receipt === undefined || receipt.credits === 0 ? null : (
        <Sums
          kind={isCurrent ? "sums receipt" : "sums receipt old"}
          rows={receiptRows(receipt, receiptWords.total)}
        />
      )}
    </section>
  );
};
