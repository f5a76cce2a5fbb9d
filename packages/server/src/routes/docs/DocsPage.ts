/** The page at /docs: the OpenAPI document for people, with the guides beside it. */
import type { Components, OpenApiDocument, Tag } from "../../http/openapi/OpenApiDocument.ts";
import { html, prose, type Html } from "./Html.ts";
import { operationView, fieldsOf, json, schemaAnchor } from "./operationView.ts";
import { endpointsOf, LANGUAGES, type Endpoint, type Language } from "./requestExamples.ts";
import { docsHead, guidesView, pageHead, type GuideLink } from "./guidePage.ts";

/** `adminSchemas` is "Admin schemas". */
const titleOf = ({ name }: Tag): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)}`;

/** Headings and paragraphs of the introduction. */
const introduction = (markdown: string): ReadonlyArray<Html> =>
  markdown
    .split(/\n\n+/u)
    .map((block) =>
      block.startsWith("## ") ? html`<h2>${block.slice(3)}</h2>` : html`<p>${prose(block)}</p>`
    );

const navigation = (
  tags: ReadonlyArray<Tag>,
  of: (tag: Tag) => ReadonlyArray<Endpoint>,
  home: string,
  guides: ReadonlyArray<GuideLink>
): Html =>
  html`<nav aria-label="Documentation">
    ${docsHead(home, "")} ${guidesView(guides, home, null)}
    <h2><a href="${home}v1/openapi.json">openapi.json</a></h2>
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

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python"
};

/** Chooses the examples of the whole page, without a script. It stays in view. */
const languageChoice = html`<fieldset class="languages">
  <legend>Examples in</legend>
  ${LANGUAGES.map(
    (language) =>
      html`<label
        ><input
          type="radio"
          name="language"
          id="in-${language}"
          value="${language}"
          ${language === "curl" ? html`checked` : null}
        />${LANGUAGE_NAMES[language]}</label
      >`
  )}
</fieldset>`;

/** `home` is the server's base path, with a trailing slash. */
export const docsPage = (
  document: OpenApiDocument,
  home: string,
  guides: ReadonlyArray<GuideLink>
): string => {
  const { info, tags, components } = document;
  const endpoints = endpointsOf(document.paths);
  const of = ({ name }: Tag) => endpoints.filter(({ operation }) => operation.tags.includes(name));
  return html`<!doctype html>
    <html lang="en">
      ${pageHead(`Winnow API ${info.version}`, home)}
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${navigation(tags, of, home, guides)}
        <main id="content">
          <div class="intro">
            <h1>Winnow API <span class="soft">${info.version}</span></h1>
            ${introduction(info.description)}
            <h2>Examples</h2>
            <p>
              Each operation is shown with curl, with <code>@winnow/client</code> and with Python’s
              <code>requests</code>. <code>$WINNOW_API_KEY</code> stays for you to fill in: the server keeps
              only a digest of each key. “Send it from here” uses your session of the web app instead of a
              key, and only reading operations have it; what costs or changes something is not sent from this
              page.
            </p>
          </div>
          ${languageChoice}
          ${tags.map(
            (tag) =>
              html`<section id="tag-${tag.name}">
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
