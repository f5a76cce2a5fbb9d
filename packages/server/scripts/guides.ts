/**
 * Makes the guides of docs/ into the static site that the server has at /docs/NAME: pages in the groups of
 * docs/README.md with coloured code, pictures, and the index of their search. All links are relative.
 *
 *   node packages/server/scripts/guides.ts
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import highlight from "highlight.js/lib/common";
import { Marked } from "marked";
import { Html, html } from "../src/http/Html.ts";
import { ICON_LINK, MARK, STYLE_ELEMENT } from "../src/http/pageStyle.ts";
import { slugger } from "./anchors.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs");
const OUTPUT = path.resolve(import.meta.dirname, "../dist/guides");

interface Guide {
  /** Path below docs/, without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

interface Group {
  readonly title: string;
  readonly guides: ReadonlyArray<Guide>;
}

type Guides = ReadonlyMap<string, Guide>;

const titleOf = (markdown: string): string => /^# (.+)$/mu.exec(markdown)?.[1]?.replaceAll("`", "") ?? "";

const readGuides = (): Guides =>
  new Map(
    globSync("**/*.md", { cwd: DOCS })
      .toSorted()
      .map((file) => {
        const markdown = readFileSync(path.join(DOCS, file), "utf8");
        const name = file.replace(/\.md$/u, "");
        return [name, { name, title: titleOf(markdown), markdown }];
      })
  );

/** The sections of docs/README.md, each with the guides that it is the first to link to. */
const groupsOf = (guides: Guides): ReadonlyArray<Group> => {
  const seen = new Set<string>();
  const sections = (guides.get("README")?.markdown ?? "").split(/^## /mu).slice(1);
  const groups = sections.map((section): Group => {
    const names = [...section.matchAll(/\]\((?<name>[\w/-]+)\.md[)#]/gu)].map(
      ({ groups: { name = "" } = {} }) => name
    );
    const first = [...new Set(names)].filter((name) => !seen.has(name));
    for (const name of first) seen.add(name);
    return {
      title: section.split("\n", 1)[0] ?? "",
      guides: first.flatMap((name) => guides.get(name) ?? [])
    };
  });
  return groups.filter(({ guides: own }) => own.length > 0);
};

/** A link of a guide as a link of its page; null for files that are no page. */
const targetOf = (href: string, from: Guide, guides: Guides): string | null => {
  if (/^(?:[a-z][a-z0-9+.-]*:|#)/iu.test(href)) return href;
  const [file = ""] = href.split("#");
  const name = path.posix.join(path.posix.dirname(from.name), file).replace(/\.md$/u, "");
  return file.endsWith(".md") && guides.has(name) ? href.replace(/\.md(?=#|$)/u, "") : null;
};

const LANGUAGES: Readonly<Record<string, string>> = {
  js: "javascript",
  ts: "typescript",
  tsx: "typescript",
  sh: "bash"
};

/** Its Markdown is ours, so HTML in it is kept. */
const contentOf = (guide: Guide, guides: Guides): Html => {
  const slugOf = slugger();
  const marked = new Marked({
    renderer: {
      code({ text, lang = "" }) {
        const [word = ""] = lang.split(" ");
        const language = LANGUAGES[word] ?? word;
        const isKnown = highlight.getLanguage(language) !== undefined;
        const code = isKnown ? new Html(highlight.highlight(text, { language }).value) : text;
        return html`<pre tabindex="0"><code>${code}</code></pre>`.markup;
      },
      heading({ tokens, depth, text }) {
        return html`<h${depth} id="${slugOf(text)}">${new Html(this.parser.parseInline(tokens))}</h${depth}>`
          .markup;
      },
      link({ href, tokens }) {
        const target = targetOf(href, guide, guides);
        const text = new Html(this.parser.parseInline(tokens));
        return target === null ? text.markup : html`<a href="${target}">${text}</a>`.markup;
      }
    }
  });
  const page = marked.parse(guide.markdown, { async: false });
  // Wide ones scroll, also by keyboard.
  return new Html(
    page
      .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
      .replaceAll("</table>", "</table></div>")
  );
};

const contents = (groups: ReadonlyArray<Group>, at: string, up: string): Html =>
  html`<nav id="contents" popover aria-label="Documentation">
    <ul>
      <li><a href="${up}../">The app</a></li>
      <li><a href="${up}../docs">API reference</a></li>
    </ul>
    ${groups.map(
      ({ title, guides }) =>
        html`<h2>${title}</h2>
          <ul>
            ${guides.map(
              (guide) =>
                html`<li>
                  <a href="${up}${guide.name}" ${guide.name === at ? html`aria-current="page"` : null}
                    >${guide.title}</a
                  >
                </li>`
            )}
          </ul>`
    )}
  </nav>`;

/** Its script comes first, for the theme. */
const pageOf = (name: string, title: string, content: Html, groups: ReadonlyArray<Group>): string => {
  const up = "../".repeat(name.split("/").length - 1);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <script src="${up}guidePage.js"></script>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Winnow</title>
        ${ICON_LINK} ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <div class="side">
          <header class="top">
            <a class="brand" href="${up}README">${MARK} Winnow</a>
            <button class="button contents" type="button" popovertarget="contents">Contents</button>
            <form class="search" role="search" action="${up}search">
              <input
                type="search"
                name="q"
                aria-label="Search the guides"
                placeholder="Search"
                accesskey="/"
                maxlength="200"
                required
              />
              <button class="button">Search</button>
            </form>
          </header>
          ${contents(groups, name, up)}
        </div>
        <main id="content"><div class="guide">${content}</div></main>
      </body>
    </html>`.markup;
};

/** What a search can find: a guide's text from each heading to the next. */
const placesOf = ({ name, title, markdown }: Guide) => {
  const slugOf = slugger();
  return markdown
    .replaceAll(/^```mermaid\n[\s\S]*?^```/gmu, "")
    .replaceAll(/^(?<fence>`{3,})[^\n]*\n[\s\S]*?^\k<fence>/gmu, (block) => block.replaceAll(/^#/gmu, " #"))
    .split(/^(?=#{1,6} )/mu)
    .filter((section) => section.startsWith("#"))
    .map((section) => {
      const heading = /^#{1,6} (.+)/u.exec(section)?.[1] ?? "";
      const label = heading.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1");
      return {
        title: label === title ? title : `${title}: ${label}`,
        href: `${name}#${slugOf(heading)}`,
        text: section
          .replace(/^#{1,6} .+/u, "")
          .replaceAll(/\]\([^)]*\)|<a id="[^"]*"><\/a>|[`*[|]|-{3,}/gu, " ")
          .replaceAll(/\s+/gu, " ")
          .trim()
      };
    });
};

/** Every file of the site, by its path. */
export const guideFiles = (): ReadonlyMap<string, string | Uint8Array> => {
  const guides = readGuides();
  const groups = groupsOf(guides);
  const pages = [...guides.values()].map(
    (guide) =>
      [`${guide.name}.html`, pageOf(guide.name, guide.title, contentOf(guide, guides), groups)] as const
  );
  const findings = html`<h1>Search</h1>
    <noscript><p>The search needs JavaScript.</p></noscript>
    <div id="findings"></div>`;
  return new Map<string, string | Uint8Array>([
    ...pages,
    ["search.html", pageOf("search", "Search", findings, groups)],
    ["search.json", JSON.stringify([...guides.values()].flatMap(placesOf))],
    ["guidePage.js", readFileSync(path.join(import.meta.dirname, "guidePage.js"))],
    ...globSync("images/*.png", { cwd: DOCS }).map(
      (file) => [file, readFileSync(path.join(DOCS, file))] as const
    )
  ]);
};

if (process.argv[1] === import.meta.filename) {
  rmSync(OUTPUT, { recursive: true, force: true });
  for (const [name, content] of guideFiles()) {
    const file = path.join(OUTPUT, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
