/** Accounts: create, find, top up, and send sign-in links. Tests: browser.test.ts. */
import { isFree } from "../../data/free.ts";
import type { Account, SignInLink, AdminClient } from "@winnow/client/admin";
import { useState } from "preact/hooks";
import { Code } from "../../parts/Copy.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { note } from "../../parts/Toasts.tsx";
import { fullDate, number } from "../../words/format.ts";
import { billingWords } from "../billing/words.ts";
import { operatorWords } from "./words.ts";
import { filtersWords, words } from "../../words/words.ts";
import { useQuery } from "@tanstack/preact-query";
import { changed } from "../../data/cache.ts";
import { ActButton, Form } from "../../parts/Form.tsx";

export interface OperatorProps {
  readonly admin: AdminClient;
}

const LIST = ["operator", "accounts"];

const AccountCard = ({ admin, account }: OperatorProps & { readonly account: Account }) => {
  const { id, name, plan, balance } = account;
  const [link, setLink] = useState<SignInLink | null>(null);
  return (
    <li class="panel stack tight">
      <div class="row">
        <h2 dir="auto">{name}</h2>
        <code class="hint">{id}</code>
        <span class="hint">
          {operatorWords.plan} <strong>{plan}</strong>
        </span>
        {isFree ? null : (
          <p class="end">
            <strong>{number(balance)}</strong> {words.creditsUnit(balance)}
          </p>
        )}
      </div>
      <div class="row">
        {isFree ? null : (
          <Form
            class="row"
            onSubmit={async (valueOf, form) => {
              const after = await admin.topUps.create(id, { credits: Number(valueOf("credits")) });
              form.reset();
              note(operatorWords.toppedUp(number(after.balance)));
              changed(LIST);
            }}
          >
            <input
              name="credits"
              type="number"
              min="1"
              step="1"
              required
              aria-label={operatorWords.creditsFor(name)}
              placeholder={billingWords.credits}
            />
            <button class="button" type="submit">
              {operatorWords.topUp}
            </button>
          </Form>
        )}
        <ActButton does={() => admin.signInLinks.create(id)} then={setLink}>
          {operatorWords.signInLink}
        </ActButton>
      </div>
      {link === null ? null : (
        <>
          <Code code={link.url} label={operatorWords.signInLink} />
          <p class="hint">{operatorWords.linkUntil(fullDate(link.expiresAt))}</p>
        </>
      )}
    </li>
  );
};

const LISTED_MAX = 50;

/** One field for both: a name that is searched for, or that of a new account. */
export const Accounts = ({ admin }: OperatorProps) => {
  const [searched, setSearched] = useState("");
  const query = useQuery({
    queryKey: [...LIST, searched],
    queryFn: ({ signal }) => admin.accounts.page({ q: searched || undefined, limit: LISTED_MAX, signal }),
    retry: false
  });
  return (
    <>
      <Form
        class="panel stack tight"
        role="search"
        onSubmit={async (valueOf) => {
          const name = valueOf("name");
          if (valueOf("does") === "create") {
            await admin.accounts.create({ name });
            changed(LIST);
          }
          setSearched(name);
        }}
      >
        <label class="stack tight">
          {operatorWords.find}
          <input type="search" name="name" maxLength={200} />
        </label>
        <div class="row">
          <button class="button" type="submit" name="does" value="search">
            {filtersWords.search}
          </button>
          <button class="button" type="submit" name="does" value="create">
            {operatorWords.create}
          </button>
        </div>
      </Form>
      <Problem error={query.error} retry={() => void query.refetch()} />
      <ul class="stack tight">
        {query.data?.data.map((account) => (
          <AccountCard key={account.id} admin={admin} account={account} />
        ))}
      </ul>
    </>
  );
};
