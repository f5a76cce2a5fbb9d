/** The account: limits, appearance, language and sign-out. */
import { useState } from "preact/hooks";
import { useAccount, winnow } from "../../data/client.ts";
import { cache } from "../../data/cache.ts";
import { endSession } from "../../data/session.ts";
import { preventAutomaticSignIn, useSignInMethods } from "../../data/signIn.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { setShortcuts, shortcutsAreOn } from "../../parts/shortcuts.ts";
import { chooseTheme, storedTheme, THEMES, type Theme } from "../../parts/theme.ts";
import { Waiting } from "../../parts/Waiting.tsx";
import { clock, number } from "../../words/format.ts";
import { language, LANGUAGES, speak, words } from "../../words/words.ts";
import { href, SERVER } from "../../data/addresses.ts";
import { Code } from "../../parts/Copy.tsx";
import { Members } from "./Members.tsx";
import { Sessions } from "./Sessions.tsx";

/** The entry for a program's list of MCP servers, to copy. */
const entry = (url: string): string =>
  JSON.stringify(
    { mcpServers: { winnow: { type: "http", url, headers: { Authorization: "Bearer YOUR_API_KEY" } } } },
    null,
    2
  );

const McpSetup = () => (
  <section class="panel stack tight" aria-label={words.account.mcp}>
    <h2>{words.account.mcp}</h2>
    <p class="hint">
      {words.account.mcpText} <a href={href("keys")}>{words.nav.keys}</a>
    </p>
    <Code code={entry(new URL("mcp", SERVER).href)} label={words.account.mcp} />
  </section>
);

const Facts = () => {
  const query = useAccount();
  return (
    <section class="panel stack tight" aria-label={words.account.facts}>
      <h2>{words.account.facts}</h2>
      <Waiting query={query} lines={3}>
        {({ id, name, plan, limits }) => (
          <dl class="sums">
            {[
              [words.account.name, name],
              [words.account.id, id],
              [words.account.plan, plan],
              [words.account.runningMax, number(limits.runningMax)],
              [words.account.waitingMax, number(limits.waitingMax)],
              [words.account.maxDuration, clock(limits.maxDurationSec)],
              [words.account.retention, words.account.days(limits.retentionDays)]
            ].map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Waiting>
    </section>
  );
};

const Appearance = () => {
  const [theme, setTheme] = useState<Theme>(storedTheme());
  const [isOn, setOn] = useState(shortcutsAreOn());
  return (
    <section class="panel stack" aria-label={words.account.look}>
      <h2>{words.account.look}</h2>
      <label class="stack tight">
        {words.account.theme}
        <select
          value={theme}
          onChange={(event) => {
            const chosen = event.currentTarget.value as Theme;
            chooseTheme(chosen);
            setTheme(chosen);
          }}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {words.account.themes[each]}
            </option>
          ))}
        </select>
      </label>
      <label class="stack tight">
        {words.account.language}
        <select value={language} onChange={(event) => speak(event.currentTarget.value)}>
          {Object.entries(LANGUAGES).map(([code, { name }]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setShortcuts(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
        {words.account.shortcuts}
      </label>
    </section>
  );
};

const leave = (): void => {
  endSession();
  cache.clear();
  sessionStorage.clear();
  preventAutomaticSignIn();
};

const SignOut = () => {
  const { act, isBusy, error } = useAct();
  return (
    <>
      <button
        class="button"
        type="button"
        disabled={isBusy}
        onClick={() => void act(() => winnow.session.signOut(), leave)}
      >
        {words.account.signOut}
      </button>
      {error === null ? null : <Problem error={error} />}
    </>
  );
};

/** If the embedding application signs people in, it also shows who they are and signs them out. */
const Account = () => {
  const { data: methods } = useSignInMethods();
  const isOurs = methods?.ownSignIn === false;
  return (
    <>
      <PageHead title={words.nav.account}>{isOurs ? <SignOut /> : null}</PageHead>
      <div class="two">
        <Facts />
        <Appearance />
      </div>
      <McpSetup />
      {/* Loaded later than the rest: at the end they do not shift the layout. */}
      {isOurs ? <Sessions onLeft={leave} /> : null}
      {isOurs && methods.data.length > 0 ? <Members /> : null}
    </>
  );
};

export default Account;
