/** The pages at /docs/NAME: a guide or the answers of a search, beside the way to all guides. They need no script. */
import { createHash } from "node:crypto";
import { ICON_LINK, MARK, PAGE_POLICY, STYLE_ELEMENT } from "../../http/pageStyle.ts";
import { Html, html } from "../../http/Html.ts";

/** Before anything is drawn: the theme that the web app stores. Then `/` for the search, and contents that fold away. */
const SCRIPT = `
try { const theme = localStorage.getItem("winnow.theme"); if (/^(light|dark)$/.test(theme)) document.documentElement.dataset.theme = theme; } catch {}
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  event.preventDefault(); document.querySelector("input[type=search]").focus();
});
document.addEventListener("click", ({ target }) => { if (target.closest("nav a") !== null) document.getElementById("contents").hidePopover(); });
`;

const SCRIPT_ELEMENT = new Html(`<script>${SCRIPT}</script>`);

/** Also the search form, pictures, and the one script. */
export const GUIDES_POLICY =
  PAGE_POLICY.replace("form-action 'none'", "form-action 'self'").replace("img-src", "img-src 'self'") +
  `; script-src 'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'";

export interface GuideLink {
  /** Path below docs/, without `.md`. */
  readonly name: string;
  readonly title: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: ReadonlyArray<GuideLink>;
}

/** One answer of a search. `href` is below the server's base path. */
export interface Finding {
  readonly title: string;
  readonly href: string;
  readonly excerpt: string;
}

/** The pages of one server. */
export interface Site {
  /** The server's base path, with a trailing slash. */
  readonly home: string;
  readonly groups: ReadonlyArray<GuideGroup>;
}

const top = (home: string, query: string): Html =>
  html`<header class="top">
    <a class="brand" href="${home}docs/README">${MARK} Winnow</a>
    <button class="button contents" type="button" popovertarget="contents">Contents</button>
    <form class="search" role="search" action="${home}docs/search">
      <input
        type="search"
        name="q"
        value="${query}"
        aria-label="Search the guides"
        placeholder="Search"
        accesskey="/"
        maxlength="200"
        required
      />
      <button class="button">Search</button>
    </form>
  </header>`;

const contents = ({ home, groups }: Site, at: string | null): Html =>
  html`<nav id="contents" popover aria-label="Documentation">
    <ul>
      <li><a href="${home}">The app</a></li>
      <li><a href="${home}docs">API reference</a></li>
    </ul>
    ${groups.map(
      ({ title, guides }) =>
        html`<h2>${title}</h2>
          <ul>
            ${guides.map(
              (guide) =>
                html`<li>
                  <a href="${home}docs/${guide.name}" ${guide.name === at ? html`aria-current="page"` : null}
                    >${guide.title}</a
                  >
                </li>`
            )}
          </ul>`
    )}
  </nav>`;

interface PageContent {
  readonly title: string;
  readonly content: Html;
  /** Name of the guide; null for a search. */
  readonly at: string | null;
  readonly query?: string;
}

/** The script comes first, for the theme. */
export const guidePage = ({ title, content, at, query = "" }: PageContent, site: Site): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${SCRIPT_ELEMENT}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Winnow</title>
        ${ICON_LINK} ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <div class="side">${top(site.home, query)} ${contents(site, at)}</div>
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
