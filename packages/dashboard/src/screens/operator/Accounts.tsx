/** Accounts: create, find, top up, and send sign-in links. */
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { ApiError } from "@winnow/client";
import { cache } from "../../data/cache.ts";
import { accountPath, type OperatorAccount, type OperatorCall } from "../../data/operator.ts";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { words } from "../../words/words.ts";
import { AccountCard } from "./AccountCard.tsx";

export interface AccountsProps {
  readonly ask: OperatorCall;
}

const LISTED_MAX = "50";

/** Null if the server cannot list accounts: they are then looked up by id. */
const list = async (ask: OperatorCall, q: string): Promise<ReadonlyArray<OperatorAccount> | null> => {
  try {
    const { data } = await ask<{ readonly data: ReadonlyArray<OperatorAccount> }>("GET", "/accounts", {
      query: { q, limit: LISTED_MAX }
    });
    return data;
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 405].includes(error.status)) throw error;
    return q === "" ? null : [await ask<OperatorAccount>("GET", accountPath(q))];
  }
};

const Create = ({ ask, onMade }: AccountsProps & { readonly onMade: (account: OperatorAccount) => void }) => {
  const [name, setName] = useState("");
  const { act, isBusy, error } = useAct();
  const create = (): void =>
    void act(
      () => ask<OperatorAccount>("POST", "/accounts", { body: { name: name.trim() } }),
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

export const Accounts = ({ ask }: AccountsProps) => {
  const [search, setSearch] = useState("");
  const [searched, setAsked] = useState("");
  const [made, setMade] = useState<ReadonlyArray<OperatorAccount>>([]);
  const query = useQuery({
    queryKey: ["operator", "accounts", searched],
    queryFn: () => list(ask, searched),
    retry: false
  });
  const changed = (): void => void cache.invalidateQueries({ queryKey: ["operator"] });
  const found = query.data ?? [];
  const shown = [...made.filter(({ id }) => !found.some((each) => each.id === id)), ...found];
  return (
    <>
      <div class="two">
        <Create
          ask={ask}
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
      {query.data === null && shown.length === 0 ? <p class="hint">{words.operator.byId}</p> : null}
      <ul class="stack tight">
        {shown.map((account) => (
          <AccountCard key={account.id} ask={ask} account={account} />
        ))}
      </ul>
    </>
  );
};
