/** An account with the operator's actions. */
import type { Account, SignInLink } from "@winnow/client/admin";
import { useState } from "preact/hooks";
import { Code } from "../../parts/Copy.tsx";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { note } from "../../parts/Toasts.tsx";
import { fullDate, number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import type { OperatorProps } from "./Accounts.tsx";

interface TopUpProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onTopUp: (credits: number) => void;
}

const TopUp = ({ name, isBusy, onTopUp }: TopUpProps) => {
  const [credits, setCredits] = useState("");
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
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
        aria-label={words.operator.creditsFor(name)}
        placeholder={words.billing.credits}
        value={credits}
        onInput={(event) => setCredits(event.currentTarget.value)}
      />
      <button class="button" type="submit" disabled={isBusy}>
        {words.operator.topUp}
      </button>
    </form>
  );
};

export const AccountCard = ({ admin, account }: OperatorProps & { readonly account: Account }) => {
  const [balance, setBalance] = useState(account.balance);
  const [link, setLink] = useState<SignInLink | null>(null);
  const { act, isBusy, error } = useAct();
  const signOutAll = (): void =>
    void act(
      () => admin.accounts.signOutEverywhere(account.id),
      () => note(words.operator.signedOut)
    );
  const topUp = (credits: number): void =>
    void act(
      () => admin.topUps.create(account.id, { credits }),
      (after) => {
        setBalance(after.balance);
        note(words.operator.toppedUp(number(after.balance)));
      }
    );
  return (
    <li class="panel stack tight">
      <div class="row">
        <h2 dir="auto">{account.name}</h2>
        <code class="hint">{account.id}</code>
        <span class="hint">
          {words.operator.plan} <strong>{account.plan}</strong>
        </span>
        <p class="end">
          <strong>{number(balance)}</strong> {words.creditsUnit(balance)}
        </p>
      </div>
      <div class="row">
        <TopUp name={account.name} isBusy={isBusy} onTopUp={topUp} />
        <button
          class="button"
          type="button"
          disabled={isBusy}
          onClick={() => void act(() => admin.signInLinks.create(account.id), setLink)}
        >
          {words.operator.signInLink}
        </button>
        <button class="button" type="button" disabled={isBusy} onClick={signOutAll}>
          {words.operator.signOutAll}
        </button>
      </div>
      {link === null ? null : (
        <>
          <Code code={link.url} label={words.operator.signInLink} />
          <p class="hint">{words.operator.linkUntil(fullDate(link.expiresAt))}</p>
        </>
      )}
      {error === null ? null : <Problem error={error} />}
    </li>
  );
};
