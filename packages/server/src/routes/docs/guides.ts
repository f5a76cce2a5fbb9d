/**
 * The guides: the Markdown of docs/, read where it stands in a checkout, and from the build's copy in a published
 * package. Read at the first request; without either there are no guides.
 */
// Not by name, which an old Node does not have: it would not get as far as the sentence that says so.
import * as fs from "node:fs";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Html, html } from "../../http/Html.ts";
import type { Finding, GuideGroup, GuideLink } from "./GuidePage.ts";

/** Made by `scripts/build.ts`, else the one of the repository. */
const FOLDERS = ["../../guides/", "../../../../../docs/"];

const FINDINGS_MAX = 20;
const EXCERPT_CHARACTERS = 200;

export interface Guide extends GuideLink {
  readonly markdown: string;
}

export interface Guides {
  readonly byName: ReadonlyMap<string, Guide>;
  /** The sections of docs/README.md, each with the guides that it is the first to link to. */
  readonly groups: ReadonlyArray<GuideGroup>;
  /** A PNG in docs/images; undefined for other names. */
  readonly picture: (name: string) => Uint8Array | undefined;
}

const titleOf = (markdown: string): string => /^# (.+)$/mu.exec(markdown)?.[1]?.replaceAll("`", "") ?? "";

const groupsOf = (byName: ReadonlyMap<string, Guide>): ReadonlyArray<GuideGroup> => {
  const seen = new Set<string>();
  const sections = (byName.get("README")?.markdown ?? "").split(/^## /mu).slice(1);
  return sections.flatMap((section) => {
    const names = [...section.matchAll(/\]\((?<name>[\w/-]+)\.md[)#]/gu)].map(
      ({ groups }) => groups?.["name"] ?? ""
    );
    const guides = names.flatMap((name) => {
      const guide = seen.has(name) ? undefined : byName.get(name);
      seen.add(name);
      return guide ?? [];
    });
    return guides.length === 0 ? [] : [{ title: section.split("\n", 1)[0] ?? "", guides }];
  });
};

export const readGuides = (): Guides => {
  const folder = FOLDERS.map((each) => fileURLToPath(new URL(import.meta.url.replace(/[^/]*$/u, each)))).find(
    (each) => existsSync(path.join(each, "README.md"))
  );
  const files = folder === undefined ? [] : fs.globSync("**/*.md", { cwd: folder }).toSorted();
  const guides = files.map((file): Guide => {
    const markdown = readFileSync(path.join(folder ?? "", file), "utf8");
    return { name: file.replaceAll(path.sep, "/").replace(/\.md$/u, ""), title: titleOf(markdown), markdown };
  });
  const byName = new Map(guides.map((guide) => [guide.name, guide]));
  const pictures = new Set(
    folder === undefined ? [] : fs.globSync("*.png", { cwd: path.join(folder, "images") })
  );
  return {
    byName,
    groups: groupsOf(byName),
    picture: (name) =>
      pictures.has(name) ? readFileSync(path.join(folder ?? "", "images", name)) : undefined
  };
};

/** As GitHub makes them: lower case, without punctuation, spaces as hyphens, numbered when repeated. */
const slugger = () => {
  const seen = new Map<string, number>();
  return (heading: string): string => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/gu, "-");
    const earlier = seen.get(slug) ?? 0;
    seen.set(slug, earlier + 1);
    return earlier === 0 ? slug : `${slug}-${earlier}`;
  };
};

/** A link of a guide as a link of its page; null for files that this server does not serve. */
const targetOf = (href: string, from: Guide, { byName }: Guides, home: string): string | null => {
  if (/^(?:[a-z][a-z0-9+.-]*:|#)/iu.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const place = path.posix.join(path.posix.dirname(from.name), file);
  const name = place.replace(/\.md$/u, "");
  if (!place.endsWith(".md") || !byName.has(name)) return null;
  return `${home}docs/${name}${anchor === undefined ? "" : `#${anchor}`}`;
};

const LANGUAGES: Readonly<Record<string, string>> = {
  js: "javascript",
  ts: "typescript",
  tsx: "typescript",
  sh: "bash"
};

/** The guide as HTML. Its Markdown is ours, so HTML in it is kept. */
export const guideHtml = async (guide: Guide, guides: Guides, home: string): Promise<Html> => {
  const { Marked } = await import("marked");
  const { default: highlight } = await import("highlight.js/lib/common");
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
        const target = targetOf(href, guide, guides, home);
        const text = new Html(this.parser.parseInline(tokens));
        return target === null ? text.markup : html`<a href="${target}">${text}</a>`.markup;
      },
      image({ href, text }) {
        return html`<img src="${home}docs/${href}" alt="${text}" />`.markup;
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

/** A place that a search can find. */
export interface Place {
  readonly title: string;
  readonly href: string;
  readonly text: string;
}

/** A guide's text from each heading to the next. */
export const placesOf = ({ name, title, markdown }: Guide): ReadonlyArray<Place> => {
  const slugOf = slugger();
  return markdown
    .replaceAll(/^(?<fence>`{3,})[^\n]*\n[\s\S]*?^\k<fence>/gmu, (block) => block.replaceAll(/^#/gmu, " #"))
    .split(/^(?=#{1,6} )/mu)
    .map((section) => {
      const heading = /^#{1,6} (.+)/u.exec(section)?.[1] ?? title;
      const label = heading.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1");
      return {
        title: label === title ? title : `${title}: ${label}`,
        href: `docs/${name}#${slugOf(heading)}`,
        text: section
          .replace(/^#{1,6} .+/u, "")
          .replaceAll(/\]\([^)]*\)|<a id="[^"]*"><\/a>|[`*[|]|-{3,}/gu, " ")
          .replaceAll(/\s+/gu, " ")
          .trim()
      };
    });
};

const excerptOf = (text: string, word: string): string => {
  const start = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT_CHARACTERS / 3);
  const excerpt = text.slice(start, start + EXCERPT_CHARACTERS);
  return `${start > 0 ? "…" : ""}${excerpt}${start + EXCERPT_CHARACTERS < text.length ? "…" : ""}`;
};

/** Places that have every word, best first: a word in a title counts more than in the text. */
export const search = (places: ReadonlyArray<Place>, query: string): ReadonlyArray<Finding> => {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const [first = ""] = words;
  return places
    .flatMap((place) => {
      const [title, text] = [place.title.toLowerCase(), place.text.toLowerCase()];
      const scores = words.map((word) => (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0));
      const isFound = scores.length > 0 && scores.every((score) => score > 0);
      return isFound ? [{ place, score: scores.reduce((sum, score) => sum + score, 0) }] : [];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FINDINGS_MAX)
    .map(({ place: { title, href, text } }) => ({ title, href, excerpt: excerptOf(text, first) }));
};
