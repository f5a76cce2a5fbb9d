/** Values of one metadata field with the place each was read from, most trusted first. Tests: PageMetadata.test.ts. */
import type { MetadataOrigin } from "@winnow/core/domain/source/SourceMetadata";
import { type JsonLdNode, stringsOf } from "../parse/JsonLd.ts";
import type { FactScan } from "./FactScan.ts";

/** The page data that the readers of metadata fields share. */
export interface DescribedPage {
  readonly scan: FactScan;
  /** The entities the page is about according to JSON-LD, most informative first. */
  readonly entities: ReadonlyArray<JsonLdNode>;
  /** The same according to microdata. */
  readonly marked: ReadonlyArray<JsonLdNode>;
}

export interface Sourced<A> {
  readonly value: A;
  readonly origin: MetadataOrigin;
}

export type Candidate = readonly [origin: MetadataOrigin, written: string];

/** Null if it cannot be read. */
export const firstOf = <A>(
  candidates: Iterable<Candidate>,
  read: (written: string) => A | null
): Sourced<A> | null => {
  for (const [origin, written] of candidates) {
    const value = read(written);
    if (value !== null) return { value, origin };
  }
  return null;
};

const OPEN_GRAPH = /^(?:og|article|video|product|book|profile|music):/;
/** Property names that occur as `itemprop` of `meta` elements. */
const MICRODATA = /^(?:datepublished|datemodified|datecreated|uploaddate)$/;

const originOf = (key: string): MetadataOrigin =>
  OPEN_GRAPH.test(key) ? "open-graph" : MICRODATA.test(key) ? "microdata" : "meta";

/** Most trusted first. */
const RANKS: ReadonlyArray<MetadataOrigin> = ["json-ld", "open-graph", "microdata", "meta", "page"];

/** For sorting by trust. */
export const byTrust = (one: MetadataOrigin, other: MetadataOrigin): number =>
  RANKS.indexOf(one) - RANKS.indexOf(other);

/** The first content of each key; Open Graph takes precedence. */
export const metaCandidates = (scan: FactScan, keys: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
  keys
    .flatMap((key): ReadonlyArray<Candidate> =>
      (scan.meta.get(key)?.slice(0, 1) ?? []).map((content) => [originOf(key), content])
    )
    .toSorted(([one], [other]) => byTrust(one, other));

export const jsonLdCandidates = (
  { entities, scan }: DescribedPage,
  keys: ReadonlyArray<string>
): ReadonlyArray<Candidate> =>
  keys.flatMap((key) =>
    entities.flatMap((entity) =>
      stringsOf(scan.jsonLd, entity, key).map((text): Candidate => ["json-ld", text])
    )
  );

export const microdataCandidates = (
  { marked, scan }: DescribedPage,
  keys: ReadonlyArray<string>
): ReadonlyArray<Candidate> =>
  keys.flatMap((key) =>
    marked.flatMap((entity) =>
      stringsOf(scan.microdata, entity, key).map((text): Candidate => ["microdata", text])
    )
  );

export const onPage = (texts: ReadonlyArray<string | null>): ReadonlyArray<Candidate> =>
  texts.flatMap((text): ReadonlyArray<Candidate> => (text === null ? [] : [["page", text]]));

/** What the markup states, most trusted first. */
export const candidatesOf = (
  page: DescribedPage,
  properties: ReadonlyArray<string>,
  metaKeys: ReadonlyArray<string>
): ReadonlyArray<Candidate> =>
  [
    ...jsonLdCandidates(page, properties),
    ...microdataCandidates(page, properties),
    ...metaCandidates(page.scan, metaKeys)
  ].toSorted(([one], [other]) => byTrust(one, other));
