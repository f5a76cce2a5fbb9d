/**
 * Which extractions a list shows.
 */
import * as Result from "effect/Result";
import { refuse } from "../request/BodyFields.ts";
import { unixMsOf } from "../text/DateTimeText.ts";
import { type Extraction } from "../run/Extraction.ts";
import { Outcome } from "../evidence/Verdict.ts";
import { listItemOf, searchable, searchTextOf } from "./ListItem.ts";
import type { InvalidRequest } from "../request/Refusal.ts";
import { SourceKind } from "../source/SourceFacts.ts";
import { ExtractionStatus } from "../run/Transition.ts";

/** Maximum length of a search text, in characters. */
export const SEARCH_CHARS_MAX = 200;

/** All conditions must match; null disables one. */
export interface ExtractionFilter {
  readonly status: ExtractionStatus | null;
  readonly outcome: Outcome | null;
  readonly kind: SourceKind | null;
  /** Submitted at this time or later. */
  readonly sinceMs: number | null;
  /** Text contained in the title or URL, normalised by `searchable`. */
  readonly text: string | null;
}

export const NO_FILTER: ExtractionFilter = {
  status: null,
  outcome: null,
  kind: null,
  sinceMs: null,
  text: null
};

export const isFiltered = (filter: ExtractionFilter): boolean =>
  Object.values(filter).some((value) => value !== null);

/** The raw query parameters. */
export interface FilterQuery {
  readonly status?: string | undefined;
  readonly outcome?: string | undefined;
  readonly kind?: string | undefined;
  readonly since?: string | undefined;
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

const readSince = (given: string | undefined): Result.Result<number | null, InvalidRequest> => {
  if (given === undefined) return Result.succeed(null);
  const sinceMs = unixMsOf(given);
  return sinceMs === null
    ? refuse("since", "`since` must be a date and time with its offset, such as 2026-11-21T08:00:00Z.")
    : Result.succeed(sinceMs);
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
      sinceMs: yield* readSince(query.since),
      text: yield* readText(query.q)
    };
  });

export const fitsFilter =
  ({ status, outcome, kind, sinceMs, text }: ExtractionFilter) =>
  (extraction: Extraction): boolean =>
    (status === null || extraction.status === status) &&
    (outcome === null || extraction.result?.outcome === outcome) &&
    (kind === null || listItemOf(extraction).kind === kind) &&
    (sinceMs === null || extraction.createdAtMs >= sinceMs) &&
    (text === null || searchTextOf(extraction).includes(text));
