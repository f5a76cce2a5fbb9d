/** HTML as a template literal: interpolated values are escaped unless they are HTML already. */
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};

export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Part = string | number | Html | null | ReadonlyArray<Part>;

const render = (part: Part): string => {
  if (part === null) return "";
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? "");
};

/** Null and lists are accepted; lists are joined without separators. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(
    texts
      // The indentation of the source is a fifth of a page.
      .map((text, index) => text.replaceAll(/\n\s+/gu, "\n") + render(parts[index] ?? null))
      .join("")
  );

/** Text with `code` spans. */
export const prose = (text: string): Html =>
  html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
