/**
 * Results: pending, complete and failed (specification, "Result"; contract 6).
 */
import * as Schema from "effect/Schema";
import { Outcome } from "@winnow/core/domain/Extraction";
import { FailureReason } from "@winnow/core/domain/Failure";
import * as Domain from "@winnow/core/domain/Summary";
import { described } from "./described.ts";

const FileUrl = Schema.optionalKey(Schema.String.annotate({ format: "uri" }));

export const PendingResult = described(
  { status: Schema.Literals(["queued", "processing"]) },
  {
    identifier: "PendingResult",
    description: "The extraction is not at its end yet; ask again.",
    fields: { status: "`queued` waits for a slot; `processing` runs or is about to." },
    examples: [{ status: "processing" }]
  }
);

export const Summary = described(Domain.Summary.fields, {
  identifier: "Summary",
  description: "Metadata and the list of artifacts; null where the platform exposes nothing.",
  fields: {
    runId: "Id of the extraction.",
    url: "As submitted.",
    title: "Title of the content.",
    uploader: "Who published it.",
    duration: "Seconds, as the platform reports.",
    description: "Text of the publisher.",
    thumbnail: "Thumbnail URL on the source platform.",
    webpage_url: "Where the content was finally found.",
    view_count: "As the platform reports.",
    like_count: "As the platform reports.",
    comment_count: "As the platform reports.",
    upload_date: "YYYYMMDD.",
    durationSeconds: "Seconds, measured on the downloaded media.",
    videoFile: "File name.",
    thumbnailFile: "File name.",
    audioFile: "File name.",
    transcriptFile: "File name; for webpages the page text.",
    commentsFile: "File name.",
    descriptionFile: "File name.",
    subtitleFiles: "File names.",
    files: "Every downloadable artifact.",
    startedAt: "Unix milliseconds.",
    finishedAt: "Unix milliseconds."
  }
});

export const Artifacts = described(
  {
    video: FileUrl,
    audio: FileUrl,
    transcript: FileUrl,
    comments: FileUrl,
    thumbnail: FileUrl,
    description: FileUrl,
    images: Schema.Array(Schema.String),
    files: Schema.Record(Schema.String, Schema.String)
  },
  {
    identifier: "Artifacts",
    description: "Ready-to-fetch URLs of the file endpoint; a key is there when its artifact is.",
    fields: {
      video: "URL of `video.mp4`.",
      audio: "URL of `audio.m4a`.",
      transcript: "URL of `transcript.txt`.",
      comments: "URL of `comments.json`.",
      thumbnail: "URL of `thumbnail.jpg`.",
      description: "URL of `description.txt`.",
      images: "URLs of the slides in their order; empty when there are none.",
      files: "URL by file name, of every artifact."
    }
  }
);
export type Artifacts = typeof Artifacts.Type;

export const CompleteResult = described(
  {
    id: Schema.String,
    status: Schema.Literal("complete"),
    summary: Summary,
    artifacts: Artifacts,
    outcome: Schema.NullOr(Outcome),
    verdictReason: Schema.optionalKey(Schema.String),
    extraction: Schema.NullOr(Schema.Json),
    warnings: Schema.Array(Schema.String)
  },
  {
    identifier: "CompleteResult",
    description: "The result of a complete extraction. Look at `outcome` first.",
    fields: {
      id: "Id of the extraction.",
      status: "Always `complete`.",
      summary: "Metadata and file names.",
      artifacts: "Ready-to-fetch URLs.",
      outcome: "Verdict of an AI run; null on download-only runs.",
      verdictReason: "One sentence, only with `no_match` and `uncertain`.",
      extraction:
        "Conforms to the schema; null on download-only runs and when `outcome` is `no_match` or `uncertain`.",
      warnings: "Sentences about what was missing; empty under policy `best-effort`."
    }
  }
);
export type CompleteResult = typeof CompleteResult.Type;

const Failure = described(
  { reason: FailureReason, retryable: Schema.Boolean, hint: Schema.String },
  {
    identifier: "Failure",
    description: "Why the extraction failed and what to do.",
    fields: {
      reason: "One stable word.",
      retryable: "Whether the same submit may succeed later.",
      hint: "One sentence on what to do."
    }
  }
);

export const FailedResult = described(
  { id: Schema.String, status: Schema.Literal("failed"), error: Schema.String, failure: Failure },
  {
    identifier: "FailedResult",
    description: "The extraction failed; its credits were refunded in full.",
    fields: {
      id: "Id of the extraction.",
      status: "Always `failed`.",
      error: "The reason, for people.",
      failure: "The reason, for programs."
    },
    examples: [
      {
        id: "ext_01hzx3",
        status: "failed",
        error: "The video is private.",
        failure: {
          reason: "private",
          retryable: false,
          hint: "Use a URL that anyone can open without an account."
        }
      }
    ]
  }
);
export type FailedResult = typeof FailedResult.Type;
