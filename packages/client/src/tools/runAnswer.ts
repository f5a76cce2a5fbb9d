/** The state of a run as a tool result: status, credits, facts, and what to call next. Tests: the server's McpHttp.test.ts. */
import type { CompleteResult, ExtractionDetail, FailedResult } from "../generated/types.ts";
import { answerOf, firstFitting, present, type Facts, type ToolAnswer, type ToolContent } from "./answer.ts";
import { beginningOf } from "./paging.ts";
import type { ToolSource } from "./toolSource.ts";

/** Length of the transcript preview. */
const PREVIEW_CHARS = 2_000;
/** A character of UTF-8 has 4 bytes at most. */
const PREVIEW_BYTES = PREVIEW_CHARS * 4;

const TEXT_CHARS_MAX = 500;
const WARNINGS_MAX = 20;
/** Names of files in a result that leaves something out, and in the answer to a wrong name. */
export const FILES_MAX = 40;

export const TRANSCRIPT = "transcript.txt";
/** Not files of the API: the two parts of a result that may be too long for a tool result. */
export const EXTRACTION_FILE = "extraction.json";
export const EVIDENCE_FILE = "evidence.json";

const short = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : beginningOf(text, TEXT_CHARS_MAX);

interface RunState {
  readonly detail: ExtractionDetail;
  readonly maxCredits: number | null;
  readonly balance: number;
}

const stateOf = ({ detail, maxCredits, balance }: RunState): Facts => ({
  id: detail.id,
  status: detail.status === "pending" ? "running" : detail.status,
  credits: present({
    quoted: detail.creditsDebited,
    debited: detail.creditsDebited,
    refunded: detail.creditsRefunded,
    cached: detail.cached,
    maxCredits
  }),
  balance
});

/** For a run that has not ended. `message` is its progress. */
export const runningAnswer = (state: RunState, message: string): ToolAnswer =>
  answerOf({
    ...stateOf(state),
    next:
      `Call get_extraction with id ${state.detail.id}; progress: ${message}. The run continues and is ` +
      `already charged: do not call extract again.`
  });

export const failedAnswer = (state: RunState, { error, failure }: FailedResult): ToolAnswer =>
  answerOf({
    ...stateOf(state),
    failure: {
      reason: failure.reason,
      retryable: failure.retryable,
      message: short(error),
      hint: failure.hint
    },
    next:
      `The run failed and was refunded in full. ` +
      `${failure.hint}${failure.retryable ? "" : " Retrying the same call does not help."}`
  });

/** Types that a model can read directly: "text/vtt", "application/json", "application/ld+json". */
export const isTextType = (type: string): boolean =>
  /^text\/|^application\/(?:json|x-subrip)|\+json/u.test(type);

const summaryOf = ({ summary, range }: CompleteResult): Facts => ({
  url: short(summary.url),
  title: short(summary.title),
  uploader: short(summary.uploader),
  date: summary.upload_date,
  durationSec: range === undefined ? (summary.durationSeconds ?? summary.duration) : summary.duration,
  range,
  description: short(summary.description)
});

const nextOf = (result: CompleteResult, cut: Cut): string => {
  const texts = result.artifacts.details.filter(({ contentType }) => isTextType(contentType));
  const remarks = [
    ...(result.summary.transcriptFile === null ? [] : ["read_transcript returns the transcript"]),
    ...(texts.length === 0 ? [] : ["read_file returns the other text files"]),
    ...(cut.extraction ? [`the object is too long to include: read_file ${EXTRACTION_FILE}`] : []),
    ...(cut.evidence ? [`evidence: read_file ${EVIDENCE_FILE}`] : [])
  ];
  return remarks.length === 0 ? "It is done." : `It is done; ${remarks.join("; ")}.`;
};

/**
 * What to leave out of a result that would be too long: the first row of {@link CUTS} with which it fits. What can be read
 * by another call goes first, and the last row fits always: 10 files, texts of {@link TEXT_CHARS_MAX}.
 */
interface Cut {
  readonly evidence: boolean;
  readonly extraction: boolean;
  readonly preview: boolean;
  /** How many stay. */
  readonly files: number;
}

const CUTS: ReadonlyArray<Cut> = [
  { evidence: false, extraction: false, preview: false, files: 200 },
  { evidence: true, extraction: false, preview: false, files: FILES_MAX },
  { evidence: true, extraction: true, preview: false, files: FILES_MAX },
  { evidence: true, extraction: true, preview: true, files: 10 }
];

/** Untrusted content: the source's texts and what was extracted from them. */
const sourceFacts = (result: CompleteResult, preview: string | null, cut: Cut): Facts => ({
  summary: present(summaryOf(result)),
  verdictReason: short(result.verdictReason),
  extraction: cut.extraction ? null : result.extraction,
  evidence: cut.evidence ? null : result.evidence,
  transcriptPreview: cut.preview ? null : preview
});

/** Trusted content: file names and warnings are written by Winnow. */
const ownFacts = (id: string, { artifacts, warnings, outcome, parts }: CompleteResult, cut: Cut): Facts => ({
  outcome,
  parts,
  warnings:
    warnings.length === 0
      ? null
      : warnings.slice(0, WARNINGS_MAX).map((warning) => beginningOf(warning, TEXT_CHARS_MAX)),
  files: artifacts.details
    .slice(0, cut.files)
    .map(({ name, bytes, contentType }) => ({ name, bytes, type: contentType, uri: fileUri(id, name) }))
});

/** Maximum number of resource links in one result. */
const RESOURCE_LINKS_MAX = 10;

const linksOf = (id: string, { artifacts }: CompleteResult): ReadonlyArray<ToolContent> =>
  artifacts.details
    .filter(({ contentType }) => isTextType(contentType) || contentType.startsWith("image/"))
    .slice(0, RESOURCE_LINKS_MAX)
    .map(({ name, bytes, contentType }) => ({
      type: "resource_link",
      uri: fileUri(id, name),
      name,
      mimeType: contentType,
      size: bytes
    }));

/** The resource URI of a file. */
const fileUri = (id: string, name: string): string =>
  `winnow://extractions/${id}/files/${encodeURIComponent(name)}`;

/** The beginning of the transcript; null if there is none. */
const previewOf = async (
  source: ToolSource,
  { id, summary }: CompleteResult,
  signal: AbortSignal
): Promise<string | null> => {
  if (summary.transcriptFile === null) return null;
  const { bytes, sizeBytes } = await source.file(id, TRANSCRIPT, PREVIEW_BYTES, signal);
  // Cutting within a character leaves U+FFFD at the end, which is removed.
  const text = new TextDecoder().decode(bytes).replace(/�+$/u, "");
  const isWhole = bytes.length >= sizeBytes;
  return beginningOf(isWhole ? text : `${text}…`, PREVIEW_CHARS);
};

export const completeAnswer = async (
  source: ToolSource,
  state: RunState,
  result: CompleteResult,
  signal: AbortSignal
): Promise<ToolAnswer> => {
  const preview = await previewOf(source, result, signal);
  return firstFitting(
    CUTS.map((cut) =>
      answerOf(
        { ...stateOf(state), ...ownFacts(state.detail.id, result, cut), next: nextOf(result, cut) },
        sourceFacts(result, preview, cut),
        linksOf(state.detail.id, result)
      )
    )
  );
};
