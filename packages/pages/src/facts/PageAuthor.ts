/**
 * Finds the author of a page, by the order of sources that proved right most often. Sites put URLs, publishers
 * and whole sentences into author fields; only values that look like names are accepted. Measured by bench/page-bylines.ts.
 * Tests: Metadata.test.ts, PageMetadata.test.ts.
 */
import type { MetadataOrigin } from "@winnow/core/domain/source/SourceMetadata";
import { monthsNamed } from "@winnow/core/domain/text/WrittenForms";
import {
  byTrust,
  type Candidate,
  type DescribedPage,
  firstOf,
  jsonLdCandidates,
  metaCandidates,
  microdataCandidates,
  onPage,
  type Sourced
} from "./Candidates.ts";
import { type JsonLdGraph, type JsonLdNode, stringsOf, typesOf, valuesOf } from "../parse/JsonLd.ts";
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import type { FactScan } from "./FactScan.ts";
import { decoded, folded, oneLine } from "../parse/PlainText.ts";
import { isFrontPage } from "./SiteInTitle.ts";

const PERSON_CHARS_MAX = 80;
const PERSON_WORDS_MAX = 7;
/** "Written by ", "Author: ". */
const PREFIX =
  /^(?:(?:written|posted|authored|published|created|words|story|article|author|recipe)\s+)?(?:by|von|par|por|di|authors?)\b[:\s]+/i;
/** Addresses, markup, and accounts that systems make by themselves: "@ann", "admin". */
const NOT_A_NAME =
  /https?:|www\.|@[a-z0-9-]+\.|[{}[\]<>=|/]|^(admin|administrator|guest|staff|user|author|editor|undefined|unknown|none|null|n\/a)$/i;

/** A job title follows the name: "Ida Marks, Director of …". */
const withoutRole = (line: string): string =>
  line.length > PERSON_CHARS_MAX || line.split(" ").length > PERSON_WORDS_MAX
    ? (/^\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,3}(?=,\s)/u.exec(line)?.[0] ?? line)
    : line;

/** Without "By", dates and URLs; null if the rest does not look like a name. */
export const personLike = (written: string | null | undefined): string | null => {
  const line = withoutRole(
    oneLine(decoded(written ?? ""), NAME_CHARS_MAX)
      ?.replace(/^by(?=\p{Lu})/u, "")
      .replace(PREFIX, "")
      .trim() ?? ""
  );
  if (line === "" || line.length > PERSON_CHARS_MAX || NOT_A_NAME.test(line) || PLACEHOLDER.test(line))
    return null;
  const isName = /\p{L}/u.test(line) && line.split(" ").length <= PERSON_WORDS_MAX && !/\d{4}/.test(line);
  return isName ? line : null;
};

/** Texts that pages show in place of an author: buttons, links, times, who says what follows, and people with other roles. */
const NO_SHOWN_NAME =
  /[?*]|[!:：]$|\bago$|^(?:(?:an?|the)$|add|all|apply|book|buy|click|contact us|copy|discover|download|explore|find|follow|get|join|learn more|leave a|log ?in|more|name|print|register|reply|request|search|share|shop|sign (?:in|up)|start|subscribe|try|our|view|(?:read|see) (?:more|all|full|profile))\b|\bby:?$|^(?:[\w-]+ ){0,2}(?:checked|edited|photos?|photography|photographs?|illustrations?|illustrated|reviewed|translated) by\b|^(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|threads|bluesky|mastodon|github|reddit|telegram|whatsapp|rss|e-?mail|website|homepage)$/i;

/** Parts of a site, which have the markup of an author on some: "Latest articles". */
const SITE_PARTS =
  /\b(?:activities|archives?|articles?|bookmarks?|breadcrumbs?|buttons?|calendar|categor(?:y|ies)|chapters?|comments?|contents?|cookies?|coupons?|downloads?|events?|faculty|faqs?|feeds?|gallery|glossary|help|homepage|index|links?|login|map|members?hip|menu|navigation|newsletter|overview|pages?|podcasts?|posts?|preferences|privacy|profile|replies|reviews?|rss|settings|sitemap|subscribe|tags?|threads?|toc|tools?|topics?|types?|username|videos?|website|wiki)\b/i;

/** What stands in place of a name if there is none: "Unknown author", "anonyme". */
const PLACEHOLDER =
  /^(?:(?:no|not|unknown|anonymous|without|missing|default|test|super)[\s_-]?(?:author|user|name|specified|known|given)?|(?:author|name|autor|auteur)[\s_-]?(?:unknown|name|not (?:known|found|given))|anonym(?:e|er|o|ous)?|unbekannt|inconnu|desconocido|sconosciuto|webmaster|redaktion|rédaction|redacción|redazione)$/iu;

const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?$/;

/** Like {@link personLike}, for visible text, where a button or label may take the place of a name. */
export const shownName = (text: string): string | null => {
  const name = personLike(text);
  if (name === null || NO_SHOWN_NAME.test(name) || SITE_PARTS.test(name)) return null;
  return folded(name)
    .split(" ")
    .every((word) => WEEKDAY.test(word) || monthsNamed(word).length > 0)
    ? null
    : name;
};

/** Of meta elements, the most trusted first. */
const META_KEYS =
  "article:author og:article:author author parsely-author sailthru.author twitter:creator:name".split(" ");

/** Catalogues put the family name first: "Lee, Ann"; not "Ann Lee, Jr". */
const CATALOGUE_KEYS = ["dc.creator", "dcterms.creator", "citation_author"];
const FAMILY_FIRST =
  /^(\p{L}[\p{L}.'’ -]*), (?!(?:[js]r|ph\.?d|m\.?d|esq|inc|ltd|llc)\b)(\p{Lu}[\p{L}.'’ -]*)$/iu;

const labelled = (scan: FactScan): ReadonlyArray<Candidate> =>
  /written by/i.test(scan.meta.get("twitter:label1")?.[0] ?? "")
    ? [["meta", scan.meta.get("twitter:data1")?.[0] ?? ""]]
    : [];

const listed = (names: ReadonlyArray<string>): string =>
  names.length === 2 ? names.join(" and ") : names.join(", ");

export interface PageAuthor {
  readonly name: string;
  /** As written; the URL is the page or profile of a single author. */
  readonly url: string | null;
  readonly origin: MetadataOrigin;
}

type IsAuthor = (author: unknown) => boolean;

/** Whether an author is declared to be something else than a person. */
const isOrganization: IsAuthor = (author) => {
  const types = typeof author === "object" && author !== null ? typesOf(author as JsonLdNode) : [];
  return types.length > 0 && !types.includes("Person");
};

const nameOf = (graph: JsonLdGraph, value: unknown): string | null =>
  personLike(stringsOf(graph, { author: value }, "author")[0]);

/** From the first entity that names such authors. */
const declared = (
  graph: JsonLdGraph,
  entities: ReadonlyArray<JsonLdNode>,
  origin: MetadataOrigin,
  isAuthor: IsAuthor
): PageAuthor | null => {
  for (const entity of entities) {
    for (const key of ["author", "creator"]) {
      const named = valuesOf(graph, entity, key)
        .filter(isAuthor)
        .map((value) => ({ value, name: nameOf(graph, value) }))
        .filter(({ name }) => name !== null);
      const names = [...new Set(named.map(({ name }) => name ?? ""))];
      const name = oneLine(listed(names), NAME_CHARS_MAX);
      if (name === null) continue;
      const [only] = named;
      const isNode = names.length === 1 && typeof only?.value === "object" && only.value !== null;
      const url = isNode ? stringsOf(graph, only.value as JsonLdNode, "url")[0] : undefined;
      return { name, url: url ?? null, origin };
    }
  }
  return null;
};

const siteNode = (scan: FactScan): ReadonlyArray<Candidate> =>
  scan.jsonLd.entities
    .filter((entity) => typesOf(entity).includes("WebSite"))
    .flatMap((entity) => stringsOf(scan.jsonLd, entity, "name"))
    .map((name): Candidate => ["json-ld", name]);

/** The site's name for itself; the publisher, which may be a company behind the site, comes last. */
export const siteNameOf = (page: DescribedPage): Sourced<string> | null =>
  firstOf(
    [
      ...siteNode(page.scan),
      ...metaCandidates(page.scan, ["og:site_name", "application-name"]),
      ...jsonLdCandidates(page, ["publisher"]),
      ...microdataCandidates(page, ["publisher"])
    ],
    (name) => oneLine(decoded(name), NAME_CHARS_MAX)
  );

/** Default author names of content management systems, "ann.lee", "site admin", which count after names of people. */
const LOGIN = /^[\p{Ll}\p{N}]+\.[\p{Ll}\p{N}]+$|\badmin\b/iu;

/**
 * The first author stated, in the order of trust; on the page, the words around the heading come first. A person
 * before an organization, and the site's own name only if it is explicitly stated to be the author. Names on a front
 * page are those of other pages. `aroundHeading`: the author according to those words; see Byline.
 */
export const pageAuthor = (
  page: DescribedPage & { readonly url: string },
  aroundHeading: string | null,
  site: string | null
): PageAuthor | null => {
  const { entities, marked, scan } = page;
  const isPerson: IsAuthor = (author) => !isOrganization(author);
  const catalogued = metaCandidates(scan, CATALOGUE_KEYS).map(([origin, text]): Candidate => [
    origin,
    text.trim().replace(FAMILY_FIRST, "$2 $1")
  ]);
  const shown = isFrontPage(page.url) ? [] : onPage([aroundHeading, ...scan.bylines.map(shownName)]);
  const written = [...metaCandidates(scan, META_KEYS), ...catalogued, ...labelled(scan), ...shown].map(
    ([origin, text]) => ({ name: personLike(text), url: null, origin })
  );
  const people = [
    declared(scan.jsonLd, entities, "json-ld", isPerson),
    declared(scan.microdata, marked, "microdata", isPerson),
    ...written
  ]
    .filter((author): author is PageAuthor => author !== null && author.name !== null)
    .filter(({ name }) => site === null || folded(name) !== folded(site))
    .toSorted((one, other) => byTrust(one.origin, other.origin));
  return (
    people.find(({ name }) => !LOGIN.test(name)) ??
    people[0] ??
    declared(scan.jsonLd, entities, "json-ld", isOrganization)
  );
};
