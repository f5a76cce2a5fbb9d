/**
 * The app: signed-in users see the frame with the current screen; the operator has a separate sign-in.
 * Tests: states.test.ts, browser.test.ts.
 */
import { isFree } from "../../data/free.ts";
import type { ComponentChildren, ComponentType } from "preact";
import { Route, Router, useLocation } from "preact-iso";
import { href, serverPath } from "../../data/addresses.ts";
import { later } from "../../parts/later.tsx";
import { navWords, tabWords, words } from "../../words/words.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Extractions } from "../extractions/Extractions.tsx";
import { SignedOut } from "../signed-out/SignedOut.tsx";
import { Help } from "./Help.tsx";
import { Palette } from "./Palette.tsx";
import { SessionEnded } from "./SessionEnded.tsx";
import { returnToVisit, screenIsShown } from "./visits.ts";
import type { AccountOverview } from "@winnow/client";
import { useErrorBoundary, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/Icon.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Toasts, undoLast } from "../../parts/Toasts.tsx";
import { number } from "../../words/format.ts";
import { useAccount } from "../../data/client.ts";
import { useSession } from "../../data/session.ts";
import { takeWantedScreen } from "../../data/signIn.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { addressOf, sectionOf, SECTIONS } from "./sections.ts";

// The screen of each URL. All except the list are loaded on demand.

/** By the parameter of their path. */
type Screen = ComponentType<{ readonly id?: string }>;

const SCREENS: ReadonlyArray<readonly [string, Screen]> = [
  ["", Extractions],
  ["new", later(() => import("../new/New.tsx"))],
  ["example", later(() => import("../extractions/Example.tsx"))],
  ["runs/:id", later(() => import("../run/Run.tsx"))],
  ["batches/:id", later(() => import("../batches/Batch.tsx"))],
  ["results", later(() => import("../results/Results.tsx"))],
  ["schemas", later(() => import("../schemas/Schemas.tsx"))],
  ["schemas/:id", later(() => import("../schemas/Schema.tsx"))],
  ["developers/keys", later(() => import("../developers/ApiKeys.tsx"))],
  ["developers/webhooks", later(() => import("../developers/Webhooks.tsx"))],
  ["developers/mcp", later(() => import("../developers/Mcp.tsx"))],
  ["settings/usage", later(() => import("../billing/Billing.tsx"))],
  ["settings/account", later(() => import("../account/Account.tsx"))]
];

const Operator = later(() => import("../operator/Operator.tsx"));

const Unknown = () => (
  <>
    <PageHead title={words.unknown.title} />
    <p>
      {words.unknown.text} <a href={href("")}>{navWords.extractions}</a>
    </p>
  </>
);

/** A screen that fails while it is drawn is an error message, until another one is opened. */
const Guarded = ({ children }: { readonly children: ComponentChildren }) => {
  const { url } = useLocation();
  const [error, again] = useErrorBoundary();
  useLayoutEffect(again, [url]);
  return error === undefined ? <>{children}</> : <Problem error={error} retry={again} />;
};

const Screens = () => (
  <Router>
    {SCREENS.map(([path, component]) => (
      <Route key={path} path={href(path)} component={component} />
    ))}
    <Route default component={Unknown} />
  </Router>
);

const OperatorScreens = () => <Router>{[<Route key="operator" default component={Operator} />]}</Router>;

// The frame around every screen: navigation, the balance, and focus management.

const Navigation = ({ path }: { readonly path: string }) => (
  <nav id="navigation" aria-label={navWords.label} popover="auto">
    <ul>
      {SECTIONS.map(([section, icon, [first]]) => (
        <li key={section}>
          <a
            href={addressOf(section, first)}
            aria-current={sectionOf(path)[0] === section ? "page" : undefined}
          >
            <Icon name={icon} />
            {navWords[section]}
          </a>
        </li>
      ))}
      <li>
        <a href={serverPath("docs")}>
          <Icon name="webpage" />
          {navWords.docs}
        </a>
      </li>
    </ul>
  </nav>
);

/** The screens of one entry, above the one that is shown. */
const Tabs = ({ path }: { readonly path: string }) => {
  const [section, , tabs] = sectionOf(path);
  return tabs.length === 0 ? null : (
    <nav class="tabs" aria-label={navWords[section]}>
      {tabs.map((tab) => (
        <a
          key={tab}
          href={addressOf(section, tab)}
          aria-current={path.replace(/\/$/u, "") === addressOf(section, tab) ? "page" : undefined}
        >
          {tabWords[tab]}
        </a>
      ))}
    </nav>
  );
};

const Balance = ({ account }: { readonly account: AccountOverview | undefined }) => (
  <a class="balance" href={href("settings/usage")}>
    {account === undefined ? (
      <>
        <span class="skeleton" aria-hidden="true" />
        <span class="sr">{tabWords.usage}</span>
      </>
    ) : (
      <>
        <strong>{number(account.balance)}</strong> {words.creditsUnit(account.balance)}
      </>
    )}
  </a>
);

/**
 * A new screen has the focus and begins at its top; on the way back to one, it is where it was left. A filter is not
 * a new screen.
 */
const useFocus = (path: string, isReturn: boolean) => {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    document.getElementById("navigation")?.hidePopover();
    screenIsShown();
    const wasFirst = isFirst.current;
    isFirst.current = false;
    if (wasFirst || (isReturn && returnToVisit())) return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return main;
};

interface FrameProps {
  readonly account: AccountOverview | undefined;
  readonly isEnded: boolean;
}

const Frame = ({ account, isEnded }: FrameProps) => {
  const { path, route, wasPush } = useLocation() as ReturnType<typeof useLocation> & {
    readonly wasPush: boolean;
  };
  const main = useFocus(path, !wasPush);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  useLayoutEffect(() => {
    const wanted = takeWantedScreen();
    if (wanted !== null) route(wanted, true);
  }, []);
  useShortcuts({
    "?": () => setHelpOpen(true),
    "Control+k": () => setPaletteOpen(true),
    n: () => route(href("new")),
    g: () => route(href("")),
    z: undoLast
  });
  return (
    <>
      <a class="skip sr button" href="#main">
        {words.skip}
      </a>
      <header class="top">
        <button class="button icon-only menu" type="button" popovertarget="navigation">
          <Icon name="menu" />
          <span class="sr">{navWords.menu}</span>
        </button>
        <a class="brand" href={href("")}>
          <img src={href("icon.svg")} alt="" width="26" height="26" />
          Winnow
        </a>
        {isFree ? null : <Balance account={account} />}
        <a class="button main" href={href("new")}>
          <Icon name="plus" />
          <span>{navWords.new}</span>
        </a>
      </header>
      <div class="frame">
        <div class="side">
          <Navigation path={path} />
          <button class="button small quiet keys-hint" type="button" onClick={() => setHelpOpen(true)}>
            <kbd>?</kbd> {words.keysHint}
          </button>
        </div>
        <main ref={main} id="main" tabIndex={-1}>
          <Tabs path={path} />
          <Guarded>
            <Screens />
          </Guarded>
        </main>
      </div>
      <p id="announcer" class="sr" role="status" />
      <Toasts />
      {isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}
      {isPaletteOpen ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
      {isEnded ? <SessionEnded /> : null}
    </>
  );
};

const SignedIn = () => {
  const session = useSession();
  const { data: account, error, refetch } = useAccount();
  if (session === "none") return <SignedOut />;
  if (account === undefined && error !== null) {
    return (
      <main class="alone" id="main">
        <h1>Winnow</h1>
        <Problem error={error} retry={() => void refetch()} />
      </main>
    );
  }
  return <Frame account={account} isEnded={session === "ended"} />;
};

export const App = () => {
  const { path } = useLocation();
  return path.startsWith(href("operator")) ? <OperatorScreens /> : <SignedIn />;
};
