/** The pages at /docs/NAME: one guide, or the answers of a search. They need no script. */
import { ICON_LINK, MARK, STYLE_ELEMENT } from "./docsStyle.ts";
import { html, type Html } from "./Html.ts";

export interface GuideLink {
  /** Path below docs/, without `.md`. */
  readonly name: string;
  readonly title: string;
}

/** One answer of a search. `href` is below the server's base path. */
export interface Finding {
  readonly title: string;
  readonly href: string;
  readonly excerpt: string;
}

/** The head of all pages at /docs. The script comes first, for the theme. */
export const pageHead = (title: string, home: string): Html =>
  html`<head>
    <meta charset="utf-8" />
    <script src="${home}docs/docs.js"></script>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <meta name="description" content="${title}: documentation of this Winnow server." />
    ${ICON_LINK} ${STYLE_ELEMENT}
  </head>`;

/** The name of the product and the search box. `home` is the server's base path, with a trailing slash. */
export const docsHead = (home: string, query: string): Html =>
  html`<a class="brand" href="${home}docs">${MARK} Winnow</a>
    <form class="search" role="search" action="${home}docs/search">
      <input
        type="search"
        name="q"
        value="${query}"
        aria-label="Search the documentation"
        placeholder="Search"
        accesskey="/"
        maxlength="200"
        required
      />
      <button class="button">Search</button>
    </form>`;

export const guidesView = (guides: ReadonlyArray<GuideLink>, home: string, current: string | null): Html =>
  html`<h2>Guides</h2>
    <ul>
      ${guides.map(
        ({ name, title }) =>
          html`<li>
            <a href="${home}docs/${name}" ${name === current ? html`aria-current="page"` : null}>${title}</a>
          </li>`
      )}
    </ul>`;

interface Page {
  readonly title: string;
  readonly content: Html;
  /** Of the guide; null for a search. */
  readonly name: string | null;
  readonly query: string;
}

export const guidePage = (
  { title, content, name, query }: Page,
  guides: ReadonlyArray<GuideLink>,
  home: string
): string =>
  html`<!doctype html>
    <html lang="en">
      ${pageHead(`${title} · Winnow`, home)}
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <nav aria-label="Documentation">
          ${docsHead(home, query)} ${guidesView(guides, home, name)}
          <h2>Reference</h2>
          <ul>
            <li><a href="${home}docs">API reference</a></li>
          </ul>
        </nav>
        <main id="content"><div class="guide">${content}</div></main>
      </body>
    </html>`.markup;

export const findingsView = (query: string, findings: ReadonlyArray<Finding>, home: string): Html =>
  html`<h1>Search</h1>
    <p>
      ${
        findings.length === 0
          ? `Nothing has all the words of “${query}”; try fewer words.`
          : `${findings.length} of the best places for “${query}”.`
      }
    </p>
    ${findings.map(
      ({ title, href, excerpt }) =>
        html`<h2><a href="${home}${href}">${title}</a></h2>
          <p>${excerpt}</p>`
    )}`;
