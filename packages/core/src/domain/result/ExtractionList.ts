/** Which extractions a list shows, and what of them; PgLists says it in SQL. Compared by StoreSearches of the suites. */
import { THUMBNAIL_FILE } from "./ArtifactName.ts";
import { schemaIdOf, type Extraction, type RunResult } from "../run/Extraction.ts";
import { type SourceKind, TITLE_CHARS_MAX } from "../source/SourceFacts.ts";
import { stretchSeconds } from "../source/TimeRange.ts";
import type { Outcome } from "../evidence/Verdict.ts";
import type { ExtractionStatus } from "../run/Transition.ts";

/**
 * What a list shows of an extraction, and the text it is searched by. Uses the result if there is one, else the
 * inspection at submit.
 */
export interface ListItem {
  readonly title: string | null;
  /** Null before the source was inspected. */
  readonly kind: SourceKind | null;
  /** Of the stretch that was asked for: as measured on the downloaded media, else as reported. */
  readonly durationSeconds: number | null;
  readonly hasThumbnail: boolean;
}

export const hasThumbnail = (result: RunResult | null): boolean =>
  result?.artifacts.some(({ name }) => name === THUMBNAIL_FILE) ?? false;

type Listed = Pick<Extraction, "request" | "seen" | "result">;

export const listItemOf = ({ request, seen, result }: Listed): ListItem => ({
  title: (result?.facts ?? seen)?.title?.slice(0, TITLE_CHARS_MAX) ?? null,
  kind: (result?.facts ?? seen)?.kind ?? null,
  durationSeconds:
    result?.measuredDurationSeconds ??
    stretchSeconds(request.range, (result?.facts ?? seen)?.durationSeconds ?? null),
  hasThumbnail: hasThumbnail(result)
});

/** Databases refuse NUL and unpaired surrogates. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Its title, or its URL while there is none. */
export const nameOf = (extraction: Listed): string =>
  storable(listItemOf(extraction).title ?? extraction.request.url);

/** Normalises search text and searched text the same way. */
const searchable = (text: string): string => storable(text.normalize("NFKC").toLowerCase());

/** Title and URL as one searchable text. */
export const searchTextOf = (extraction: Listed): string =>
  searchable(`${listItemOf(extraction).title ?? ""}\n${extraction.request.url}`);

/** Maximum length of a search text, in characters. */
export const SEARCH_CHARS_MAX = 200;

/** Given text as it is compared; null for blanks. */
export const searchedText = (given: string): string | null => searchable(given).trim() || null;

/** In place of a batch's id: extractions that are items of none. */
export const NO_BATCH = "none";

/** All conditions must match; null disables one. */
export interface ExtractionFilter {
  readonly status: ExtractionStatus | null;
  readonly outcome: Outcome | null;
  readonly kind: SourceKind | null;
  readonly schemaId: string | null;
  readonly apiKeyId: string | null;
  readonly batchId: string | null;
  /** Submitted at this time or later. */
  readonly sinceMs: number | null;
  /** Submitted before this time. */
  readonly untilMs: number | null;
  /** Text contained in the title or URL, normalised by `searchable`. */
  readonly text: string | null;
}

export const NO_FILTER: ExtractionFilter = {
  status: null,
  outcome: null,
  kind: null,
  schemaId: null,
  apiKeyId: null,
  batchId: null,
  sinceMs: null,
  untilMs: null,
  text: null
};

export const isFiltered = (filter: ExtractionFilter): boolean =>
  Object.values(filter).some((value) => value !== null);

export const fitsFilter = (filter: ExtractionFilter) => {
  const fits = (wanted: string | null, found: string | null | undefined): boolean =>
    wanted === null || wanted === found;
  return (extraction: Extraction): boolean =>
    fits(filter.status, extraction.status) &&
    fits(filter.outcome, extraction.result?.outcome) &&
    fits(filter.kind, listItemOf(extraction).kind) &&
    fits(filter.schemaId, schemaIdOf(extraction)) &&
    fits(filter.apiKeyId, extraction.requester.apiKeyId) &&
    fits(filter.batchId, extraction.batchId ?? NO_BATCH) &&
    (filter.sinceMs === null || extraction.createdAtMs >= filter.sinceMs) &&
    (filter.untilMs === null || extraction.createdAtMs < filter.untilMs) &&
    (filter.text === null || searchTextOf(extraction).includes(filter.text));
};
