/** Accounts: create, find, top up, and send sign-in links. */
import { useQuery } from "@tanstack/preact-query";
import type { Account, AdminClient } from "@winnow/client/admin";
import { useState } from "preact/hooks";
import { cache } from "../../data/cache.ts";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { words } from "../../words/words.ts";
import { AccountCard } from "./AccountCard.tsx";

export interface OperatorProps {
  readonly admin: AdminClient;
}

const LISTED_MAX = 50;

const Create = ({ admin, onMade }: OperatorProps & { readonly onMade: (account: Account) => void }) => {
  const [name, setName] = useState("");
  const { act, isBusy, error } = useAct();
  const create = (): void =>
    void act(
      () => admin.accounts.create({ name: name.trim() }),
      (account) => {
        setName("");
        onMade(account);
      }
    );
  return (
    <form
      class="panel stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <label class="stack tight">
        {words.operator.newAccount}
        <input
          required
          value={name}
          maxLength={200}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {error === null ? null : <Problem error={error} />}
      <div>
        <button class="button main" type="submit" disabled={isBusy}>
          {words.operator.create}
        </button>
      </div>
    </form>
  );
};

export const Accounts = ({ admin }: OperatorProps) => {
  const [search, setSearch] = useState("");
  const [searched, setAsked] = useState("");
  const [made, setMade] = useState<ReadonlyArray<Account>>([]);
  const query = useQuery({
    queryKey: ["operator", "accounts", searched],
    queryFn: ({ signal }) => admin.accounts.page({ q: searched || undefined, limit: LISTED_MAX, signal }),
    retry: false
  });
  const changed = (): void => void cache.invalidateQueries({ queryKey: ["operator"] });
  const found = query.data?.data ?? [];
  const shown = [...made.filter(({ id }) => !found.some((each) => each.id === id)), ...found];
  return (
    <>
      <div class="two">
        <Create
          admin={admin}
          onMade={(account) => {
            setMade([account, ...made]);
            changed();
          }}
        />
        <form
          class="panel stack tight"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(search.trim());
          }}
        >
          <label class="stack tight">
            {words.operator.find}
            <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
          </label>
          <div>
            <button class="button" type="submit">
              {words.filters.search}
            </button>
          </div>
        </form>
      </div>
      {query.error === null ? null : <Problem error={query.error} retry={() => void query.refetch()} />}
      <ul class="stack tight">
        {shown.map((account) => (
          <AccountCard key={account.id} admin={admin} account={account} />
        ))}
      </ul>
    </>
  );
};
