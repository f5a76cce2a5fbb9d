/**
 * What stands around every screen: its title, also in the window, and its actions; or, before signing in, a page alone.
 * Tests: runActions.test.ts.
 */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { href, serverPath } from "../data/addresses.ts";
import { words } from "../words/words.ts";

export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – Winnow`;
  }, [title]);
};

interface PageHeadProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  /** The page of the docs about this screen, such as `webhooks`. */
  readonly guide?: string | undefined;
  /** Buttons and links. */
  readonly children?: ComponentChildren;
}

export const PageHead = ({ title, hint, guide, children }: PageHeadProps) => {
  useTitle(title);
  return (
    <div class="page-head">
      <div class="page-title">
        {/* A text of the other direction would be one that moved. */}
        <h1 key={title} dir="auto" title={title}>
          {title}
        </h1>
        {hint === undefined && guide === undefined ? null : (
          <p class="hint">
            {hint} {guide === undefined ? null : <a href={serverPath(`docs/${guide}`)}>{words.guide}</a>}
          </p>
        )}
      </div>
      {children === undefined ? null : <div class="row">{children}</div>}
    </div>
  );
};

/** A page without the app around it, which looks like those of the server's own sign-in (`signInPage.ts`). */
export const Alone = ({
  title,
  children
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => {
  useTitle(title);
  return (
    <main class="alone stack" id="main">
      <p class="brand">
        <img src={href("icon.svg")} alt="" width="32" height="32" />
        Winnow
      </p>
      <h1>{title}</h1>
      {children}
    </main>
  );
};
