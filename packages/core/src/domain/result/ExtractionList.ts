/** Which extractions a list shows, and what of them. */
import * as Result from "effect/Result";
import { THUMBNAIL_FILE } from "./ArtifactName.ts";
import { schemaIdOf, type Extraction, type RunResult } from "../run/Extraction.ts";
import { SourceKind, TITLE_CHARS_MAX } from "../source/SourceFacts.ts";
import { refuse } from "../request/BodyFields.ts";
import { unixMsOf } from "../text/DateTimeText.ts";
import { Outcome } from "../evidence/Verdict.ts";
import type { InvalidRequest } from "../request/Refusal.ts";
import { ExtractionStatus } from "../run/Transition.ts";

/**
 * What a list shows of an extraction, and the text it is searched by. Uses the result if there is one, else the
 * inspection at submit.
 */
export interface ListItem {
  readonly title: string | null;
  /** Null before the source was inspected. */
  readonly kind: SourceKind | null;
  /** As measured on the downloaded media, else as reported. */
  readonly durationSeconds: number | null;
  readonly hasThumbnail: boolean;
}

export const hasThumbnail = (result: RunResult | null): boolean =>
  result?.artifacts.some(({ name }) => name === THUMBNAIL_FILE) ?? false;

type Listed = Pick<Extraction, "seen" | "result">;

export const listItemOf = ({ seen, result }: Listed): ListItem => ({
  title: (result?.facts ?? seen)?.title?.slice(0, TITLE_CHARS_MAX) ?? null,
  kind: (result?.facts ?? seen)?.kind ?? null,
  durationSeconds: result?.measuredDurationSeconds ?? (result?.facts ?? seen)?.durationSeconds ?? null,
  hasThumbnail: hasThumbnail(result)
});

/** Databases refuse NUL and unpaired surrogates. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Its title, or its URL while there is none. */
export const nameOf = (extraction: Listed & Pick<Extraction, "request">): string =>
  storable(listItemOf(extraction).title ?? extraction.request.url);

/** Normalises search text and searched text the same way. */
const searchable = (text: string): string => storable(text.normalize("NFKC").toLowerCase());

/** Title and URL as one searchable text. */
export const searchTextOf = (extraction: Listed & Pick<Extraction, "request">): string =>
  searchable(`${listItemOf(extraction).title ?? ""}\n${extraction.request.url}`);

/** Maximum length of a search text, in characters. */
export const SEARCH_CHARS_MAX = 200;

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

/** The raw query parameters. */
export interface FilterQuery {
  readonly status?: string | undefined;
  readonly outcome?: string | undefined;
  readonly kind?: string | undefined;
  readonly schemaId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly batchId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly q?: string | undefined;
}

const readOne = <A extends string>(
  name: string,
  given: string | undefined,
  known: { readonly literals: ReadonlyArray<A> }
): Result.Result<A | null, InvalidRequest> => {
  if (given === undefined) return Result.succeed(null);
  const found = known.literals.find((each) => each === given);
  return found === undefined
    ? refuse(name, `\`${name}\` must be one of ${known.literals.join(", ")}.`)
    : Result.succeed(found);
};

const readTime = (
  name: "since" | "until",
  given: string | undefined
): Result.Result<number | null, InvalidRequest> => {
  if (given === undefined) return Result.succeed(null);
  const timeMs = unixMsOf(given);
  return timeMs === null
    ? refuse(name, `\`${name}\` must be a date and time with its offset, such as 2026-11-21T08:00:00Z.`)
    : Result.succeed(timeMs);
};

const ID_CHARS_MAX = 200;

const readId = (name: string, given: string | undefined): Result.Result<string | null, InvalidRequest> => {
  if (given === undefined) return Result.succeed(null);
  return /^[\x21-\x7e]+$/u.test(given) && given.length <= ID_CHARS_MAX
    ? Result.succeed(given)
    : refuse(name, `\`${name}\` must be an id as the service gave it.`);
};

const readText = (given: string | undefined): Result.Result<string | null, InvalidRequest> => {
  const text = searchable(given ?? "").trim();
  if (text.length > SEARCH_CHARS_MAX) {
    return refuse("q", `\`q\` must have at most ${SEARCH_CHARS_MAX} characters.`);
  }
  return Result.succeed(text === "" ? null : text);
};

/** @fails InvalidRequest `details.param` names the filter */
export const readFilter = (query: FilterQuery): Result.Result<ExtractionFilter, InvalidRequest> =>
  Result.gen(function* () {
    return {
      status: yield* readOne("status", query.status, ExtractionStatus),
      outcome: yield* readOne("outcome", query.outcome, Outcome),
      kind: yield* readOne("kind", query.kind, SourceKind),
      schemaId: yield* readId("schemaId", query.schemaId),
      apiKeyId: yield* readId("apiKeyId", query.apiKeyId),
      batchId: yield* readId("batchId", query.batchId),
      sinceMs: yield* readTime("since", query.since),
      untilMs: yield* readTime("until", query.until),
      text: yield* readText(query.q)
    };
  });

export const fitsFilter = (filter: ExtractionFilter) => {
  const fits = (wanted: string | null, found: string | null | undefined): boolean =>
    wanted === null || wanted === found;
  return (extraction: Extraction): boolean =>
    fits(filter.status, extraction.status) &&
    fits(filter.outcome, extraction.result?.outcome) &&
    fits(filter.kind, listItemOf(extraction).kind) &&
    fits(filter.schemaId, schemaIdOf(extraction)) &&
    fits(filter.apiKeyId, extraction.requester.apiKeyId) &&
    fits(filter.batchId, extraction.batchId) &&
    (filter.sinceMs === null || extraction.createdAtMs >= filter.sinceMs) &&
    (filter.untilMs === null || extraction.createdAtMs < filter.untilMs) &&
    (filter.text === null || searchTextOf(extraction).includes(filter.text));
};
