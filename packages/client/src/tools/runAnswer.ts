/** What a run has come to, as an answer: its state, its money, its facts, and what to call next. */
import type { ExtractionDetail, FailedResult } from "../generated/types.ts";
import type { CompleteFields } from "../results.ts";
import { answerOf, firstFitting, type Facts, type ToolAnswer, type ToolContent } from "./answer.ts";
import { beginningOf } from "./paging.ts";
import type { ToolSource } from "./toolSource.ts";

/** Of the transcript, in characters. */
export const PREVIEW_CHARS = 2_000;
/** A character of UTF-8 has 4 bytes at most. */
const PREVIEW_BYTES = PREVIEW_CHARS * 4;

const TEXT_CHARS_MAX = 500;
const WARNINGS_MAX = 20;
const FILES_MAX = 40;

export const TRANSCRIPT = "transcript.txt";
/** Not files of the service: the two parts of a result that may be too long for an answer. */
export const EXTRACTION_FILE = "extraction.json";
export const EVIDENCE_FILE = "evidence.json";

/** A complete result, whatever its verdict; as it comes over the wire. */
export type Complete = CompleteFields & {
  readonly outcome: string | null;
  readonly verdictReason?: string;
  readonly extraction: unknown;
  readonly evidence?: Readonly<Record<string, unknown>>;
};

const short = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : beginningOf(text, TEXT_CHARS_MAX);

export const creditsOf = (
  { creditsDebited, creditsRefunded, cached }: ExtractionDetail,
  maxCredits: number | null
): Facts => ({
  quoted: creditsDebited,
  debited: creditsDebited,
  refunded: creditsRefunded,
  cached,
  ...(maxCredits === null ? {} : { maxCredits })
});

interface Told {
  readonly detail: ExtractionDetail;
  readonly maxCredits: number | null;
  readonly balance: number;
}

const stateOf = ({ detail, maxCredits, balance }: Told): Facts => ({
  id: detail.id,
  status: detail.status === "pending" ? "running" : detail.status,
  credits: creditsOf(detail, maxCredits),
  balance
});

/** One that goes on. `message` says where it stands. */
export const runningAnswer = (told: Told, message: string): ToolAnswer =>
  answerOf({
    ...stateOf(told),
    next: `Call get_extraction with id ${told.detail.id}; it is ${message}. It goes on and is paid for: do not call extract again.`
  });

export const failedAnswer = (told: Told, { error, failure }: FailedResult): ToolAnswer =>
  answerOf({
    ...stateOf(told),
    failure: {
      reason: failure.reason,
      retryable: failure.retryable,
      message: short(error),
      hint: failure.hint
    },
    next: `It failed and was refunded in full. ${failure.hint}${failure.retryable ? "" : " Retrying the same call does not help."}`
  });

/** What a model can read as it is. */
export const isTextType = (type: string): boolean =>
  /^text\/|^application\/(?:json|x-subrip)|\+json/u.test(type);

const summaryOf = ({ summary }: Complete): Facts => ({
  url: short(summary.url),
  title: short(summary.title),
  uploader: short(summary.uploader),
  date: summary.upload_date,
  durationSec: summary.durationSeconds ?? summary.duration,
  description: short(summary.description)
});

const withoutNulls = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));

const nextOf = (result: Complete, cut: Cut): string => {
  const texts = result.artifacts.details.filter(({ contentType }) => isTextType(contentType));
  const said = [
    ...(result.summary.transcriptFile === null ? [] : ["read_transcript has the words"]),
    ...(texts.length === 0 ? [] : ["read_file has the other texts"]),
    ...(cut.extraction ? [`the object is long: read_file ${EXTRACTION_FILE}`] : []),
    ...(cut.evidence ? [`evidence: read_file ${EVIDENCE_FILE}`] : [])
  ];
  return said.length === 0 ? "It is done." : `It is done; ${said.join("; ")}.`;
};

/** What is left out of an answer that would be too long. */
interface Cut {
  readonly evidence: boolean;
  readonly extraction: boolean;
  readonly preview: boolean;
  readonly files: number;
}

const CUTS: ReadonlyArray<Cut> = [
  { evidence: false, extraction: false, preview: false, files: 200 },
  { evidence: true, extraction: false, preview: false, files: FILES_MAX },
  { evidence: true, extraction: true, preview: false, files: FILES_MAX },
  { evidence: true, extraction: true, preview: true, files: 10 }
];

/** What the source says, and what was read out of it. */
const sourceFacts = (result: Complete, preview: string | null, cut: Cut): Facts => ({
  summary: withoutNulls(summaryOf(result)),
  verdictReason: short(result.verdictReason),
  extraction: cut.extraction ? null : result.extraction,
  evidence: cut.evidence ? null : result.evidence,
  transcriptPreview: cut.preview ? null : preview
});

/** Names of files are Winnow's own, and so are the warnings. */
const ownFacts = (id: string, { artifacts, warnings, outcome, parts }: Complete, cut: Cut): Facts => ({
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

/** Files that a host can open as resources: as many as it may want to show beside the answer. */
const LINKS_MAX = 10;

const linksOf = (id: string, { artifacts }: Complete): ReadonlyArray<ToolContent> =>
  artifacts.details
    .filter(({ contentType }) => isTextType(contentType) || contentType.startsWith("image/"))
    .slice(0, LINKS_MAX)
    .map(({ name, bytes, contentType }) => ({
      type: "resource_link",
      uri: fileUri(id, name),
      name,
      mimeType: contentType,
      size: bytes
    }));

/** The address of a file as a resource. */
export const fileUri = (id: string, name: string): string =>
  `winnow://extractions/${id}/files/${encodeURIComponent(name)}`;

/** The beginning of the transcript; null without one. */
const previewOf = async (
  source: ToolSource,
  { id, summary }: Complete,
  signal: AbortSignal
): Promise<string | null> => {
  if (summary.transcriptFile === null) return null;
  const { bytes, sizeBytes } = await source.file(id, TRANSCRIPT, PREVIEW_BYTES, signal);
  // What was cut within a character ends in U+FFFD, which falls to the page's end.
  const text = new TextDecoder().decode(bytes).replace(/�+$/u, "");
  const isWhole = bytes.length >= sizeBytes;
  return beginningOf(isWhole ? text : `${text}…`, PREVIEW_CHARS);
};

export const completeAnswer = async (
  source: ToolSource,
  told: Told,
  result: Complete,
  signal: AbortSignal
): Promise<ToolAnswer> => {
  const preview = await previewOf(source, result, signal);
  return firstFitting(
    CUTS.map((cut) =>
      answerOf(
        { ...stateOf(told), ...ownFacts(told.detail.id, result, cut), next: nextOf(result, cut) },
        sourceFacts(result, preview, cut),
        linksOf(told.detail.id, result)
      )
    )
  );
};
