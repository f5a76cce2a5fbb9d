/**
 * The API reference for people, from the OpenAPI document: a page for each group of operations, one for the types and
 * one for the errors that operations share. Their links are relative to docs/api/.
 */
import type { Components, OpenApiDocument } from "../../http/openapi/OpenApiDocument.ts";
import { page, type Site } from "./Frame.ts";
import { ERRORS, TYPES, type Group } from "./groups.ts";
import { html, prose, type Html } from "./Html.ts";
import {
  errorAnchor,
  fieldsOf,
  json,
  operationView,
  responseDetails,
  schemaAnchor,
  statusesOf
} from "./operationView.ts";
import { endpointsOf, LANGUAGES, type Language } from "./requestExamples.ts";

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

const intro = (title: string, description: Html): Html =>
  html`<div class="intro">
    <h1>${title}</h1>
    <p>${description}</p>
  </div>`;

const groupView = ({ title, description, endpoints }: Group, components: Components): Html =>
  html`${intro(title, prose(description))} ${languageChoice}
  ${endpoints.map((endpoint) => operationView(endpoint, components))}`;

const typesView = ({ schemas }: Components): Html =>
  html`${intro("Types", prose("The objects that operations take and return."))}
    <ul class="names">
      ${Object.keys(schemas).map((name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`)}
    </ul>
    ${Object.entries(schemas).map(
      ([name, schema]) =>
        html`<article id="${schemaAnchor(name)}">
          <h2>${name}</h2>
          <p>${prose(schema.description ?? "")}</p>
          <div class="halves">
            <div>${fieldsOf(schema)}</div>
            <div>${(schema.examples ?? []).map(json)}</div>
          </div>
        </article>`
    )}`;

const errorsView = ({ paths, components }: OpenApiDocument): Html => {
  const statuses = statusesOf(endpointsOf(paths));
  const byStatus = Object.entries(components.responses).toSorted(
    ([one], [other]) => Number(statuses.get(one)) - Number(statuses.get(other))
  );
  return html`${intro(
    "Errors",
    html`Responses that several operations share. What to do about each code:
      <a href="../troubleshooting">troubleshooting</a>.`
  )}
  ${byStatus.map(
    ([name, response]) =>
      html`<article id="${errorAnchor(name)}">
        <h2><span class="status">${statuses.get(name) ?? ""}</span>${name}</h2>
        <p>${prose(response.description ?? "")}</p>
        ${responseDetails(response, components)}
      </article>`
  )}`;
};

/** `name` is that of a group, {@link TYPES} or {@link ERRORS}; undefined for others. */
export const referencePage = (name: string, document: OpenApiDocument, site: Site): string | undefined => {
  const group = site.groups.find((each) => each.name === name);
  const content =
    group !== undefined
      ? groupView(group, document.components)
      : name === TYPES
        ? typesView(document.components)
        : name === ERRORS
          ? errorsView(document)
          : undefined;
  if (content === undefined) return undefined;
  const title = group?.title ?? (name === TYPES ? "Types" : "Errors");
  return page({ title: `${title} · Winnow API`, content, at: `api/${name}` }, site);
};
