/**
 * The pages of /sign-in in a browser: the available methods, a choice between accounts, or why signing in failed and
 * what to do. No scripts and no untrusted markup. Pure.
 */
import { DOCS_POLICY, STYLE_ELEMENT } from "../docs/DocsPage.ts";
import { html, type Html } from "../docs/Html.ts";
import { publicPath } from "../../http/PublicUrl.ts";

export interface SignInPage {
  readonly title: string;
  readonly text: string;
  /** In the order of the buttons; each links to `sign-in/NAME`. */
  readonly methods: ReadonlyArray<{ readonly name: string; readonly label: string }>;
  /** Where to redirect afterwards; null for the home page. */
  readonly to: string | null;
}

/** A button that posts the fields; the first of a group with a name is a main one. */
export interface PageButton {
  readonly label: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface ChoicePage {
  readonly title: string;
  readonly paragraphs: ReadonlyArray<string>;
  /** Path below the public URL that the buttons post to. */
  readonly action: string;
  readonly groups: ReadonlyArray<{
    readonly name: string | null;
    readonly hint: string | null;
    readonly buttons: ReadonlyArray<PageButton>;
  }>;
  /** Text of the link to the home page. */
  readonly leave: string;
}

/** In addition to those of our other pages, because this URL may contain a token. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": DOCS_POLICY,
  "x-content-type-options": "nosniff"
};

/** With `no-referrer`, a form would not name its origin. This policy names it, but never the rest of the URL. */
export const FORM_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  "referrer-policy": "strict-origin",
  "content-security-policy": DOCS_POLICY.replace("form-action 'none'", "form-action 'self'")
};

const methodPath = (home: string, name: string, to: string | null): string =>
  `${home}sign-in/${name}${to === null ? "" : `?to=${encodeURIComponent(to)}`}`;

const pageOf = (title: string, content: Html): string =>
  html`<!doctype html>
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
          ${content}
        </main>
      </body>
    </html>`.markup;

export const signInPage = ({ title, text, methods, to }: SignInPage, publicUrl: string): string => {
  const home = publicPath(publicUrl);
  return pageOf(
    title,
    html`<p>${text}</p>
      ${methods.map(
        ({ name, label }) =>
          html`<p><a class="button" href="${methodPath(home, name, to)}">Sign in with ${label}</a></p>`
      )}
      <p><a href="${home}">Go to Winnow</a></p>`
  );
};

const button = ({ label, fields }: PageButton, action: string, isMain: boolean): Html =>
  html`<form method="post" action="${action}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`
    )}
    <button class="button ${isMain ? "main" : ""}">${label}</button>
  </form>`;

export const choicePage = (
  { title, paragraphs, action, groups, leave }: ChoicePage,
  publicUrl: string
): string => {
  const home = publicPath(publicUrl);
  const target = `${home}${action}`;
  return pageOf(
    title,
    html`${paragraphs.map((text) => html`<p>${text}</p>`)}
      ${groups.map(
        ({ name, hint, buttons }) =>
          html`<div class="choice">
            ${name === null ? null : html`<h2>${name}</h2>`} ${hint === null ? null : html`<p>${hint}</p>`}
            <div class="row">
              ${buttons.map((each, index) => button(each, target, name !== null && index === 0))}
            </div>
          </div>`
      )}
      <p><a href="${home}">${leave}</a></p>`
  );
};
