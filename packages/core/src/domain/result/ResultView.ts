/** The result of an extraction as its owner sees it, identical in the result endpoint and in events. Tests: Summary.test.ts. */
import * as Schema from "effect/Schema";
import { Integer } from "../text/Integer.ts";
import { ARTIFACT_ROWS, artifactOf, type ArtifactRow, type ARTIFACTS, hasModality } from "./ArtifactName.ts";
import { requestedParts } from "../run/Availability.ts";
import { coverageWarnings, type Warning, type WarningCode, warningsWith } from "../run/Warnings.ts";
import { schemaIdOf, type Extraction, type RunResult } from "../run/Extraction.ts";
import { byModality } from "../source/Modality.ts";
import { present } from "../text/Json.ts";
import type { Evidence } from "../evidence/Evidence.ts";
import type { Outcome } from "../evidence/Verdict.ts";
import type { ModelUsage } from "../run/ModelUsage.ts";
import { Failed, type FailureReason, remedyOf, type UnreachableCause } from "../source/Failed.ts";
import { isPaidByWorstCase } from "./Settlement.ts";
import { WORST_CASE_DURATION_MS } from "../source/SourceFacts.ts";
import { stretchMs, stretchSeconds, type WireRange, wireRange } from "../source/TimeRange.ts";
import { phaseOf } from "../run/Transition.ts";

/**
 * `not_found`: the source reports that there is none. `lookup_failed`: requests to the source failed, so that
 * it is unknown; not charged, and a result with it is never reused. `not_requested`: not part of the request,
 * or never requested from the source.
 */
export const PartState = Schema.Literals(["found", "not_found", "lookup_failed", "not_requested"]).annotate({
  identifier: "PartState"
});
export type PartState = typeof PartState.Type;

export const PartStates = Schema.Struct({
  transcript: PartState.pipe(
    Schema.annotateKey({ description: "State of the transcript, or of the text of a webpage." })
  ),
  comments: PartState.pipe(Schema.annotateKey({ description: "State of the comments." })),
  audio: PartState.pipe(Schema.annotateKey({ description: "State of the audio." })),
  video: PartState.pipe(
    Schema.annotateKey({
      description: "State of the video. The slides of a photo post are no part: they are always fetched."
    })
  )
}).annotate({ identifier: "PartStates", description: "State of each part of the run." });
export type PartStates = typeof PartStates.Type;

/** From the extraction's point of view, which may have requested less than the run whose result it reuses. */
const partStates = ({
  request,
  result
}: Pick<Extraction, "request"> & { readonly result: RunResult }): PartStates => {
  const requested = requestedParts(request, result.rung).modalities;
  return byModality((modality): PartState => {
    const { state } = result.coverage.parts[modality];
    if (!requested.includes(modality)) return "not_requested";
    if (state === "lookup_failed") return state;
    // Not read, or heard by the model; without a file, what was not read was never fetched.
    if (hasModality(result.artifacts, modality)) return "found";
    return state === "not_read" ? "not_requested" : state;
  });
};

// The places of artifacts in a result: one value for each `summaryField` or `urlKey` of the table, with types
// derived from it.

type Rows = (typeof ARTIFACTS)[keyof typeof ARTIFACTS];
type Field = "summaryField" | "urlKey";
/** Names with a placeholder, of which a run can have several files. */
type ManyRows = Extract<Rows, { readonly name: `${string}<${string}` }>;
type KeysOf<Row, P extends Field> = Row extends Readonly<Record<P, infer Key extends string>> ? Key : never;

/** Keys with one file, and keys with a list of files. */
export type OneKey<P extends Field> = KeysOf<Exclude<Rows, ManyRows>, P>;
export type ManyKey<P extends Field> = KeysOf<ManyRows, P>;

export type ByField<P extends Field, One, Many> = {
  readonly [Key in OneKey<P>]: One;
} & { readonly [Key in ManyKey<P>]: Many };

interface Values<One, Many> {
  readonly one: (row: ArtifactRow) => One;
  /**
   * `rows` share a key, for example one text in two formats. `includes` tells whether a file belongs to one of
   * them.
   */
  readonly many: (includes: (fileName: string) => boolean, rows: ReadonlyArray<ArtifactRow>) => Many;
}

const rowsByKey = (field: Field) => [...Map.groupBy(ARTIFACT_ROWS, (row) => row[field])];

/** Computed once, because every read of a result needs both. */
const ROWS_BY_KEY = { summaryField: rowsByKey("summaryField"), urlKey: rowsByKey("urlKey") };

/** One value for each key of a field, in the order of the table. */
export const byField = <P extends Field, One, Many>(
  field: P,
  { one, many }: Values<One, Many>
): ByField<P, One, Many> => {
  const entries = ROWS_BY_KEY[field].flatMap(([key, rows]) => {
    const [first] = rows;
    if (key === undefined || first === undefined) return [];
    const includes = (name: string): boolean => rows.some((row) => row === artifactOf(name));
    return [[key, first.name.includes("<") ? many(includes, rows) : one(first)]];
  });
  return Object.fromEntries(entries) as ByField<P, One, Many>;
};

const Text = Schema.NullOr(Schema.String);
const Count = Schema.NullOr(Integer);
const Seconds = Schema.NullOr(Schema.Finite);

/**
 * The summary of a finished run on the wire, names and nulls exact.
 */
export const Summary = Schema.Struct({
  /** The extraction's own id, even if it reuses another's result. */
  runId: Schema.String,
  /** As submitted. */
  url: Schema.String,
  title: Text,
  uploader: Text,
  /** As reported by the platform, in seconds. */
  duration: Seconds,
  description: Text,
  /** Address on the source platform. */
  thumbnail: Text,
  webpage_url: Text,
  view_count: Count,
  like_count: Count,
  comment_count: Count,
  /** YYYYMMDD */
  upload_date: Text,
  /** As measured on the downloaded media; of a stretch, else what the source's duration leaves of it. */
  durationSeconds: Seconds,
  /** Names of the existing files. */
  ...byField("summaryField", { one: () => Text, many: () => Schema.Array(Schema.String) }),
  /** Every downloadable artifact. */
  files: Schema.Array(Schema.String),
  /** Unix milliseconds, for the run that fetched the content. */
  startedAt: Integer,
  finishedAt: Integer
}).annotate({ identifier: "Summary" });
export type Summary = typeof Summary.Type;

/** An extraction with status `complete`. */
export type Completed = Extraction & { readonly result: RunResult };

export const summaryOf = ({ id, request, result }: Completed): Summary => {
  const { facts } = result;
  const files = result.artifacts.map((artifact) => artifact.name);
  const stretch = request.range && stretchSeconds(request.range, facts.durationSeconds);
  return {
    runId: id,
    url: request.url,
    title: facts.title,
    uploader: facts.uploader,
    duration: facts.durationSeconds,
    description: facts.description,
    thumbnail: facts.thumbnailUrl,
    webpage_url: facts.webpageUrl,
    view_count: facts.viewCount,
    like_count: facts.likeCount,
    comment_count: facts.commentCount,
    upload_date: facts.uploadDate,
    durationSeconds: result.measuredDurationSeconds ?? stretch,
    ...byField("summaryField", {
      one: ({ name }) => (files.includes(name) ? name : null),
      many: (includes) => files.filter(includes)
    }),
    files,
    startedAt: result.startedAtMs,
    finishedAt: result.finishedAtMs
  };
};

/** URLs of single files; a key exists if its file does. */
type FileUrls = { readonly [Key in OneKey<"urlKey">]?: string };
type FileUrlLists = { readonly [Key in ManyKey<"urlKey">]: ReadonlyArray<string> };

/** URLs ready to download. */
export interface ArtifactUrls extends FileUrls, FileUrlLists {
  readonly files: Readonly<Record<string, string>>;
  /** Of every artifact, in the order of `summary.files`. */
  readonly details: ReadonlyArray<{
    readonly name: string;
    readonly bytes: number;
    readonly contentType: string;
  }>;
}

export interface CompleteView {
  readonly id: string;
  readonly status: "complete";
  /** Absent for the whole. */
  readonly range?: WireRange;
  readonly summary: Summary;
  readonly artifacts: ArtifactUrls;
  readonly outcome: Outcome | null;
  readonly verdictReason?: string;
  readonly extraction: RunResult["extraction"];
  /** Only for outcome `ok`. */
  readonly evidence?: Evidence;
  /** Only of AI runs. */
  readonly usage?: ModelUsage;
  /** The library schema that was used or generated; absent for an inline schema and without a schema. */
  readonly schemaId?: string;
  /** The state of each part. */
  readonly parts: PartStates;
  readonly warnings: ReadonlyArray<string>;
  /** One for each of `warnings`. */
  readonly warningCodes: ReadonlyArray<WarningCode>;
  /** What the run cost is their difference, in credits. */
  readonly creditsDebited: number;
  readonly creditsRefunded: number;
}

export interface FailedView {
  readonly id: string;
  readonly status: "failed";
  readonly error: string;
  readonly failure: {
    readonly reason: FailureReason;
    /** Only of `unreachable`, and not always known. */
    readonly cause?: UnreachableCause;
    readonly retryable: boolean;
    readonly hint: string;
  };
  readonly creditsDebited: number;
  /** Everything. */
  readonly creditsRefunded: number;
}

/** The last one while the extraction is live. */
export type ResultView = CompleteView | FailedView | { readonly status: "queued" | "processing" };

/** `publicUrl` has no trailing slash. */
const artifactsOf = ({ id, result }: Completed, publicUrl: string): ArtifactUrls => {
  const names = result.artifacts.map((artifact) => artifact.name);
  const urlOf = (name: string) => `${publicUrl}/v1/extractions/${id}/files/${encodeURIComponent(name)}`;
  const keyed = byField("urlKey", {
    one: ({ name }) => (names.includes(name) ? urlOf(name) : null),
    many: (includes) => names.filter(includes).map(urlOf)
  });
  return {
    ...(present(keyed) as FileUrls & FileUrlLists),
    files: Object.fromEntries(names.map((name) => [name, urlOf(name)])),
    details: result.artifacts.map(({ name, sizeBytes, contentType }) => ({
      name,
      bytes: sizeBytes,
      contentType
    }))
  };
};

const lengthUnknown = ({ range }: Extraction["request"]): string =>
  `The duration of the video is unknown: it was charged as ${stretchMs(range, null, WORST_CASE_DURATION_MS) / 1_000} seconds.`;

/** Uses the policy and request of this extraction, even if it reuses another run's result. */
const warningsOf = (extraction: Completed): ReadonlyArray<Warning> => {
  const { creditsDebited, request, result } = extraction;
  const asked = requestedParts(request, result.rung);
  return [
    ...coverageWarnings(result.facts, asked, result.coverage, creditsDebited > 0),
    ...result.warnings,
    ...(isPaidByWorstCase(extraction, result) ? warningsWith("length_unknown", [lengthUnknown(request)]) : [])
  ];
};

const completeView = (extraction: Completed, publicUrl: string): CompleteView => {
  const { result } = extraction;
  const { evidence, usage, verdictReason } = result;
  const warnings = warningsOf(extraction);
  return {
    id: extraction.id,
    status: "complete",
    ...present({ range: wireRange(extraction.request.range) }),
    summary: summaryOf(extraction),
    artifacts: artifactsOf(extraction, publicUrl),
    outcome: result.outcome,
    ...present({ verdictReason }),
    extraction: result.extraction,
    ...present({ evidence, usage, schemaId: schemaIdOf(extraction) }),
    parts: partStates(extraction),
    warnings: warnings.map(({ message }) => message),
    warningCodes: warnings.map(({ code }) => code),
    creditsDebited: extraction.creditsDebited,
    creditsRefunded: extraction.creditsRefunded
  };
};

const failedView = ({ id, failure, creditsDebited, creditsRefunded }: Extraction): FailedView => {
  const known = failure ?? new Failed({ reason: "internal", message: "The run failed." });
  return {
    id,
    status: "failed",
    error: known.message,
    failure: {
      reason: known.reason,
      ...present({ cause: known.unreachableCause }),
      ...remedyOf(known)
    },
    creditsDebited,
    creditsRefunded
  };
};

/** `publicUrl`, the base URL of artifacts, has no trailing slash. */
export const resultView = (extraction: Extraction, publicUrl: string): ResultView => {
  const phase = phaseOf(extraction.status);
  if (phase === "queued" || phase === "processing") return { status: phase };
  return extraction.result === null || phase === "failed"
    ? failedView(extraction)
    : completeView({ ...extraction, result: extraction.result }, publicUrl);
};
