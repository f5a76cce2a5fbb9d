/**
 * The summary of a finished run on the wire, names and nulls exact.
 */
import * as Schema from "effect/Schema";
import { byField } from "./ArtifactFields.ts";
import type { Extraction, RunResult } from "../run/Extraction.ts";

const Text = Schema.NullOr(Schema.String);
const Count = Schema.NullOr(Schema.Int);
const Seconds = Schema.NullOr(Schema.Finite);

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
  /** As measured on the downloaded media. */
  durationSeconds: Seconds,
  /** Names of the existing files. */
  ...byField("summaryField", { one: () => Text, many: () => Schema.Array(Schema.String) }),
  /** Every downloadable artifact. */
  files: Schema.Array(Schema.String),
  /** Unix milliseconds, for the run that fetched the content. */
  startedAt: Schema.Int,
  finishedAt: Schema.Int
}).annotate({ identifier: "Summary" });
export type Summary = typeof Summary.Type;

/** An extraction with status `complete`. */
export type Completed = Extraction & { readonly result: RunResult };

export const summaryOf = ({ id, request, result }: Completed): Summary => {
  const { facts } = result;
  const files = result.artifacts.map((artifact) => artifact.name);
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
    durationSeconds: result.measuredDurationSeconds,
    ...byField("summaryField", {
      one: ({ name }) => (files.includes(name) ? name : null),
      many: (includes) => files.filter(includes)
    }),
    files,
    startedAt: result.startedAtMs,
    finishedAt: result.finishedAtMs
  };
};
