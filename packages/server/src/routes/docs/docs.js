/**
 * The only script of the pages at /docs, which can be read and searched without it: the app's theme, `/` for the
 * search, the remembered language of examples, old links to the reference, and sending a reading request with the web app's session.
 */
(() => {
  const LANGUAGE = "winnow.language";
  const ANSWER_CHARACTERS_MAX = 100_000;
  const home = new URL("..", document.currentScript.src);

  // Without storage, nothing is remembered.
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const store = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {}
  };

  // Before anything is drawn. The web app stores it.
  const theme = stored("winnow.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    document.querySelector("input[type=search]").focus();
  });

  const rememberLanguage = () => {
    const known = document.querySelector(`#in-${CSS.escape(stored(LANGUAGE) ?? "curl")}`);
    if (known !== null) known.checked = true;
    for (const input of document.querySelectorAll("[name=language]"))
      input.addEventListener("change", () => store(LANGUAGE, input.value));
  };

  const urlOf = (form) => {
    const fields = [...form.querySelectorAll("input")];
    const value = (name) => fields.find((field) => field.name === name)?.value ?? "";
    const path = form.dataset.path.replaceAll(/\{(\w+)\}/gu, (_, name) => encodeURIComponent(value(name)));
    const url = new URL(path.slice(1), home);
    for (const field of fields)
      if (field.dataset.in === "query" && field.value !== "") url.searchParams.set(field.name, field.value);
    return url;
  };

  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  const send = async (form) => {
    const [output, answer, button] = ["output", "pre", "button"].map((name) => form.querySelector(name));
    button.disabled = true;
    output.textContent = "Sending …";
    const startedMs = performance.now();
    try {
      const response = await fetch(urlOf(form), { headers: { accept: "application/json" } });
      const text = pretty(await response.text());
      const durationMs = Math.round(performance.now() - startedMs);
      output.textContent = `${response.status} ${response.statusText} in ${durationMs} ms`;
      answer.textContent = text.slice(0, ANSWER_CHARACTERS_MAX);
      answer.hidden = false;
    } catch {
      output.textContent = "The server did not answer.";
      answer.hidden = true;
    }
    button.disabled = false;
  };

  /** The cookie of the session cannot be read here, so the server is asked whose it is. */
  const prepareForms = async () => {
    const forms = [...document.querySelectorAll("form.send")];
    if (forms.length === 0) return;
    for (const form of forms) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        void send(form);
      });
    }
    const response = await fetch(new URL("v1/account", home)).catch(() => null);
    if (response?.ok !== true) return;
    const { name } = await response.json();
    for (const form of forms) {
      form.querySelector(".who").textContent = `Signed in as ${name}.`;
      form.querySelector("button").disabled = false;
    }
  };

  /** Links to what once stood on the home page lead on to its own page. */
  const leadOn = () => {
    const link = document.getElementById(location.hash.slice(1));
    if (link?.matches("a[data-page]")) location.replace(link.href);
  };

  /** The contents of small windows cover the place on the page that a link leads to. */
  const uncover = () => {
    const contents = document.getElementById("contents");
    contents.addEventListener("click", ({ target }) => {
      if (target.closest("a") !== null) contents.hidePopover();
    });
  };

  document.addEventListener("DOMContentLoaded", () => {
    leadOn();
    uncover();
    rememberLanguage();
    void prepareForms();
  });
})();
