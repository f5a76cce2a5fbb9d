/**
 * The /sign-in page in a browser: the available methods, or why signing in failed and what to do. No scripts and no
 * untrusted text. Pure.
 */
import { DOCS_POLICY, STYLE_ELEMENT } from "../docs/DocsPage.ts";
import { html } from "../docs/Html.ts";
import { publicPath } from "./PublicUrl.ts";

export interface SignInPage {
  readonly title: string;
  readonly text: string;
  /** In the order of the buttons; each links to `sign-in/NAME`. */
  readonly methods: ReadonlyArray<{ readonly name: string; readonly label: string }>;
  /** Where to redirect afterwards; null for the home page. */
  readonly to: string | null;
}

/** In addition to those of our other pages, because this URL may contain a token. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": DOCS_POLICY,
  "x-content-type-options": "nosniff"
};

const methodPath = (home: string, name: string, to: string | null): string =>
  `${home}sign-in/${name}${to === null ? "" : `?to=${encodeURIComponent(to)}`}`;

export const signInPage = ({ title, text, methods, to }: SignInPage, publicUrl: string): string => {
  const home = publicPath(publicUrl);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Winnow</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body class="alone">
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
          ${methods.map(
            ({ name, label }) =>
              html`<p><a class="button" href="${methodPath(home, name, to)}">Sign in with ${label}</a></p>`
          )}
          <p><a href="${home}">Go to Winnow</a></p>
        </main>
      </body>
    </html>`.markup;
};
