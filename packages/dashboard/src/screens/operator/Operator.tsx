/** The operator's view with the server's load: requires the admin token, independent of account sessions. Tests: browser.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import { askLoad, operatorOf, readiness, type Load } from "../../data/operator.ts";
import { number, size } from "../../words/format.ts";
import { accountWords } from "../account/words.ts";
import { words } from "../../words/words.ts";
import { operatorWords, reasonText } from "./words.ts";
import { Accounts, type OperatorProps } from "./Accounts.tsx";
import type { AdminClient } from "@winnow/client/admin";
import { useState } from "preact/hooks";
import { href, serverPath } from "../../data/addresses.ts";
import { Alone, useTitle } from "../../parts/Page.tsx";
import { Toasts } from "../../parts/Toasts.tsx";
import { Field, Form } from "../../parts/Form.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Sums } from "../../parts/Sums.tsx";

// The server's load, and the reasons of failed runs.

const POLL_MS = 10_000;

const ProgramsPanel = ({ programs: { current, probation, available, reads } }: Pick<Load, "programs">) =>
  current === null ? null : (
    <Panel title={`yt-dlp ${current}`}>
      {probation === null ? null : <p class="status">{operatorWords.onProbation(probation)}</p>}
      {available === null ? null : <p class="problem">{operatorWords.available(available)}</p>}
      <Sums
        rows={reads.map(({ version, host, read, failed }) => [
          (host === "other" ? operatorWords.otherHosts : host) + (version === current ? "" : ` (${version})`),
          operatorWords.reads(number(read), number(failed))
        ])}
      />
      <p class="hint">{operatorWords.ofProcess}</p>
    </Panel>
  );

const LoadPanel = ({ admin }: OperatorProps) => {
  const { data: load } = useQuery({
    queryKey: ["load"],
    queryFn: () => askLoad(admin),
    refetchInterval: POLL_MS
  });
  if (load == null) return null;
  return (
    <div class="two">
      <Panel title={operatorWords.load}>
        <Sums
          rows={[
            [operatorWords.running, number(load.running)],
            [operatorWords.waiting, number(load.waiting)],
            [operatorWords.oldest, operatorWords.seconds(Math.round(load.oldestWaitingSeconds))],
            [operatorWords.webhooks, number(load.webhooksPending)],
            [operatorWords.memory, size(load.memoryBytes)],
            ...load.disks.map(({ place, freeBytes }) => [operatorWords.disk(place), size(freeBytes)] as const)
          ]}
        />
      </Panel>
      <Panel title={operatorWords.failures}>
        {load.failures.length === 0 ? <p class="hint">{operatorWords.noFailures}</p> : null}
        <Sums rows={load.failures.map(({ reason, count }) => [reasonText(reason), number(count)])} />
        <a href={serverPath("docs/troubleshooting#reasons-of-failed-runs")}>{words.troubleshooting}</a>
      </Panel>
      <ProgramsPanel programs={load.programs} />
    </div>
  );
};

const OperatorSignIn = ({ onSignIn }: { readonly onSignIn: (admin: AdminClient) => void }) => {
  const [isWrong, setWrong] = useState(false);
  return (
    <Alone title={operatorWords.title}>
      <Form
        class="panel stack"
        onSubmit={async (valueOf) => {
          const admin = await operatorOf(valueOf("token"));
          if (admin === null) setWrong(true);
          else onSignIn(admin);
        }}
      >
        <Field
          label={operatorWords.token}
          name="token"
          type="password"
          required
          autocomplete="current-password"
          aria-describedby="token-hint"
          aria-invalid={isWrong ? true : undefined}
        />
        <p id="token-hint" class={isWrong ? "fault" : "hint"} role={isWrong ? "alert" : undefined}>
          {isWrong ? operatorWords.wrong : operatorWords.tokenHint}
        </p>
        <button class="button main" type="submit">
          {operatorWords.enter}
        </button>
      </Form>
      <p>
        <a href={href("")}>{operatorWords.back}</a>
      </p>
    </Alone>
  );
};

const Health = ({ admin }: OperatorProps) => {
  const { data: problem } = useQuery({
    queryKey: ["readiness"],
    queryFn: () => readiness(admin),
    refetchInterval: POLL_MS
  });
  if (problem === undefined) return <span class="skeleton" />;
  return problem === null ? (
    <p class="status done">{operatorWords.ready}</p>
  ) : (
    <p class="problem">{problem}</p>
  );
};

const Operator = () => {
  const [admin, setAdmin] = useState<AdminClient | null>(null);
  useTitle(operatorWords.title);
  if (admin === null) return <OperatorSignIn onSignIn={setAdmin} />;
  return (
    <>
      <header class="top">
        <a class="brand" href={href("")}>
          <img src={href("icon.svg")} alt="" width="26" height="26" />
          Winnow
        </a>
        <span class="balance">
          <Health admin={admin} />
        </span>
        <button class="button" type="button" onClick={() => setAdmin(null)}>
          {accountWords.signOut}
        </button>
      </header>
      <main id="main" class="operator">
        <h1>{operatorWords.title}</h1>
        <LoadPanel admin={admin} />
        <Accounts admin={admin} />
      </main>
      <p id="announcer" class="sr" role="status" />
      <Toasts />
    </>
  );
};

export default Operator;
