/** Accounts: create, find, top up, and send sign-in links. */
import { isFree } from "../../data/free.ts";
import type { Account, SignInLink, AdminClient } from "@winnow/client/admin";
import { useState } from "preact/hooks";
import { Code } from "../../parts/Copy.tsx";
import { Problem, useAct } from "../../parts/Waiting.tsx";
import { note } from "../../parts/Toasts.tsx";
import { fullDate, number } from "../../words/format.ts";
import { billingWords } from "../billing/words.ts";
import { operatorWords } from "./words.ts";
import { filtersWords, words } from "../../words/words.ts";
import { useQuery } from "@tanstack/preact-query";
import { cache } from "../../data/cache.ts";
import { Form } from "../../parts/Form.tsx";

// An account with the operator's actions.

interface TopUpProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onTopUp: (credits: number) => void;
}

const TopUp = ({ name, isBusy, onTopUp }: TopUpProps) => {
  const [credits, setCredits] = useState("");
  return (
    <Form
      class="row"
      onSubmit={() => {
        onTopUp(Number(credits));
        setCredits("");
      }}
    >
      <input
        class="short"
        type="number"
        min="1"
        step="1"
        required
        aria-label={operatorWords.creditsFor(name)}
        placeholder={billingWords.credits}
        value={credits}
        onInput={(event) => setCredits(event.currentTarget.value)}
      />
      <button class="button" type="submit" disabled={isBusy}>
        {operatorWords.topUp}
      </button>
    </Form>
  );
};

const AccountCard = ({ admin, account }: OperatorProps & { readonly account: Account }) => {
  const [balance, setBalance] = useState(account.balance);
  const [link, setLink] = useState<SignInLink | null>(null);
  const { act, isBusy, error } = useAct();
  const topUp = (credits: number): void =>
    void act(
      () => admin.topUps.create(account.id, { credits }),
      (after) => {
        setBalance(after.balance);
        note(operatorWords.toppedUp(number(after.balance)));
      }
    );
  return (
    <li class="panel stack tight">
      <div class="row">
        <h2 dir="auto">{account.name}</h2>
        <code class="hint">{account.id}</code>
        <span class="hint">
          {operatorWords.plan} <strong>{account.plan}</strong>
        </span>
        {isFree ? null : (
          <p class="end">
            <strong>{number(balance)}</strong> {words.creditsUnit(balance)}
          </p>
        )}
      </div>
      <div class="row">
        {isFree ? null : <TopUp name={account.name} isBusy={isBusy} onTopUp={topUp} />}
        <button
          class="button"
          type="button"
          disabled={isBusy}
          onClick={() => void act(() => admin.signInLinks.create(account.id), setLink)}
        >
          {operatorWords.signInLink}
        </button>
      </div>
      {link === null ? null : (
        <>
          <Code code={link.url} label={operatorWords.signInLink} />
          <p class="hint">{operatorWords.linkUntil(fullDate(link.expiresAt))}</p>
        </>
      )}
      {error === null ? null : <Problem error={error} />}
    </li>
  );
};

export interface OperatorProps {
  readonly admin: AdminClient;
}

const LISTED_MAX = 50;

/** One field for both: a name that is searched for, or that of a new account. */
export const Accounts = ({ admin }: OperatorProps) => {
  const [name, setName] = useState("");
  const [searched, setSearched] = useState("");
  const [made, setMade] = useState<ReadonlyArray<Account>>([]);
  const { act, isBusy, error } = useAct();
  const query = useQuery({
    queryKey: ["operator", "accounts", searched],
    queryFn: ({ signal }) => admin.accounts.page({ q: searched || undefined, limit: LISTED_MAX, signal }),
    retry: false
  });
  const create = (): void =>
    void act(
      () => admin.accounts.create({ name: name.trim() }),
      (account) => {
        setMade([account, ...made]);
        setName("");
        void cache.invalidateQueries({ queryKey: ["operator"] });
      }
    );
  const found = query.data?.data ?? [];
  const shown = [...made.filter(({ id }) => !found.some((each) => each.id === id)), ...found];
  return (
    <>
      <Form class="panel stack tight" role="search" onSubmit={() => setSearched(name.trim())}>
        <label class="stack tight">
          {operatorWords.find}
          <input
            type="search"
            value={name}
            maxLength={200}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {error === null ? null : <Problem error={error} />}
        <div class="row">
          <button class="button" type="submit">
            {filtersWords.search}
          </button>
          <button class="button" type="button" disabled={isBusy || name.trim() === ""} onClick={create}>
            {operatorWords.create}
          </button>
        </div>
      </Form>
      {query.error === null ? null : <Problem error={query.error} retry={() => void query.refetch()} />}
      <ul class="stack tight">
        {shown.map((account) => (
          <AccountCard key={account.id} admin={admin} account={account} />
        ))}
      </ul>
    </>
  );
};
