/** The frame of all pages at /docs: the head, the way to every page, the search. They need no script. */
import { ICON_LINK, MARK, STYLE_ELEMENT } from "./docsStyle.ts";
import type { GuideLink } from "./guidePage.ts";
import { html, type Html } from "./Html.ts";
import { ERRORS, TYPES, type Group } from "./groups.ts";

/** What the pages of one server have in common. */
export interface Site {
  /** The server's base path, with a trailing slash. */
  readonly home: string;
  readonly guides: ReadonlyArray<GuideLink>;
  readonly groups: ReadonlyArray<Group>;
}

/** The script comes first, for the theme. */
const head = (title: string, home: string): Html =>
  html`<head>
    <meta charset="utf-8" />
    <script src="${home}docs/docs.js"></script>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <meta name="description" content="${title}: documentation of this Winnow server." />
    ${ICON_LINK} ${STYLE_ELEMENT}
  </head>`;

/** The name of the product, the search box, and in small windows the button that shows the contents. */
const top = (home: string, query: string): Html =>
  html`<header class="top">
    <a class="brand" href="${home}docs">${MARK} Winnow</a>
    <button class="button contents" type="button" popovertarget="contents">Contents</button>
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
    </form>
  </header>`;

const link = (href: string, text: string, isCurrent: boolean): Html =>
  html`<a href="${href}" ${isCurrent ? html`aria-current="page"` : null}>${text}</a>`;

const operations = ({ endpoints }: Group): Html =>
  html`<ul class="operations">
    ${endpoints.map(
      ({ method, operation }) =>
        html`<li>
          <a href="#${operation.operationId}"
            ><span class="method ${method.toLowerCase()}">${method}</span> ${operation.summary}</a
          >
        </li>`
    )}
  </ul>`;

/** In the reference, the guides are folded, so that the operations of its page are in sight. */
const contents = ({ home, guides, groups }: Site, at: string | null): Html => {
  const isReference = at?.startsWith("api/") === true;
  const pageOf = (name: string, title: string): Html =>
    link(`${home}docs/api/${name}`, title, at === `api/${name}`);
  return html`<nav id="contents" popover aria-label="Documentation">
    <details ${isReference ? null : html`open`}>
      <summary>Guides</summary>
      <ul>
        ${guides.map(({ name, title }) => html`<li>${link(`${home}docs/${name}`, title, name === at)}</li>`)}
      </ul>
    </details>
    <h2>API reference</h2>
    <ul>
      ${groups.map(
        (group) =>
          html`<li>
            ${pageOf(group.name, group.title)} ${at === `api/${group.name}` ? operations(group) : null}
          </li>`
      )}
      <li>${pageOf(TYPES, "Types")}</li>
      <li>${pageOf(ERRORS, "Errors")}</li>
      <li>${link(`${home}v1/openapi.json`, "openapi.json", false)}</li>
    </ul>
  </nav>`;
};

export interface PageContent {
  readonly title: string;
  readonly content: Html;
  /** Path of the page below docs/; null for the home page and a search. */
  readonly at: string | null;
  readonly query?: string;
}

export const page = ({ title, content, at, query = "" }: PageContent, site: Site): string =>
  html`<!doctype html>
    <html lang="en">
      ${head(title, site.home)}
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <div class="side">${top(site.home, query)} ${contents(site, at)}</div>
        <main id="content">${content}</main>
      </body>
    </html>`.markup;
