/** Balance, buying credits, usage, and all ledger entries. Tests: price.test.ts. */
import { isFree } from "../../data/free.ts";
import { useQuery } from "@tanstack/preact-query";
import type { BillingOffer, LedgerEntry } from "@winnow/client";
import { useLocation } from "preact-iso";
import { PAGE_SIZE, usePages } from "../../data/cache.ts";
import { useUsage } from "../../data/apiKeys.ts";
import { winnow, useAccount } from "../../data/client.ts";
import { ActButton } from "../../parts/Form.tsx";
import { Loading, More, Waiting } from "../../parts/Waiting.tsx";
import { number, fullDate, cents, signed, usd } from "../../words/format.ts";
import { billingWords } from "./words.ts";
import { tabWords, wordOf, words } from "../../words/words.ts";
import { href } from "../../data/addresses.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { LedgerCsv } from "./LedgerCsv.tsx";
import { FIRST_PERIOD, Usage } from "./Usage.tsx";

// Buys credits, or shows the operator's note on how to get them.

/** Only http and https, so that text cannot run scripts. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/u;

const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(ADDRESS).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <a key={index} href={part} rel="noreferrer noopener">
          {part}
        </a>
      )
    )}
  </>
);

const useOffer = () =>
  useQuery({
    queryKey: ["billing"],
    queryFn: ({ signal }) => winnow.billing.offer({ signal })
  });

const Offer = ({ packs, note }: BillingOffer) => (
  <>
    {packs.length === 0 ? null : (
      <>
        <ul class="row">
          {packs.map(({ credits, priceCents }) => (
            <li key={credits}>
              <ActButton
                does={() => winnow.billing.topUp({ credits })}
                then={({ url }) => location.assign(url)}
              >
                {billingWords.buy(number(credits), cents(priceCents))}
              </ActButton>
            </li>
          ))}
        </ul>
        <p class="hint">{billingWords.buyHint}</p>
      </>
    )}
    {note === null ? null : (
      <p>
        <Linked text={note} />
      </p>
    )}
    {packs.length === 0 && note === null ? <p class="hint">{billingWords.topUp}</p> : null}
  </>
);

const BalancePanel = () => {
  const { query } = useLocation();
  return (
    <Panel title={billingWords.balance}>
      <Waiting query={useAccount()} lines={1}>
        {({ balance }) => (
          <p class="price-line">
            <strong>{number(balance)}</strong> <span>{words.creditsUnit(balance)}</span>
            <span class="hint">{usd(balance)}</span>
          </p>
        )}
      </Waiting>
      {/* On the return from the payment page: when the credits have arrived, the balance shows them. */}
      {query["paid"] === "yes" ? <p role="status">{billingWords.paid}</p> : null}
      <Waiting query={useOffer()} lines={1}>
        {(offer) => <Offer {...offer} />}
      </Waiting>
    </Panel>
  );
};

/** What it was for, in one line. */
const EntrySubject = ({
  entry: { extractionId, extractionTitle, batchId }
}: {
  readonly entry: LedgerEntry;
}) => {
  const [page, name] =
    batchId === undefined
      ? [`runs/${extractionId}`, extractionTitle]
      : [`batches/${batchId}`, billingWords.batch];
  if (extractionId === null && batchId === undefined) return null;
  return (
    <p class="one-line">
      {name === null ? (
        <span class="hint">{billingWords.deleted}</span>
      ) : (
        <a dir="auto" href={href(page)} title={name}>
          {name}
        </a>
      )}
    </p>
  );
};

/** Roles restore the table semantics that the layout of small windows removes. */
const EntryRow = ({ entry }: { readonly entry: LedgerEntry }) => (
  <tr role="row">
    <td role="cell">
      <time dateTime={entry.createdAt}>{fullDate(entry.createdAt)}</time>
    </td>
    <td role="cell">
      {wordOf(billingWords.kinds, entry.kind)}
      <EntrySubject entry={entry} />
      {entry.note === "" ? null : <p class="hint">{entry.note}</p>}
    </td>
    <td role="cell" class="num">
      {signed(entry.credits)}
    </td>
    <td role="cell" class="num" data-label={billingWords.after}>
      {number(entry.balanceAfter)}
    </td>
  </tr>
);

const Ledger = () => {
  const list = usePages<LedgerEntry>(["ledger"], (cursor, signal) =>
    winnow.ledger.page({ limit: PAGE_SIZE, cursor, signal })
  );
  return (
    <section class="stack tight" aria-label={billingWords.ledger}>
      <div class="row">
        <h2>{billingWords.ledger}</h2>
        <span class="end">
          <LedgerCsv />
        </span>
      </div>
      <Waiting query={{ ...list, data: list.items }} lines={6}>
        {(items) => (
          <div class="panel table-scroll" tabIndex={0} role="group" aria-label={billingWords.ledger}>
            <table class="ledger" role="table">
              <thead role="rowgroup">
                <tr role="row">
                  <th role="columnheader">{billingWords.when}</th>
                  <th role="columnheader">{billingWords.what}</th>
                  <th role="columnheader" class="num">
                    {billingWords.credits}
                  </th>
                  <th role="columnheader" class="num">
                    {billingWords.after}
                  </th>
                </tr>
              </thead>
              <tbody role="rowgroup">
                {items.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Waiting>
      <More query={list} />
    </section>
  );
};

/** Shown at once, because panels of unknown heights stand above the ledger. */
const Billing = () => {
  const isAnswered = [useOffer(), useUsage(FIRST_PERIOD)].every(({ isFetched }) => isFetched);
  return (
    <>
      <PageHead title={tabWords.usage} guide={isFree ? undefined : "pricing"} />
      {isAnswered ? (
        <>
          {isFree ? null : <BalancePanel />}
          <Usage />
          {isFree ? null : <Ledger />}
        </>
      ) : (
        <Loading />
      )}
    </>
  );
};

export default Billing;
