/**
 * Wire shapes of an extraction in lists and reads.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { MadeBy } from "@winnow/core/domain/request/Requester";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import { ExtractionPhase, ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { DateTime, described, pageSchema } from "../../http/openapi/described.ts";

const fields = {
  id: Schema.String,
  url: Schema.String,
  status: ExtractionStatus,
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime),
  creditsDebited: Credits,
  creditsRefunded: Credits,
  cached: Schema.Boolean,
  outcome: Schema.NullOr(Outcome),
  title: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(SourceKind),
  durationSec: Schema.NullOr(Schema.Finite),
  thumbnail: Schema.NullOr(Schema.String),
  madeBy: MadeBy,
  apiKeyName: Schema.NullOr(Schema.String),
  verdictReason: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String)
};

const texts = {
  id: "Id for reading status, result and files.",
  url: "As submitted.",
  status: "`complete` and `failed` are final.",
  createdAt: "When it was submitted.",
  completedAt: "When it completed or failed; null until then.",
  creditsDebited: "Debited at submit and never changed; 0 if the result was reused.",
  creditsRefunded: "Refunded when the extraction ended; the whole debit if it failed.",
  cached: "Whether the result was reused from a recent identical extraction.",
  outcome: "Verdict of an AI run; null on download-only runs and until the extraction has ended.",
  title: "Title of the content, at most 500 characters; null while unknown.",
  kind: "Kind of source; null while unknown.",
  durationSec:
    "Seconds: measured if the media was downloaded, else as reported by the source; null while unknown.",
  thumbnail:
    "Absolute path of the stored thumbnail on this server, usable as `src` in pages of the same host; null " +
    "if there is none.",
  madeBy: "`web` for the web app, `mcp` for an MCP client, `api` for everything else.",
  apiKeyName: "Name of the API key that submitted it, at that time; null if none did.",
  verdictReason: "One sentence; only with `no_match` and `uncertain`.",
  error: "Human-readable reason; only with status `failed`."
};

const example = {
  id: "ext_01hzx3",
  url: "https://video.example/watch/42",
  status: "complete",
  createdAt: "2026-11-21T08:00:00.000Z",
  completedAt: "2026-11-21T08:00:41.000Z",
  creditsDebited: 230,
  creditsRefunded: 20,
  cached: false,
  outcome: null,
  title: "A talk",
  kind: "video",
  durationSec: 213,
  thumbnail: "/v1/extractions/ext_01hzx3/files/thumbnail.jpg",
  madeBy: "api",
  apiKeyName: "Nightly import"
};

export const ExtractionItem = described(fields, {
  identifier: "Extraction",
  description: "An extraction of the account.",
  fields: texts,
  examples: [example]
});
export type ExtractionItem = typeof ExtractionItem.Type;

export const ExtractionDetail = described(
  { ...fields, phase: ExtractionPhase },
  {
    identifier: "ExtractionDetail",
    description: "An extraction with its phase.",
    fields: { ...texts, phase: "Simplified status." },
    examples: [{ ...example, phase: "done" }]
  }
);
export type ExtractionDetail = typeof ExtractionDetail.Type;

export const ExtractionPage = pageSchema(ExtractionItem, {
  identifier: "ExtractionPage",
  description: "One page of extractions.",
  example: example
});
export type ExtractionPage = typeof ExtractionPage.Type;
