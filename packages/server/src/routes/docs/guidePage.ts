/** The content of the pages at /docs/NAME: one guide, or the answers of a search. */
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

export const guideView = (content: Html): Html => html`<div class="guide">${content}</div>`;

export const findingsView = (query: string, findings: ReadonlyArray<Finding>, home: string): Html =>
  html`<div class="guide">
    <h1>Search</h1>
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
    )}
  </div>`;
