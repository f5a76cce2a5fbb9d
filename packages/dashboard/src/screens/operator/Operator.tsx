/** The operator's view: requires the admin token, independent of account sessions. */
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { href } from "../../base.ts";
import { checkToken, operatorCall, readiness } from "../../data/operator.ts";
import { useTitle } from "../../parts/Page.tsx";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { Toasts } from "../../parts/Toasts.tsx";
import { words } from "../../words/words.ts";
import { LoadPanel } from "./LoadPanel.tsx";
import { Accounts } from "./Accounts.tsx";

const POLL_MS = 10_000;

const OperatorSignIn = ({ onToken }: { readonly onToken: (token: string) => void }) => {
  const [token, setToken] = useState("");
  const [isWrong, setWrong] = useState(false);
  const { act, isBusy, error } = useAct();
  const enter = (): void =>
    void act(
      () => checkToken(token.trim()),
      (isRight) => {
        setWrong(!isRight);
        if (isRight) onToken(token.trim());
      }
    );
  return (
    <main class="alone stack" id="main">
      <img src={href("icon.svg")} alt="" width="56" height="56" />
      <h1>{words.operator.title}</h1>
      <form
        class="panel stack"
        onSubmit={(event) => {
          event.preventDefault();
          enter();
        }}
      >
        <label class="stack tight">
          {words.operator.token}
          <input
            type="password"
            required
            autocomplete="current-password"
            value={token}
            aria-describedby="token-hint"
            aria-invalid={isWrong ? true : undefined}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <p id="token-hint" class={isWrong ? "fault" : "hint"} role={isWrong ? "alert" : undefined}>
          {isWrong ? words.operator.wrong : words.operator.tokenHint}
        </p>
        {error === null ? null : <Problem error={error} />}
        <button class="button main" type="submit" disabled={isBusy}>
          {words.operator.enter}
        </button>
      </form>
      <p>
        <a href={href("")}>{words.operator.back}</a>
      </p>
    </main>
  );
};

const Health = () => {
  const { data } = useQuery({ queryKey: ["readiness"], queryFn: readiness, refetchInterval: POLL_MS });
  if (data === undefined) return <span class="skeleton" />;
  return data.isReady ? (
    <p class="status done">{words.operator.ready}</p>
  ) : (
    <p class="problem">{data.message ?? words.operator.notReady}</p>
  );
};

const Operator = () => {
  const [token, setToken] = useState<string | null>(null);
  useTitle(words.operator.title);
  if (token === null) return <OperatorSignIn onToken={setToken} />;
  return (
    <>
      <header class="top">
        <a class="brand" href={href("")}>
          <img src={href("icon.svg")} alt="" width="26" height="26" />
          Winnow
        </a>
        <span class="balance">
          <Health />
        </span>
        <button class="button" type="button" onClick={() => setToken(null)}>
          {words.account.signOut}
        </button>
      </header>
      <main id="main" class="operator">
        <h1>{words.operator.title}</h1>
        <LoadPanel />
        <Accounts ask={operatorCall(token)} />
      </main>
      <p id="announcer" class="sr" role="status" />
      <Toasts />
    </>
  );
};

export default Operator;
