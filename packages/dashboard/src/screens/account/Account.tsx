/** The account: limits, appearance, sessions and sign-out. Tests: browser.test.ts, members.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import { winnow, useAccount } from "../../data/client.ts";
import { AskButton } from "../../parts/Dialog.tsx";
import { ActButton } from "../../parts/Form.tsx";
import { Loading, Waiting } from "../../parts/Waiting.tsx";
import { accountWords } from "./words.ts";
import { tabWords } from "../../words/words.ts";
import { cache } from "../../data/cache.ts";
import { endSession } from "../../data/session.ts";
import { preventAutomaticSignIn, useSignInMethods } from "../../data/signIn.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { setShortcuts, shortcutsAreOn } from "../../parts/shortcuts.ts";
import { chooseTheme, storedTheme, THEMES, type Theme } from "../../parts/theme.ts";
import { dayTime, number, spokenClock } from "../../words/format.ts";
import { Sums } from "../../parts/Sums.tsx";
import { Members } from "./Members.tsx";

// Signed-in browsers, and signing out all of them.

/** Shortens user agents to the browser's name and the system. */
const browserName = (userAgent: string): string => {
  const name = /(?:Edg|OPR|Firefox|Chrome|Version)\/\d+/u.exec(userAgent)?.[0].replace("Version", "Safari");
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/u.exec(userAgent)?.[0];
  const parts = [name?.replace("/", " "), system].filter((part) => part !== undefined);
  return parts.length === 0 ? userAgent : parts.join(", ");
};

const Sessions = ({ onLeft }: { readonly onLeft: () => void }) => {
  const query = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => winnow.session.list({ signal })
  });
  return (
    <section class="stack tight" aria-label={accountWords.sessions}>
      <div class="row">
        <h2>{accountWords.sessions}</h2>
        <AskButton
          kind="button small end"
          action={accountWords.signOutAll}
          does={() => winnow.session.signOutEverywhere()}
          then={onLeft}
        >
          <p>{accountWords.signOutAllText}</p>
        </AskButton>
      </div>
      <Waiting query={query} lines={2}>
        {({ data }) => (
          <ul class="panel cards">
            {data.map(({ id, userAgent, createdAt, current }) => (
              <li key={id}>
                <div class="grow">
                  <strong>{userAgent === null ? accountWords.someBrowser : browserName(userAgent)}</strong>
                  <p class="hint">
                    {accountWords.signedInAt} {dayTime(createdAt)}
                    {current ? ` · ${accountWords.thisBrowser}` : ""}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Waiting>
    </section>
  );
};

const Facts = () => (
  <Panel title={accountWords.facts}>
    <Waiting query={useAccount()} lines={3}>
      {({ id, name, plan, limits }) => (
        <Sums
          rows={[
            [accountWords.name, name],
            [accountWords.id, id],
            [accountWords.plan, plan],
            [accountWords.runningMax, accountWords.upTo(number(limits.runningMax))],
            [accountWords.waitingMax, accountWords.upTo(number(limits.waitingMax))],
            [accountWords.maxDuration, accountWords.upTo(spokenClock(limits.maxDurationSec))],
            [accountWords.retention, accountWords.days(limits.retentionDays)]
          ]}
        />
      )}
    </Waiting>
  </Panel>
);

const Appearance = () => (
  <Panel title={accountWords.look}>
    <label class="stack tight">
      {accountWords.theme}
      <select onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
        {THEMES.map((each) => (
          <option key={each} value={each} selected={each === storedTheme()}>
            {accountWords.themes[each]}
          </option>
        ))}
      </select>
    </label>
    <label class="check">
      <input
        type="checkbox"
        defaultChecked={shortcutsAreOn()}
        onChange={(event) => setShortcuts(event.currentTarget.checked)}
      />
      {accountWords.shortcuts}
    </label>
  </Panel>
);

const leave = (): void => {
  endSession();
  cache.clear();
  sessionStorage.clear();
  preventAutomaticSignIn();
};

/** If the embedding application signs people in, it also shows who they are and signs them out. */
const Account = () => {
  const query = useSignInMethods();
  const isAnswered = [query, useAccount()].every(({ isFetched }) => isFetched);
  const methods = query.data;
  const isOurs = methods?.ownSignIn === false;
  if (!isAnswered)
    return (
      <>
        <PageHead title={tabWords.account} />
        <Loading />
      </>
    );
  return (
    <>
      <PageHead title={tabWords.account}>
        {isOurs ? (
          <ActButton does={() => winnow.session.signOut()} then={leave}>
            {accountWords.signOut}
          </ActButton>
        ) : null}
      </PageHead>
      <div class="two">
        <Facts />
        <Appearance />
      </div>
      {/* Loaded later than the rest: at the end they do not shift the layout. */}
      {isOurs ? <Sessions onLeft={leave} /> : null}
      {isOurs && methods.data.length > 0 ? <Members /> : null}
    </>
  );
};

export default Account;
