/** Results: pending, complete and failed. Tests: bodies.test.ts, aiPass.test.ts. */
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { ModelUsage } from "@winnow/core/domain/run/ModelUsage";
import { WarningCode } from "@winnow/core/domain/run/Warnings";
import { byField, PartStates } from "@winnow/core/domain/result/ResultView";
import * as Grounds from "@winnow/core/domain/evidence/Evidence";
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { Credits } from "@winnow/core/domain/money/Credits";
import { HEADING_CHARS_MAX } from "@winnow/core/domain/text/CleanText";
import { FailureReason, UnreachableCause } from "@winnow/core/domain/source/Failed";
import { WireRange } from "@winnow/core/domain/source/TimeRange";
import * as Domain from "@winnow/core/domain/result/ResultView";
import { described, domainFields, field } from "../../http/openapi/described.ts";

const FileUrl = Schema.optionalKey(Schema.String.annotate({ format: "uri" }));

export const PendingResult = described("PendingResult", "The extraction has not ended yet; poll again.", {
  status: field(
    Schema.Literals(["queued", "processing"]),
    "`queued`: waiting for a slot; `processing`: running or about to start.",
    "processing"
  )
});

export const Summary = described(
  "Summary",
  "Metadata and the list of artifacts; null for what the source does not state.",
  domainFields(Domain.Summary.fields, {
    runId: "Id of the extraction.",
    url: "As submitted.",
    title: "Title of the content.",
    uploader: "Name of the publisher.",
    duration: "Seconds, as reported by the platform.",
    description: "Description by the publisher.",
    thumbnail: "Thumbnail URL on the source platform.",
    webpage_url: "Final URL of the content.",
    view_count: "As reported by the platform.",
    like_count: "As reported by the platform.",
    comment_count: "As reported by the platform.",
    upload_date: "YYYYMMDD.",
    durationSeconds:
      "Seconds, measured from the downloaded media; of a stretch without media, what `duration` leaves of it.",
    ...byField("summaryField", {
      one: ({ name }) => `\`${name}\`, or null.`,
      many: (_, rows) => `${rows.map(({ name }) => `\`${name}\``).join(", ")}: their names.`
    }),
    files: "Names of all artifacts.",
    startedAt: "Unix time in milliseconds.",
    finishedAt: "Unix time in milliseconds."
  })
);

const ArtifactDetail = described("ArtifactDetail", "A stored file.", {
  name: field(Schema.String, "File name.", "thumbnail.jpg"),
  bytes: field(Integer, "Size in bytes.", 48_123),
  contentType: field(Schema.String, "MIME type, as sent by the file endpoint.", "image/jpeg")
});

export const Artifacts = described(
  "Artifacts",
  "URLs of the file endpoint. A key is present if its artifact exists.",
  {
    ...byField("urlKey", {
      one: ({ name, holds }) => field(FileUrl, `URL of \`${name}\`. ${holds}`),
      many: (_, rows) =>
        field(
          Schema.Array(Schema.String),
          `URLs in order; empty if there are none. ${rows.map(({ holds }) => holds).join(" ")}`
        )
    }),
    files: field(Schema.Record(Schema.String, Schema.String), "URLs of all artifacts by file name."),
    details: field(Schema.Array(ArtifactDetail), "Size and type of all artifacts.")
  }
);
export type Artifacts = typeof Artifacts.Type;

const EVIDENCE = {
  source: "transcript",
  quote: "Welcome to this talk on fixtures.",
  startSec: 0,
  endSec: 3.5
};

export const EvidenceItem = described(
  "EvidenceItem",
  "A passage of the input that a value was read from, verified by the server.",
  domainFields(Grounds.EvidenceItem.fields, {
    source:
      "Where the quote is from; `metadata` is the title and the publisher's name, `structured` the page's own " +
      "structured data (schema.org), `slides` the words on the slides of a photo post.",
    quote: "Verbatim from the source.",
    startSec: "Seconds from the start of the media, if the source has timestamps.",
    endSec: "Seconds from the start of the media, if the source has timestamps.",
    page: "Page number, from 1, in documents with pages such as a PDF.",
    heading: `Heading of a page or document that the quote stands under or in, at most ${HEADING_CHARS_MAX} characters.`,
    slide: "Number of the slide, from 1, for words on slides: 2 is `image.02.jpg`.",
    pointer: "RFC 6901 pointer to the quoted value in `metadata.json`, for structured data.",
    supported: "`false` if the quote exists but does not support the value; absent otherwise."
  })
).annotate({ examples: [EVIDENCE] as never });

const fileUrl = (name: string): string => `https://winnow.example/v1/extractions/ext_01hzx3/files/${name}`;

const FILES = [
  { name: "transcript.txt", bytes: 3_210, contentType: "text/plain; charset=utf-8" },
  { name: "transcript.json", bytes: 9_876, contentType: "application/json" },
  { name: "subtitles.en.vtt", bytes: 5_432, contentType: "text/vtt; charset=utf-8" },
  { name: "thumbnail.jpg", bytes: 48_123, contentType: "image/jpeg" }
];

const completeExample = {
  id: "ext_01hzx3",
  status: "complete",
  summary: {
    runId: "ext_01hzx3",
    url: "https://video.example/watch/42",
    title: "A talk",
    uploader: "Example Channel",
    duration: 213,
    description: null,
    thumbnail: "https://video.example/42.jpg",
    webpage_url: "https://video.example/watch/42",
    view_count: 12_345,
    like_count: null,
    comment_count: null,
    upload_date: "20261101",
    durationSeconds: null,
    videoFile: null,
    thumbnailFile: "thumbnail.jpg",
    audioFile: null,
    transcriptFile: "transcript.txt",
    commentsFile: null,
    descriptionFile: null,
    subtitleFiles: ["subtitles.en.vtt"],
    files: FILES.map(({ name }) => name),
    startedAt: 1_795_248_001_000,
    finishedAt: 1_795_248_041_000
  },
  artifacts: {
    transcript: fileUrl("transcript.txt"),
    thumbnail: fileUrl("thumbnail.jpg"),
    images: [],
    files: Object.fromEntries(FILES.map(({ name }) => [name, fileUrl(name)])),
    details: FILES
  },
  outcome: "ok",
  extraction: { topic: "Fixtures" },
  evidence: { "/topic": [EVIDENCE] },
  usage: { inputTokens: 1_480, outputTokens: 92, requests: 1, audioSeconds: null, model: "gpt-5.4-mini" },
  parts: { transcript: "found", comments: "not_requested", audio: "not_requested", video: "not_requested" },
  warnings: [],
  warningCodes: [],
  creditsDebited: 230,
  creditsRefunded: 20
};

const creditFields = {
  creditsDebited: field(Credits, "Debited at submit; 0 if the result was reused.", 230),
  creditsRefunded: field(Credits, "Refunded when the extraction ended; the whole debit if it failed.", 230)
};

export const CompleteResult = described(
  "CompleteResult",
  "The result of a complete extraction. Check `outcome` first.",
  {
    id: field(Schema.String, "Id of the extraction."),
    status: field(Schema.Literal("complete"), "Always `complete`."),
    range: field(
      Schema.optionalKey(WireRange),
      "The stretch of the video that it is of; absent for the whole."
    ),
    summary: field(Summary, "Metadata and file names."),
    artifacts: field(Artifacts, "URLs of the artifacts."),
    outcome: field(Schema.NullOr(Outcome), "Verdict of an AI run; null on download-only runs."),
    verdictReason: field(
      Schema.optionalKey(Schema.String),
      "One sentence; only with `no_match` and `uncertain`."
    ),
    extraction: field(
      Schema.Json,
      "Conforms to the schema; null on download-only runs and when `outcome` is `no_match` or `uncertain`."
    ),
    evidence: field(
      Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(EvidenceItem))),
      "Only with `ok`: where each value was found, by JSON pointer into `extraction`; empty if there is " +
        "no evidence."
    ),
    usage: field(
      Schema.optionalKey(ModelUsage),
      "Only of AI runs: tokens, requests and seconds of sound that the server's models reported for the run that " +
        "made this result; null for what they did not report."
    ),
    schemaId: field(
      Schema.optionalKey(Schema.String),
      "Id of the saved schema that was used or, with `auto`, generated and saved."
    ),
    parts: field(
      PartStates,
      "State of each part: `not_found` if the source reports that it has none, `lookup_failed` if " +
        "repeated attempts to get it failed. Neither is charged, and a result with a failed look-up is " +
        "never reused."
    ),
    warnings: field(
      Schema.Array(Schema.String),
      "Sentences about what is missing or incomplete; with policy `best-effort`, missing inputs are not " +
        "listed."
    ),
    warningCodes: field(
      Schema.Array(WarningCode),
      "One for each of `warnings`, in their order: `not_found` (the source has none), `not_offered` (this kind of " +
        "source never has it), `lookup_failed` (it is unknown whether there is one), `speech` (what was heard where " +
        "there are no captions), `not_read` (the model did not get it), `other_language` (of the transcript), " +
        "`length_unknown` (the video was charged as at most 300 s) or `other`."
    ),
    ...creditFields
  }
).annotate({ examples: [completeExample] as never });
export type CompleteResult = typeof CompleteResult.Type;

const Failure = described("Failure", "Why the extraction failed and what to do.", {
  reason: field(FailureReason, "Stable code."),
  cause: field(
    Schema.optionalKey(UnreachableCause),
    "Where the attempt to reach the source ended, if `reason` is `unreachable` and it is known: the host's " +
      "name (`dns`), the connection (`refused`, `timeout`, `reset`), its encryption (`tls`) or the answer " +
      "(`http_5xx`)."
  ),
  retryable: field(Schema.Boolean, "Whether the same submit may succeed later."),
  hint: field(Schema.String, "One sentence on what to do next.")
});

export const FailedResult = described(
  "FailedResult",
  "The extraction failed; its credits were refunded in full.",
  {
    id: field(Schema.String, "Id of the extraction.", "ext_01hzx3"),
    status: field(Schema.Literal("failed"), "Always `failed`.", "failed"),
    error: field(Schema.String, "Human-readable reason.", "The video is private."),
    failure: field(Failure, "Machine-readable reason.", {
      reason: "private",
      retryable: false,
      hint: "Use a URL that anyone can open without an account."
    }),
    ...creditFields
  }
);
export type FailedResult = typeof FailedResult.Type;
