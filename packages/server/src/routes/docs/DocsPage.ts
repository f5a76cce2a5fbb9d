/** The page at /docs: where each reader begins, what holds for the whole API, and every operation and type by name. */
import type { OpenApiDocument } from "../../http/openapi/OpenApiDocument.ts";
import { page, type Site } from "./Frame.ts";
import { html, prose, type Html } from "./Html.ts";
import { schemaAnchor } from "./operationView.ts";
import { TYPES, type Group } from "./groups.ts";

/** Headings and paragraphs of the introduction, one level below the page's. */
const introduction = (markdown: string): ReadonlyArray<Html> =>
  markdown
    .split(/\n\n+/u)
    .map((block) =>
      block.startsWith("## ") ? html`<h3>${block.slice(3)}</h3>` : html`<p>${prose(block)}</p>`
    );

/** Links to them on the home page, as they were when all of the reference stood there, lead on to their pages. */
const onPage = (anchor: string, name: string, text: Html | string, home: string): Html =>
  html`<li><a id="${anchor}" data-page href="${home}docs/api/${name}#${anchor}">${text}</a></li>`;

const groupView = ({ name, title, endpoints }: Group, home: string): Html =>
  html`<section class="group" id="tag-${name}">
    <h3><a href="${home}docs/api/${name}">${title}</a></h3>
    <ul>
      ${endpoints.map(({ method, operation }) =>
        onPage(
          operation.operationId,
          name,
          html`<span class="method ${method.toLowerCase()}">${method}</span> ${operation.summary}`,
          home
        )
      )}
    </ul>
  </section>`;

/** `guide` says where each reader begins; null without guides. */
export const docsPage = ({ info, components }: OpenApiDocument, site: Site, guide: Html | null): string => {
  const { home, groups } = site;
  const content = html`${guide === null ? html`<h1>Documentation</h1>` : html`<div class="guide">${guide}</div>`}
    <div class="intro">
      <h2 id="api">The API <span class="soft">${info.version}</span></h2>
      ${introduction(info.description)}
      <h3>Examples</h3>
      <p>
        Each operation is shown with curl, with <code>@winnow/client</code> and with Python’s
        <code>requests</code>. <code>$WINNOW_API_KEY</code> stays for you to fill in: the server keeps only a
        digest of each key. “Send it from here” uses your session of the web app instead of a key, and only
        reading operations have it; what costs or changes something is not sent from these pages.
      </p>
    </div>
    <h2>All operations</h2>
    <div class="groups">${groups.map((group) => groupView(group, home))}</div>
    <h2 id="schemas"><a href="${home}docs/api/${TYPES}">All types</a></h2>
    <ul class="names">
      ${Object.keys(components.schemas).map((name) => onPage(schemaAnchor(name), TYPES, name, home))}
    </ul>`;
  return page({ title: "Winnow documentation", content, at: null }, site);
};
