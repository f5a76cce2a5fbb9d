/** The frame around every screen: navigation, the balance, and focus management. */
import type { AccountOverview } from "@winnow/client";
import { useLocation } from "preact-iso";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { Icon, type IconName } from "../../parts/Icon.tsx";
import { later } from "../../parts/later.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Toasts, undoLast } from "../../parts/Toasts.tsx";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { Screens } from "./screens.tsx";

const Help = later(async () => (await import("./Help.tsx")).Help);
const SessionEnded = later(async () => (await import("./SessionEnded.tsx")).SessionEnded);

type Section = "extractions" | "schemas" | "webhooks" | "keys" | "billing" | "account";

const SECTIONS: ReadonlyArray<readonly [Section, string, IconName]> = [
  ["extractions", "", "list"],
  ["schemas", "schemas", "schema"],
  ["webhooks", "webhooks", "webhook"],
  ["keys", "keys", "key"],
  ["billing", "billing", "money"],
  ["account", "account", "person"]
];

/** The navigation entry of a screen: a run belongs to the extractions, a delivery to the webhooks. */
const screenOf = (path: string): string => {
  const [first = ""] = path.slice(href("").length).split("/");
  return { runs: "", deliveries: "webhooks" }[first] ?? first;
};

const Navigation = ({ path }: { readonly path: string }) => (
  <nav id="navigation" aria-label={words.nav.label} popover="auto">
    <ul>
      {SECTIONS.map(([section, screen, icon]) => (
        <li key={section}>
          <a href={href(screen)} aria-current={screenOf(path) === screen ? "page" : undefined}>
            <Icon name={icon} />
            {words.nav[section]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Balance = ({ account }: { readonly account: AccountOverview | undefined }) => (
  <a class="balance" href={href("billing")}>
    {account === undefined ? (
      <>
        <span class="skeleton" aria-hidden="true" />
        <span class="sr">{words.nav.billing}</span>
      </>
    ) : (
      <>
        <strong>{number(account.balance)}</strong> {words.creditsUnit(account.balance)}
      </>
    )}
  </a>
);

/** Loaded beside the first screen, which does not wait for it. */
let visits: typeof import("./visits.ts") | null = null;
const loadVisits = async (): Promise<void> => {
  visits ??= await import("./visits.ts");
};

/**
 * A new screen has the focus and begins at its top; on the way back to one, it is where it was left. A filter is not
 * a new screen.
 */
const useFocus = (path: string, isReturn: boolean) => {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    document.getElementById("navigation")?.hidePopover();
    if (isFirst.current) {
      isFirst.current = false;
      // Without it, screens begin at their top.
      loadVisits().catch(() => undefined);
      return;
    }
    if (isReturn && visits?.returnToVisit() === true) return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return main;
};

export interface FrameProps {
  readonly account: AccountOverview | undefined;
  readonly isEnded: boolean;
}

export const Frame = ({ account, isEnded }: FrameProps) => {
  const { path, route, wasPush } = useLocation() as ReturnType<typeof useLocation> & {
    readonly wasPush: boolean;
  };
  const main = useFocus(path, !wasPush);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts({
    "?": () => setHelpOpen(true),
    n: () => route(href("new")),
    g: () => route(href("")),
    z: undoLast
  });
  return (
    <>
      <a class="skip button" href="#main">
        {words.skip}
      </a>
      <header class="top">
        <button class="button icon-only menu" type="button" popovertarget="navigation">
          <Icon name="menu" />
          <span class="sr">{words.nav.menu}</span>
        </button>
        <a class="brand" href={href("")}>
          <img src={href("icon.svg")} alt="" width="26" height="26" />
          Winnow
        </a>
        <Balance account={account} />
        <a class="button main" href={href("new")}>
          <Icon name="plus" />
          <span>{words.nav.new}</span>
        </a>
      </header>
      <div class="frame">
        <div class="side">
          <Navigation path={path} />
          <button class="keys-hint" type="button" onClick={() => setHelpOpen(true)}>
            <kbd>?</kbd> {words.keysHint}
          </button>
        </div>
        <main ref={main} id="main" tabIndex={-1}>
          <Screens />
        </main>
      </div>
      <p id="announcer" class="sr" role="status" />
      <Toasts />
      {isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}
      {isEnded ? <SessionEnded /> : null}
    </>
  );
};
