/** Balance, usage by day, and all ledger entries. */
import { useQuery } from "@tanstack/preact-query";
import type { LedgerEntry } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { useAccount, winnow } from "../../data/client.ts";
import { keys } from "../../data/cache.ts";
import { PAGE_SIZE, usePages } from "../../data/lists.ts";
import { More, Waiting } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { fullDate, number } from "../../words/format.ts";
import { signed, usd } from "../../words/measures.ts";
import { wordOf, words } from "../../words/words.ts";
import { LedgerCsv } from "./LedgerCsv.tsx";
import { TopUp } from "./TopUp.tsx";
import { UsageChart } from "./UsageChart.tsx";

const USAGE_DAYS = 30;

const BalancePanel = () => {
  const query = useAccount();
  return (
    <section class="panel stack tight" aria-label={words.billing.balance}>
      <h2>{words.billing.balance}</h2>
      <Waiting query={query} lines={1}>
        {({ balance }) => (
          <p class="price-line">
            <strong>{number(balance)}</strong> <span>{words.creditsUnit(balance)}</span>
            <span class="hint">{usd(balance)}</span>
          </p>
        )}
      </Waiting>
      <TopUp />
    </section>
  );
};

const Usage = () => {
  const query = useQuery({
    queryKey: keys.usage(USAGE_DAYS),
    queryFn: ({ signal }) => winnow.usage({ days: USAGE_DAYS, signal })
  });
  return (
    <section class="panel stack tight" aria-label={words.billing.usage}>
      <h2>{words.billing.usage}</h2>
      <Waiting query={query} lines={3}>
        {({ data }) => <UsageChart days={data} />}
      </Waiting>
    </section>
  );
};

/** Roles restore the table semantics that the layout of small windows removes. */
const EntryRow = ({ entry }: { readonly entry: LedgerEntry }) => (
  <tr role="row">
    <td role="cell">
      <time dateTime={entry.createdAt}>{fullDate(entry.createdAt)}</time>
    </td>
    <td role="cell">
      {wordOf(words.billing.kinds, entry.kind)}
      {entry.extractionId === null ? null : (
        <>
          {" "}
          <a
            href={href(`runs/${entry.extractionId}`)}
            aria-label={words.billing.runOf(fullDate(entry.createdAt))}
          >
            {words.run.title}
          </a>
        </>
      )}
      {entry.note === "" ? null : <p class="hint">{entry.note}</p>}
    </td>
    <td role="cell" class="num">
      {signed(entry.credits)}
    </td>
    <td role="cell" class="num" data-label={words.billing.after}>
      {number(entry.balanceAfter)}
    </td>
  </tr>
);

const Ledger = () => {
  const list = usePages<LedgerEntry>(keys.ledger, (cursor, signal) =>
    winnow.ledger.page({ limit: PAGE_SIZE, cursor, signal })
  );
  return (
    <section class="stack tight" aria-label={words.billing.ledger}>
      <div class="row">
        <h2>{words.billing.ledger}</h2>
        <span class="end">
          <LedgerCsv />
        </span>
      </div>
      <Waiting query={{ ...list, data: list.items }} lines={6}>
        {(items) => (
          <div class="panel table-scroll" tabIndex={0} role="group" aria-label={words.billing.ledger}>
            <table class="ledger" role="table">
              <thead role="rowgroup">
                <tr role="row">
                  <th role="columnheader">{words.billing.when}</th>
                  <th role="columnheader">{words.billing.what}</th>
                  <th role="columnheader" class="num">
                    {words.billing.credits}
                  </th>
                  <th role="columnheader" class="num">
                    {words.billing.after}
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

const Billing = () => (
  <>
    <PageHead title={words.nav.billing} />
    <div class="two">
      <BalancePanel />
      <Usage />
    </div>
    <Ledger />
  </>
);

export default Billing;
