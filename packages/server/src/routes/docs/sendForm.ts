/**
 * The form that sends a reading request from the reference, with the session of the web app. Operations that cost or
 * change something have none. docs.js enables and sends it.
 */
import { html, type Html } from "./Html.ts";
import type { Endpoint } from "./requestExamples.ts";

/** Parts of signed links, for those who have no session. */
const SIGNED_LINK: ReadonlySet<string> = new Set(["account", "expires", "signature"]);

const isOffered = ({ method, operation }: Endpoint): boolean =>
  method === "GET" &&
  operation.security.some((scheme) => "session" in scheme) &&
  "application/json" in (operation.responses["200"]?.content ?? {});

export const sendForm = (endpoint: Endpoint): Html | null => {
  if (!isOffered(endpoint)) return null;
  const { path, operation } = endpoint;
  const fields = operation.parameters.filter(
    ({ name, in: place }) => place !== "header" && !SIGNED_LINK.has(name)
  );
  return html`<details class="try">
    <summary>Send it from here</summary>
    <form class="send" data-path="${path}">
      <p class="who">Sign in to the web app in this browser, then reload this page.</p>
      ${fields.map(
        ({ name, in: place, required }) =>
          html`<label
            >${name}<input
              name="${name}"
              data-in="${place}"
              autocomplete="off"
              ${required ? html`required` : null}
          /></label>`
      )}
      <button class="button main" disabled>Send</button>
      <output></output>
      <pre tabindex="0" hidden></pre>
    </form>
  </details>`;
};
