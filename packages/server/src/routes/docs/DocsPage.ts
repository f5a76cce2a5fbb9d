/**
 * The page at /docs: the OpenAPI document for people. Its content security policy allows only its own style: no
 * scripts, files or other hosts.
 */
import { createHash } from "node:crypto";
import type { Components, OpenApiDocument, Tag } from "../../http/openapi/OpenApiDocument.ts";
import { html, Html, prose } from "./Html.ts";
import { operationView, fieldsOf, json, schemaAnchor, type Endpoint } from "./operationView.ts";

// The style of the pages, embedded in them; the content security policy allows its digest.

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f27, #e4e7ed); --soft: light-dark(#5b6472, #9aa4b4);
  --page: light-dark(#fff, #12151b); --panel: light-dark(#f5f6f8, #1a1f27); --line: light-dark(#dde1e7, #2c333e);
  --link: light-dark(#0b57c2, #82b1ff); --code: light-dark(#eceff3, #222833);
  --get: light-dark(#0a6b4b, #5fd6a8); --post: light-dark(#0b57c2, #82b1ff); --delete: light-dark(#b3261e, #ff9b93); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--page); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { background: var(--code); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: .5rem 0;
  overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; z-index: 1; }
nav { border-bottom: 1px solid var(--line); padding: 1rem 1.5rem; background: var(--panel); }
nav h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
nav h2 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 1.25rem 0 .35rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .15rem 0; text-decoration: none; font-size: .9rem;
  color: var(--ink); }
nav li a:hover { color: var(--link); text-decoration: underline; }
main { padding: 1.5rem; min-width: 0; }
main > * { max-width: 76rem; }
section { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 1.5rem; }
article { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1.25rem; }
h2 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; } h3 { font-size: 1.15rem; margin: 0 0 .25rem; }
h4 { font-size: .95rem; margin: 1.25rem 0 .25rem; }
.intro h3 { margin-top: 1.5rem; }
.intro p { max-width: 46rem; }
.soft { color: var(--soft); }
.method { font: 600 .75em/1 ui-monospace, Menlo, Consolas, monospace; min-width: 3.6em; color: var(--post); }
.method.get { color: var(--get); } .method.delete { color: var(--delete); }
.route { display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; margin: .25rem 0 .75rem; }
.route .method { font-size: .9rem; min-width: 0; } .route code { font-size: 1rem; }
.fields { margin: .25rem 0; border: 1px solid var(--line); border-radius: 8px; }
.fields > div { padding: .5rem .9rem; } .fields > div + div { border-top: 1px solid var(--line); }
.fields dt { display: flex; gap: .6rem; flex-wrap: wrap; align-items: baseline; }
.fields dt code { font-weight: 600; } .fields dd { margin: .1rem 0 0; }
.fields .type { color: var(--soft); font-size: .9rem; } .need { font-size: .8rem; color: var(--delete); }
details { border: 1px solid var(--line); border-radius: 8px; margin: .4rem 0; }
details[open] > summary { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: .45rem .9rem; } details > div { padding: .6rem .9rem; }
.status { font-weight: 600; font-variant-numeric: tabular-nums; margin-right: .5rem; }
@media (min-width: 56rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  main { padding: 2rem 2.5rem 6rem; }
}
@media (min-width: 84rem) { .halves { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 2rem; } }
@media print { nav { display: none; } body { display: block; } }
body.alone { display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; min-height: 100vh; }
.alone main { max-width: min(32rem, 100%); padding: 1.5rem; overflow-wrap: anywhere; }
.alone h1 { font-size: 1.5rem; }
.button { display: inline-block; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel);
  text-decoration: none; }
button.button { font: inherit; color: var(--ink); cursor: pointer; text-align: start; }
button.main { color: var(--page); background: var(--link); border-color: var(--link); }
.choice { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.choice h2 { font-size: 1.15rem; } .choice p { margin: .25rem 0 .75rem; color: var(--soft); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
`;

const styleDigest = createHash("sha256").update(STYLE).digest("base64");

export const DOCS_POLICY =
  `default-src 'none'; style-src 'sha256-${styleDigest}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Unchanged, because the digest is computed from these bytes. */
export const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** `adminSchemas` is "Admin schemas". */
const titleOf = ({ name }: Tag): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)}`;

/** Headings and paragraphs of the introduction. */
const introduction = (markdown: string): ReadonlyArray<Html> =>
  markdown
    .split(/\n\n+/u)
    .map((block) =>
      block.startsWith("## ") ? html`<h3>${block.slice(3)}</h3>` : html`<p>${prose(block)}</p>`
    );

const navigation = (
  tags: ReadonlyArray<Tag>,
  of: (tag: Tag) => ReadonlyArray<Endpoint>,
  home: string
): Html =>
  html`<nav aria-label="Endpoints">
    <h1>Winnow API</h1>
    <a href="${home}v1/openapi.json">openapi.json</a>
    ${tags.map(
      (tag) =>
        html`<h2>${titleOf(tag)}</h2>
          <ul>
            ${of(tag).map(
              ({ method, operation }) =>
                html`<li>
                  <a href="#${operation.operationId}"
                    ><span class="method ${method.toLowerCase()}">${method}</span> ${operation.summary}</a
                  >
                </li>`
            )}
          </ul>`
    )}
    <h2><a href="#schemas">Schemas</a></h2>
  </nav>`;

const schemasView = ({ schemas }: Components): Html =>
  html`<section id="schemas">
    <h2>Schemas</h2>
    ${Object.entries(schemas).map(
      ([name, schema]) =>
        html`<article id="${schemaAnchor(name)}">
          <h3>${name}</h3>
          <p>${prose(schema.description ?? "")}</p>
          <div class="halves">
            <div>${fieldsOf(schema)}</div>
            <div>${(schema.examples ?? []).map(json)}</div>
          </div>
        </article>`
    )}
  </section>`;

/** `home` is the server's base path, with a trailing slash. */
export const docsPage = (document: OpenApiDocument, home: string): string => {
  const { info, tags, components } = document;
  const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Endpoint => ({
      method: method.toUpperCase(),
      path,
      operation
    }))
  );
  const of = ({ name }: Tag) => endpoints.filter(({ operation }) => operation.tags.includes(name));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Winnow API ${info.version}</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${navigation(tags, of, home)}
        <main id="content">
          <div class="intro">
            <h2>Winnow API <span class="soft">${info.version}</span></h2>
            ${introduction(info.description)}
          </div>
          ${tags.map(
            (tag) =>
              html`<section>
                <h2>${titleOf(tag)}</h2>
                <p>${prose(tag.description)}</p>
                ${of(tag).map((endpoint) => operationView(endpoint, components))}
              </section>`
          )}
          ${schemasView(components)}
        </main>
      </body>
    </html>`.markup;
};
