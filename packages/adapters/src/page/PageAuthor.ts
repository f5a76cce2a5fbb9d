/**
 * Who made it: the person the page names, in the order that proved right most often. Sites put addresses,
 * publishers and whole sentences where the author belongs; only what reads like a name is taken.
 */
import { type JsonLdNode, stringsOf } from "./JsonLd.ts";
import { NAME_CHARS_MAX } from "./PageLimits.ts";
import type { PageScan } from "./PageScan.ts";
import { decoded, folded, oneLine } from "./PlainText.ts";

const PERSON_CHARS_MAX = 80;
const PERSON_WORDS_MAX = 7;
const PREFIX =
  /^(?:(?:written|posted|authored|published|created|reviewed|medically reviewed|words|story|article|author)\s+)?(?:by|von|par|por|di|authors?)\b[:\s]+/i;
const NOT_A_NAME =
  /https?:|www\.|@[a-z0-9-]+\.|[{}[\]<>=|/]|^(admin|administrator|guest|staff|user|author|editor|unknown|none|null|n\/a)$/i;

/** Without "By", dates and addresses; null when what remains does not read like a name. */
export const personLike = (written: string | null | undefined): string | null => {
  const line =
    oneLine(decoded(written ?? ""), NAME_CHARS_MAX)
      ?.replace(PREFIX, "")
      .trim() ?? "";
  if (line === "" || line.length > PERSON_CHARS_MAX || NOT_A_NAME.test(line)) return null;
  const isName = /\p{L}/u.test(line) && line.split(" ").length <= PERSON_WORDS_MAX && !/\d{4}/.test(line);
  return isName ? line : null;
};

const META_KEYS = [
  "author",
  "article:author",
  "parsely-author",
  "dc.creator",
  "dcterms.creator",
  "sailthru.author",
  "citation_author",
  "twitter:creator:name"
];

const fromMeta = (scan: PageScan): ReadonlyArray<string> => {
  const written = META_KEYS.flatMap((key) => scan.meta.get(key)?.slice(0, 1) ?? []);
  const label = scan.meta.get("twitter:label1")?.[0] ?? "";
  return /written by/i.test(label) ? [...written, scan.meta.get("twitter:data1")?.[0] ?? ""] : written;
};

const listed = (names: ReadonlyArray<string>): string =>
  names.length === 2 ? names.join(" and ") : names.join(", ");

const fromJsonLd = (scan: PageScan, entities: ReadonlyArray<JsonLdNode>): string | null => {
  for (const entity of entities) {
    const names = ["author", "creator"]
      .map((key) =>
        stringsOf(scan.jsonLd, entity, key)
          .map(personLike)
          .filter((name) => name !== null)
      )
      .find((found) => found.length > 0);
    if (names !== undefined) return oneLine(listed([...new Set(names)]), NAME_CHARS_MAX);
  }
  return null;
};

const siteName = (scan: PageScan, entities: ReadonlyArray<JsonLdNode>): string | null => {
  const publishers = entities.flatMap((entity) => stringsOf(scan.jsonLd, entity, "publisher"));
  const written = scan.meta.get("og:site_name")?.[0] ?? publishers[0];
  return oneLine(decoded(written ?? ""), NAME_CHARS_MAX);
};

/** `byline` is what the words around the heading say. The name of the site comes last. */
export const pageUploader = (
  scan: PageScan,
  entities: ReadonlyArray<JsonLdNode>,
  byline: string | null
): string | null => {
  const site = siteName(scan, entities);
  const isSite = (name: string): boolean => site !== null && folded(name) === folded(site);
  const named = [fromJsonLd(scan, entities), ...[...fromMeta(scan), byline, ...scan.bylines].map(personLike)];
  return named.find((name) => name !== null && !isSite(name)) ?? site;
};
